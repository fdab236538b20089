"""What kind of errors a model makes: by rules first, then by a judge, and people have the last word.

Every Unit that isn't right gets one kind. Rules say what a reply shows by itself (`error_signs`); a wrong answer
without such a sign is `content`, until a judge tells perception, reasoning, knowledge and format apart; a person's note
about a reply overrules both. Where the answer is free text and its metric knows no right and wrong (an error rate, a
similarity) a Unit counts as an error only if a rule, a judge or a person names one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from triptych.analysis.errors.signs import AUTOMATIC, reply_of, signs, text_of
from triptych.analysis.observed import Observed, facet_of
from triptych.metrics.metric import metric_name
from triptych.metrics.statistics.intervals import wilson
from triptych.protocols.protocol import Unit
from triptych.records import Annotation, Estimate, Listing, Response, Score, Section, table_of
from triptych.scoring.stored.units import remember_units

BY_JUDGE = {
    "perception": "content misheard, misread, missed or invented",
    "reasoning": "the content was perceived, but the conclusion is wrong",
    "knowledge": "missing world knowledge",
}
BY_PERSON = {
    "wrong_key": "the reference answer is wrong",
    "bad_question": "the question can't be answered as it is asked",
}
KINDS: dict[str, str] = {
    **AUTOMATIC,
    **BY_JUDGE,
    "content": "a wrong but well-formed answer; no judge has classified it",
    **BY_PERSON,
}
# Those that forms offer to people, the most frequent first; a person can write another word.
OFFERED = (
    *BY_JUDGE,
    "format",
    "refusal",
    "empty",
    "truncated",
    "wrong_language",
    "repetition",
    "other_task",
    *BY_PERSON,
)
RIGHT_OR_WRONG = frozenset({"acc", "em"})
CATEGORY_FACETS = ("category", "genre", "domain", "family", "kind")
EXAMPLES_PER_KIND = 3  # examples of each kind
EXPLANATION = (
    "Every question that is not answered correctly is assigned one kind of error. Percentages are of all questions "
    "asked, and in a second table of the errors, with Wilson's 95% confidence interval (questions are assumed "
    "independent; repeats of one question count as one). Rules find errors that are visible in the reply; `content` is "
    "a wrong answer without such a sign, "
    "which only a judge or a person can classify further."
)

Entry = tuple[str, int]


class Diagnosis(Struct, frozen=True, gc=False):
    """One Unit of one Run and repeat: whether it is an error, and of which kind.

    `kind` empty: no error. `signs`: everything that rules saw. `source`: rules, judge or person.
    """

    unit: str
    item: str
    repeat: int
    task: str
    category: str
    kind: str
    signs: tuple[str, ...] = ()
    source: str = "rules"
    note: str = ""
    reply: str = ""

    @property
    def entry(self) -> Entry:
        """What judges' and people's words are keyed by."""
        return (self.item, self.repeat)


def diagnose(
    run: Observed,
    responses: Sequence[Response],
    *,
    others: Sequence[Observed] = (),
    judged: Mapping[Entry, str] | None = None,
    corrections: Sequence[Annotation] = (),
    by: str = "",
) -> list[Diagnosis]:
    """Every Unit of a Run with its kind of error, pure.

    `others`: the same Run under other protocols: an answer that is right there and wrong here has the wrong form.
    `judged`: (Item id, repeat) -> the judge's word. `corrections`: of several about one reply the last counts; a
    `verdict` of right makes it no error. `by`: the facet that is the category; empty: the first that Items have of
    `category`, `genre`, `domain`, `family`, `kind`, else the Task.
    """
    scores = {(score.unit, score.repeat): score for score in run.main_scores}
    right = {(s.unit, s.repeat) for other in others for s in other.main_scores if _is_right(s)}
    repeats, uneven = (run.manifest.repeats, run.manifest.uneven) if run.manifest else (1, False)
    names = (by,) if by else CATEGORY_FACETS
    diagnoses: list[Diagnosis] = []
    for unit in remember_units(run.all_items, responses, repeats, uneven=uneven):
        item = unit.items[0]
        entry = item.unit_id, unit.repeat
        if (score := scores.get(entry)) is not None:
            diagnoses.append(_by_rules(unit, score, entry in right, facet_of(item, names)))
    return with_words(diagnoses, judged or {}, corrections)


def with_words(
    diagnoses: Iterable[Diagnosis], judged: Mapping[Entry, str], corrections: Iterable[Annotation]
) -> list[Diagnosis]:
    """What rules found, with what judges and people said of it: see `diagnose`."""
    people = {(note.item, note.repeat): note for note in corrections}
    if not judged and not people:
        return list(diagnoses)
    return [_with_words(one, judged, people) for one in diagnoses]


def error_kinds(runs: Mapping[str, Sequence[Diagnosis]], *, signatures: Mapping[str, str] | None = None) -> Section:
    """The distribution over kinds: by Run, and by Run and category, with counts, n, intervals and examples, pure.

    `runs`: label -> its diagnoses; `signatures`: label -> the signature of its scores.
    """
    run_signatures = dict(signatures or {})
    estimates = [e for label, run in runs.items() for e in _estimates(label, run, run_signatures.get(label, ""))]
    totals = [e for e in estimates if "category" not in e.slice]
    shares = [share for one in totals if (share := _share_of_errors(one)) is not None]
    tables = [
        table_of(
            "error_kinds",
            "Kinds of error, % of all questions",
            totals,
            row=lambda e: e.slice["kind"],
            column=lambda e: e.runs[0],
        ),
        *(
            [
                table_of(
                    "error_kinds.shares",
                    "Kinds of error, % of the errors",
                    shares,
                    row=lambda e: e.slice["kind"],
                    column=lambda e: e.runs[0],
                )
            ]
            if shares
            else []
        ),
    ]
    for label in runs:
        matching_estimates = [e for e in estimates if "category" in e.slice and e.runs == (label,)]
        if len({e.slice["category"] for e in matching_estimates}) > 1:
            title = f"Kinds of error by category, % of its questions: {label}"
            tables.append(
                table_of(
                    f"error_kinds.{label}",
                    title,
                    matching_estimates,
                    row=_slice_value_getter("kind"),
                    column=_slice_value_getter("category"),
                )
            )
    return Section(
        id="error_kinds",
        title="Kinds of error",
        explanation=EXPLANATION,
        sentences=tuple(_sentence(label, run) for label, run in runs.items()),
        estimates=tuple(estimates),
        tables=tuple(tables),
        listings=(_examples(runs), _legend(runs)),
        notes=tuple(_notes(runs)),
    )


def _by_rules(unit: Unit, score: Score, right_elsewhere: bool, category: str) -> Diagnosis:
    item = unit.items[0]
    closed = item.answer != "text" or metric_name(score.metric) in RIGHT_OR_WRONG
    seen: tuple[str, ...] = ()
    kind = ""
    if closed and _is_right(score):
        text = text_of(unit.responses)
    else:
        reply = reply_of(
            unit.items, unit.responses, unparsed=score.status == "unparsed", right_elsewhere=closed and right_elsewhere
        )
        seen, text = tuple(signs(reply)), reply.text
        kind = next((kind for kind in AUTOMATIC if kind in seen), "content" if closed else "")
    return Diagnosis(item.unit_id, item.id, unit.repeat, item.task, category, kind, seen, reply=text)


def _with_words(one: Diagnosis, judged: Mapping[Entry, str], people: Mapping[Entry, Annotation]) -> Diagnosis:
    """Apply the judge's kind if no rule applies; a person's kind overrides rules and judges."""
    if one.kind == "content" and (word := judged.get(one.entry)):
        one = replace(one, kind=word.casefold(), source="judge")
    note = people.get(one.entry)
    if note is None:
        return one
    if note.verdict == "right" and not note.kind:
        return replace(one, kind="", source="person", note=note.note)
    return replace(one, kind=note.kind or one.kind, source="person", note=note.note) if note.says_something else one


def _is_right(score: Score) -> bool:
    return score.status == "scored" and score.denominator > 0 and score.numerator >= score.denominator


def _slice_value_getter(name: str) -> Callable[[Estimate], str]:
    return lambda estimate: estimate.slice[name]


def _estimates(label: str, diagnoses: Sequence[Diagnosis], signature: str) -> Iterator[Estimate]:
    groups: dict[str, list[Diagnosis]] = {"": list(diagnoses)}
    for one in diagnoses:
        groups.setdefault(one.category, []).append(one)
    for category, members in groups.items():
        counts = Counter(one.kind for one in members if one.kind)
        for kind in _in_order({one.kind for one in diagnoses if one.kind}):
            yield _estimate(label, category, kind, counts, members, signature)


def _estimate(
    label: str, category: str, kind: str, counts: Counter[str], members: Sequence[Diagnosis], signature: str
) -> Estimate:
    n, units = len(members), len({one.unit for one in members})
    # A repeated question is not a separate one.
    low, high = wilson(counts[kind] / n * units, units) if n else (0.0, 1.0)
    return Estimate(
        "error_kind",
        100 * counts[kind] / n if n else None,
        "%",
        n=n,
        counted="Units",
        coverage=1.0 if n else 0.0,
        interval=(100 * low, 100 * high) if n else None,
        slice={"kind": kind, **({"category": category} if category else {})},
        runs=(label,),
        signatures=(signature,) if signature else (),
        counts={"count": counts[kind], "errors": counts.total()},
        label=KINDS.get(kind, kind),
        better="lower",
        reason="" if n else "no questions",
    )


def _share_of_errors(one: Estimate) -> Estimate | None:
    """Return the same count as a share of the Run's errors (as CMDAR's paper gives it); None without errors."""
    count, errors = one.counts["count"], one.counts["errors"]
    if not errors:
        return None
    low, high = wilson(count, errors)
    return replace(
        one,
        measure="error_share",
        value=100 * count / errors,
        n=errors,
        counted="errors",
        interval=(100 * low, 100 * high),
        coverage=None,
        better="",
    )


def _in_order(kinds: Iterable[str]) -> list[str]:
    """As `KINDS` has them; those that people made up come last."""
    order = list(KINDS)
    return sorted(kinds, key=lambda kind: (order.index(kind) if kind in order else len(order), kind))


def _sentence(label: str, diagnoses: Sequence[Diagnosis]) -> str:
    counts = Counter(one.kind for one in diagnoses if one.kind)
    noun = f"{len(diagnoses):,} {'answers' if any(one.repeat for one in diagnoses) else 'questions'}"
    if not counts:
        return f"{label}: no error was found in {noun}."
    text = ", ".join(f"{n:,} {kind.replace('_', ' ')}" for kind, n in counts.most_common())
    return f"{label}: {counts.total():,} of {noun} show an error: {text}."


def _examples(runs: Mapping[str, Sequence[Diagnosis]]) -> Listing:
    rows = []
    for label, label_runs in runs.items():
        for kind in _in_order({one.kind for one in label_runs if one.kind}):
            diagnoses = [one for one in label_runs if one.kind == kind]
            rows += [
                (label, kind, one.item, " ".join(one.reply.split())[:120]) for one in diagnoses[:EXAMPLES_PER_KIND]
            ]
    return Listing("error_kinds.examples", "Examples", ("Run", "kind", "Item", "the reply begins"), tuple(rows))


def _legend(runs: Mapping[str, Sequence[Diagnosis]]) -> Listing:
    used = _in_order({one.kind for run_group in runs.values() for one in run_group if one.kind})
    rows = tuple((kind, KINDS.get(kind, "named by a person")) for kind in used)
    return Listing("error_kinds.legend", "Meaning of the kinds", ("kind", "meaning"), rows)


def _notes(runs: Mapping[str, Sequence[Diagnosis]]) -> Iterator[str]:
    for label, label_runs in runs.items():
        sources = Counter(one.source for one in label_runs if one.kind or one.source != "rules")
        text = ", ".join(f"{n:,} by {source}" for source, n in sources.most_common())
        yield f"{label}: {text or 'no details'}"
        several = sum(len(one.signs) > 1 for one in label_runs)
        if several:
            yield f"{label}: {several:,} replies show several kinds; each is counted under the first in the list"
