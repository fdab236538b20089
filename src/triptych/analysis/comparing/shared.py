"""What several Runs share: the questions asked in all of them; and what else differs between them than the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TypeVar

from msgspec import structs

from triptych.analysis.comparing.identity import count_by_kind, differing_units
from triptych.analysis.observed import Observed
from triptych.records import ANSWERED, SCORE_STATUSES, Score
from triptych.scoring.figures.cells import Kind
from triptych.scoring.notes.differences import settings_apart
from triptych.scoring.runs import media_formats
from triptych.store.folder import RunFolder

Key = TypeVar("Key")

# Fields of a signature in which a difference makes scores incomparable, and their names
_MATTERS = {
    "bench": "the benchmark's version",
    "data": "the data",
    "protocol": "the protocol",
    "uses": "the protocol's resources",
    "judge": "the judge",
    "cond": "the Condition",
    "prompt": "the prompt",
    "system": "the system prompt",
    "packing": "how media were sent (--packing)",
    "seed": "the seed",
    "repeats": "the number of repeats",
    "decided": "what people decided",
}
# There is no answer, for a reason other than the model's behaviour: it takes no such input, it wasn't asked, or the
# scorer wasn't available. Such a question doesn't show which of two Runs is better.
NO_EVIDENCE: dict[str, str] = {
    "skipped": "skipped by {run}, whose model takes no such input",
    "missing": "without a Response in {run}",
    "unavailable": "not scored in {run}: what the metric needs is not installed",
    "judge_failed": "not scored in {run}: the judge gave no verdict",
}
_WHY = {**NO_EVIDENCE, "scored": "without a value in {run}", "unparsed": "without a value in {run}"}
_LEFT_OUT = "only questions that are the same in all Runs are compared"
FEW_RUNS = 3  # that a sentence names
CHANGED_SHARE = 0.25  # share of a Task's questions that differ; above it, the other questions are equal only by chance
_SELECTION = ("tasks", "sample", "limit", "filter", "items", "shard")
NOT_THE_SAME = "not the same question: "
_MAY_DIFFER = "this may cause the difference in scores, not only the models"


@dataclass(frozen=True)
class Shared:
    """The Scores of each Run over what all of them were asked and could be scored on.

    `units`: their number; `unit_counts`: the number in each Run; `exclusions`: reasons why shared Units don't count,
    with numbers; `warnings`: differences between the Runs besides the model. `runs`: the Runs, aligned.
    """

    runs: tuple[Observed, ...]
    scores: tuple[tuple[Score, ...], ...]
    units: int
    instances: int
    unit_counts: tuple[int, ...]
    exclusions: dict[str, int]
    warnings: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """Return caveats for the reader of the figures: which shared Units don't count, and what else differs."""
        return (*left_out_lines(self.exclusions), *self.warnings)


def left_out_lines(exclusions: Mapping[str, int]) -> list[str]:
    """Return a sentence for each reason why questions that all Runs were asked are not compared."""
    return [
        f"{n:,} {'question' if n == 1 else 'questions'} of all Runs {'is' if n == 1 else 'are'} left out: {why}"
        for why, n in exclusions.items()
    ]


def align(runs: Sequence[Observed]) -> tuple[Observed, ...]:
    """The Runs with Units of the same name for the same question, where they differ by facet alone.

    A benchmark may have every form of a question as a Unit of its own (MCIF: fixed and mixed prompts, heard and read).
    Runs that were asked one form each then share no Unit, but Instances: a Unit is called by its Instance, Task and
    the facets that vary inside Instances, except those that distinguish these Runs; the Scores lose these facets, so
    that no figure claims to be of one of the forms. Runs that share Units, or have several forms of a question each,
    stay as they are.
    """
    if len(runs) < 2 or set.intersection(*({score.unit for score in run.scores} for run in runs)):
        return tuple(runs)
    apart = facets_apart(runs)
    return tuple(_renamed(run, apart) for run in runs) if apart else tuple(runs)


def facets_apart(runs: Sequence[Observed]) -> dict[str, tuple[str, ...]]:
    """The benchmark's varying facets of which each Run has a single value, not the same in all: facet -> theirs."""
    differing_facets: dict[str, tuple[str, ...]] = {}
    for variation in runs[0].benchmark.spec.variations:
        values = [{score.facets.get(variation.facet, "") for score in run.scores} for run in runs]
        if all(len(facets) == 1 for facets in values) and len(set.union(*values)) > 1:
            differing_facets[variation.facet] = tuple(value.pop() for value in values)
    return differing_facets


def _renamed(run: Observed, apart: Mapping[str, object]) -> Observed:
    """Under the new names; as it was where two Units would have one."""
    facets_shared = [v.facet for v in run.benchmark.spec.variations if v.facet not in apart]
    named = {
        s.unit: "|".join([s.instance, s.task, *(s.facets.get(facet, "") for facet in facets_shared)])
        for s in run.scores
    }
    if len(set(named.values())) < len(named):
        return run
    scores = (
        structs.replace(s, unit=named[s.unit], facets={k: v for k, v in s.facets.items() if k not in apart})
        for s in run.scores
    )
    items = (structs.replace(i, unit=named[i.unit_id]) for i in run.item_list if i.unit_id in named)
    return replace(run, scores=tuple(scores), item_list=tuple(items))


def share(runs: Sequence[Observed], kind: Kind) -> Shared:
    """The Units of all Runs, metric by metric. With `answered` those alone that all Runs answered.

    Runs are compared question by question: those that are not the same in everything that was sent are left out. Runs
    that were asked different forms of the same questions are aligned.
    """
    all_runs, runs = runs, align(runs)
    common = _intersect_sets(_units(run) for run in runs)
    # Aligned forms of a question aren't the same question.
    renamed = any(run is not aligned for run, aligned in zip(runs, all_runs, strict=True))
    why_other = differing_units(runs, common, by_content=not renamed)
    other = set(why_other)
    doubtful = _of_other_tasks(runs[0], common, other) if _other_data(runs) else set()
    usable = _intersect_sets({(s.unit, s.metric) for s in counting(run.scores, kind)} for run in runs)
    keys = {key for key in usable if key[0] not in other | doubtful}
    scores = _of_keys(runs, keys)
    if uneven := uneven_facets(scores, runs[0].benchmark.spec.slices):
        runs = tuple(_without_facets(run, uneven) for run in runs)
        scores = _of_keys(runs, keys)
    units = {unit for unit, _ in keys}
    reasons = {
        **{f"{NOT_THE_SAME}{why}": number for why, number in count_by_kind(why_other).items()},
        "it looks the same, but many questions of its Task differ: the reference answers agree by chance": len(
            doubtful
        ),
        **_why_lost(runs, common - other - doubtful - units, kind),
    }
    return Shared(
        runs,
        scores,
        len(units),
        len({score.instance for score in scores[0]}),
        tuple(len(_units(run)) for run in runs),
        {why: number for why, number in reasons.items() if number},
        (*_differences(all_runs), *_uneven_words(uneven)),
    )


def _of_keys(runs: Sequence[Observed], keys: set[tuple[str, str]]) -> tuple[tuple[Score, ...], ...]:
    return tuple(
        tuple(s for s in run.scores if (s.unit, s.metric) in keys and s.status not in NO_EVIDENCE) for run in runs
    )


def _uneven_words(facets: Mapping[str, int]) -> Iterator[str]:
    for name, number in facets.items():
        yield f"the facet {name!r} of {number:,} shared questions differs between the Runs: no figure is divided by it"


def uneven_facets(scores: Sequence[Sequence[Score]], slices: Sequence[str]) -> dict[str, int]:
    """Return the facets of `slices` that are not the same for the same Units: facet -> number of Units.

    A figure of a part would be about other questions in one Run than in another.
    """
    first, *others_ = [{score.unit: score.facets for score in unit_scores} for unit_scores in scores]
    pairs = [(first[unit], facet[unit]) for facet in others_ for unit in first if facet[unit] is not first[unit]]
    uneven = {name: sum(one.get(name) != its.get(name) for one, its in pairs) for name in slices}
    return {name: number for name, number in uneven.items() if number}


def _without_facets(run: Observed, facets: Mapping[str, int]) -> Observed:
    """Return the Run whose Scores lack these facets."""
    scores = (
        structs.replace(s, facets={key: value for key, value in s.facets.items() if key not in facets})
        for s in run.scores
    )
    return replace(run, scores=tuple(scores))


def _units(run: Observed) -> set[str]:
    return {score.unit for score in run.scores}


def _intersect_sets(sets: Iterable[set[Key]]) -> set[Key]:
    """Return what is in all sets, with few of them in memory at a time: each Run has one."""
    return reduce(set.intersection, sets)


def counting(scores: Iterable[Score], kind: Kind) -> list[Score]:
    """Return the Scores that can enter a comparison: those with an answer, and (`all`) those that are charged as the
    protocol's headline charges them.

    Outcomes that are not evidence of either Run's quality (`NO_EVIDENCE`) never count.
    """
    charged = [status for status in SCORE_STATUSES if kind == "all" and status not in NO_EVIDENCE]
    statuses = ANSWERED.union(charged)
    return [score for score in scores if score.denominator > 0 and score.status in statuses]


def _why_lost(runs: Sequence[Observed], units: set[str], kind: Kind) -> Counter[str]:
    """Count why Units that all Runs were asked don't count, each by the first Run without a Score that counts."""
    counts: Counter[str] = Counter()
    for run in runs:
        if not units:
            break
        counted = {s.unit for s in counting([s for s in run.scores if s.unit in units], kind)}
        missing = units - counted
        status = {s.unit: s.status for s in run.scores if s.unit in missing}
        counts.update(
            _WHY.get(statuses, f"{statuses} in {{run}}").format(run=run.label) for statuses in status.values()
        )
        units = units & counted
    if units:
        counts["no metric was scored in all Runs"] = len(units)
    return counts


def _other_data(runs: Sequence[Observed]) -> bool:
    """Return whether the questions must be compared: results made elsewhere say nothing about their data."""
    made_here = [run.manifest for run in runs if run.manifest and not run.manifest.model.startswith("replay/")]
    return len(made_here) < len(runs) or len({manifest.data_sha256 for manifest in made_here}) > 1


def _of_other_tasks(run: Observed, common: set[str], other: set[str]) -> set[str]:
    """Return Units that look the same in Tasks where many differ: some different questions share a reference answer by
    chance."""
    if not other:
        return set()
    tasks = {score.unit: score.task for score in run.scores if score.unit in common}
    tasks_asked, differing = Counter(tasks.values()), Counter(tasks[unit] for unit in other)
    strange = {task for task, number in tasks_asked.items() if differing[task] > CHANGED_SHARE * number}
    return {unit for unit, task in tasks.items() if task in strange} - other


def _sent_differently(runs: Sequence[Observed]) -> Iterator[str]:
    """Say in what the media differ that were sent in fact, for Runs whose Responses state it."""
    sent_forms = [media_formats(RunFolder(run.path, run.manifest)) if run.path and run.manifest else {} for run in runs]
    for kind in dict.fromkeys(kind for form in sent_forms for kind in form):
        forms = [one.get(kind, "not stated") for one in sent_forms]
        if len(set(forms)) > 1:
            yield f"{kind} was sent differently ({_by_run(runs, forms)}): {_MAY_DIFFER}"


def _differences(runs: Sequence[Observed]) -> Iterator[str]:
    fields = [dict(field.partition(":")[::2] for field in run.signature.split("|") if field) for run in runs]
    for name, words in _MATTERS.items():
        values = [differing.get(name, "none") for differing in fields]
        if name == "data":  # the media are compared question by question, since a selection has other ones
            values = [value.partition("+")[0] for value in values]
        if len(set(values)) > 1:
            yield f"{words} differs ({_by_run(runs, values)}): {_LEFT_OUT if name == 'data' else _MAY_DIFFER}"
    for name, content in settings_apart([run.manifest for run in runs]).items():
        if name in _MATTERS and len({one.get(name) for one in fields}) > 1:
            continue  # it was said
        yield f"the setting {name} differs ({_by_run(runs, content)}): {_MAY_DIFFER}"
    yield from _sent_differently(runs)
    apart = {} if set.intersection(*({s.unit for s in run.scores} for run in runs)) else facets_apart(runs)
    for facet, forms in apart.items():
        text = "; ".join(f"{run.label}: {form or 'none'}" for run, form in zip(runs, forms, strict=True))
        yield f"the Runs were asked different forms of the same questions ({facet}: {text})"
    narrowed = (
        [] if apart else [{name: differing[name] for name in _SELECTION if name in differing} for differing in fields]
    )
    if any(field_values != narrowed[0] for field_values in narrowed):
        yield "the Runs asked different selections of questions: only shared questions are compared"


def _by_run(runs: Sequence[Observed], values: Sequence[str]) -> str:
    """Return the value of each Run; of more than a few, the Runs of each value."""
    named: dict[str, list[str]] = {}
    for run, value in zip(runs, values, strict=True):
        if value:
            named.setdefault(value, []).append(run.label)
    if len(runs) <= FEW_RUNS or len(named) == len(runs):
        return "; ".join(f"{run.label}: {value}" for run, value in zip(runs, values, strict=True) if value)
    return "; ".join(
        f"{value}: {abridged_names(labels)}" for value, labels in sorted(named.items(), key=lambda one: len(one[1]))
    )


def abridged_names(labels: Sequence[str]) -> str:
    """Return the names of a few Runs, or of the first two and the number of the others."""
    return ", ".join(labels) if len(labels) <= FEW_RUNS else f"{', '.join(labels[:2])} and {len(labels) - 2} others"
