"""Checks of the replies behind a score: failures counted as answers, missing questions, one reply to everything."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from triptych.audit.results.constant import check_constant
from triptych.audit.results.replies import reply_kind
from triptych.audit.results.stored import Tally, tallies
from triptych.audit.results.systems import System
from triptych.records import ANSWERED, Finding, FindingSeverity, Score, finding

_SEVERE_FROM, _WARNING_FROM = 20, 5  # replies that are not answers
_FEW = 100  # questions under which a figure says little
_BLOCK = 20  # number of consecutive unanswered questions that are reported as a block
_DRAWN = 0.1  # positions absent, per position there, from which on a sample was drawn from all over
_PLACES = 5  # blocks named
_WORDS = {
    "transcript": "chat transcripts",
    "error": "error texts",
    "refusal": "refusals",
    "empty": "empty replies",
    "failed": "calls that failed",
    "other": "texts that name no option",
}


def check_answers(system: System) -> Iterator[Finding]:
    """Yield one finding per Task and fault, with the score as it would be otherwise."""
    official = tallies(system.official)
    by_task: dict[str, list[int]] = defaultdict(list)
    for index, score in enumerate(system.official):
        by_task[score.task].append(index)
    for task, places in by_task.items():
        scores = [system.official[p] for p in places]
        yield from _failures(system, task, places, official[task])
        yield from _coverage(system, task, scores, official[task])
        yield from _blocks(system, task, scores)
    yield from check_constant(system, by_task)
    yield from _holes(system, by_task)
    yield from _without_figure(system, official)
    yield from _few_questions_findings(system, official)


def _fallback_score(system: System, index: int) -> Score:
    """A Score under `standard` where there is one (a reply's own words are looked for), else the same again."""
    standard = system.benchmark.protocols.get("standard")
    return standard.score(system.units[index])[0] if standard else system.official[index]


def _failures(system: System, task: str, places: Sequence[int], tally: Tally) -> Iterator[Finding]:
    """Yield findings on replies that are not answers but count as wrong ones, with the score if they are read or left
    out."""
    kinds: dict[str, list[int]] = defaultdict(list)
    reads = any(system.official[position].extraction is not None for position in places)
    for index in places:
        if kind := _no_answer(system, index, reads=reads):
            kinds[kind].append(index)
    for kind, hits in kinds.items():
        if kind == "other" and len(hits) < 2:
            continue
        rest = tally.answered - len(hits)
        without = 100 * tally.right / rest if rest else 0.0
        hits_asked = [hit for hit in hits if system.units[hit].item.answer in ("letter", "option")]
        read = [score for hit in hits_asked if (score := _fallback_score(system, hit)).status == "scored"]
        gained = tally.right + sum(score.numerator for score in read)
        share = len(hits) / max(tally.answered, 1)
        severity = _graded(len(hits), share)
        also = 100 * gained / max(tally.answered, 1)
        text = f"; {len(read):,} of them name an option nevertheless, which gives {also:.2f}" if read else ""
        yield finding(
            "failure",
            severity,
            system.benchmark.name,
            f"{system.name}: {len(hits):,} of {tally.answered:,} replies counted as answers are {_WORDS[kind]}{text}",
            file=str(system.path),
            rows=[task],
            columns=[kind],
            published=round(tally.score, 2),
            recomputed=round(also if read else without, 2),
            terms=("as counted", "if the options that they name count" if read else "without them"),
            effect=f"{tally.score:.2f} as counted, {without:.2f} without them",
        )


def _graded(hits: int, share: float) -> FindingSeverity:
    """Return the severity, as for lost replies: the share alone means little for a dozen questions."""
    if share >= 0.1 and hits >= _SEVERE_FROM:
        return "severe"
    return "warning" if share >= 0.01 and hits >= _WARNING_FROM else "note"


def _no_answer(system: System, index: int, *, reads: bool) -> str:
    """Return the kind of a reply that counts as a wrong answer but is not an answer; empty for an answer.

    `reads`: whether the official protocol extracts an option from replies. If it doesn't (it searches for the reference
    answer), a reply from which `standard` extracts nothing is not an answer.
    """
    score = system.official[index]
    read = score.extraction not in (None, "")
    if score.status not in ANSWERED or read or score.numerator or not _is_plain(score):
        return ""
    unit = system.units[index]
    if unit.response is not None and unit.response.status == "failed":
        return "failed"
    kind: str = reply_kind(unit.response)
    if kind in ("answer", "none"):
        unread = reads or _fallback_score(system, index).status != "scored"
        kind = "other" if unread and unit.item.answer in ("letter", "option") else kind
    return kind if kind in _WORDS else ""


def _is_plain(score: Score) -> bool:
    """Return whether a Score is correct or incorrect, not a number of errors or a rating."""
    return score.denominator == 1


def _coverage(system: System, task: str, scores: Sequence[Score], tally: Tally) -> Iterator[Finding]:
    """Yield findings on figures computed from under nine tenths of the questions that were released or asked (severe:
    under half of those that the model can take), or from under 100."""
    planned = _number_of_units(system, task, tally)
    share = tally.answered / planned if planned else 0.0
    if not tally.answered or (share >= 0.9 and (tally.answered >= _FEW or tally.answered == planned)):
        return
    taken = planned - sum(score.status == "skipped" for score in scores)
    severity: FindingSeverity = "warning" if share < 0.9 else "note"
    if tally.answered < 0.5 * taken:
        severity = "severe"
    losses = [
        _lost_counts(scores),
        f"{planned - tally.n:,} not in the results" if planned > tally.n else "",
    ]
    plain = all(_is_plain(score) for score in scores if score.status in ANSWERED)
    as_wrong = 100 * tally.right / planned
    yield finding(
        "coverage",
        severity,
        system.benchmark.name,
        f"{system.name}: {f'{tally.score:.2f}' if plain else 'the figure'} rests on {tally.answered:,} of {planned:,} "
        f"questions ({', '.join(part for part in losses if part)})",
        file=str(system.path),
        rows=[task],
        columns=["answered"],
        published=round(tally.score, 2) if plain else None,
        recomputed=round(as_wrong, 2) if plain else None,
        effect=f"{100 * share:.1f}% of the questions" + (f"; {as_wrong:.2f} if the others count as wrong" * plain),
    )


def _number_of_units(system: System, task: str, tally: Tally) -> int:
    """Return the number of Units: those asked in a Run or in a sample; for other results, those that were released.

    The number released is unknown if a Unit is several questions (a talk's segments).
    """
    spec = next((t for t in system.benchmark.spec.tasks if system.benchmark.spec.full_id(t) == task), None)
    if spec is None or not spec.count or system.manifest is not None:
        return tally.n
    return tally.n if task in system.joined or task in system.sampled else max(spec.count, tally.n)


def _lost_counts(scores: Sequence[Score]) -> str:
    counts = Counter(score.status for score in scores if score.status not in ANSWERED)
    return ", ".join(f"{n:,} {status}" for status, n in counts.items())


def _without_figure(system: System, tallied: Mapping[str, Tally]) -> Iterator[Finding]:
    """Yield a finding on Tasks without any score: a missing weight or judge is different from failed Requests."""
    groups: dict[str, list[str]] = defaultdict(list)
    for task in (task for task, tally in tallied.items() if not tally.answered):
        groups[" and ".join(sorted({s.status for s in system.official if s.task == task}))].append(task)
    for statuses, tasks in groups.items():
        yield finding(
            "coverage",
            "warning" if {"failed", "refused", "truncated", "missing"} & set(statuses.split(" and ")) else "note",
            system.benchmark.name,
            f"{system.name}: no score for {len(tasks):,} Task{'s' * (len(tasks) > 1)}: all Units are {statuses}",
            file=str(system.path),
            rows=tasks,
            columns=["answered"],
            effect="no figure",
        )


def _few_questions_findings(system: System, tallied: Mapping[str, Tally]) -> Iterator[Finding]:
    """Yield one finding on all Tasks whose figure rests on all of their questions, if these are few."""
    few = {
        t: tally.n
        for t, tally in tallied.items()
        if tally.answered == _number_of_units(system, t, tally) and 0 < tally.n < _FEW
    }
    if few:
        task, n = min(few.items(), key=lambda pair: pair[1])
        yield finding(
            "coverage",
            "note",
            system.benchmark.name,
            f"{system.name}: {len(few):,} Task{'s rest' if len(few) > 1 else ' rests'} on under {_FEW} questions, "
            f"{task} on {n}",
            file=str(system.path),
            rows=list(few),
            columns=["questions"],
            effect=f"one question is 1/{n} of {task}",
        )


def _blocks(system: System, task: str, scores: Sequence[Score]) -> Iterator[Finding]:
    """Yield a finding on consecutive questions without an answer: they suggest a lost connection, not hard
    questions."""
    ordered = sorted(scores, key=lambda score: (_position(score) or 0, score.unit))
    blocks: list[list[str]] = [[]]
    for score in ordered:
        if score.status not in (*ANSWERED, "skipped"):
            blocks[-1].append(score.unit)
        elif blocks[-1]:
            blocks.append([])
    long = [block for block in blocks if len(block) >= _BLOCK]
    if long and sum(map(len, long)) < len(ordered):
        text = "; ".join(f"{block[0]} and {len(block) - 1} after it" for block in long[:_PLACES])
        yield finding(
            "failure",
            "warning",
            system.benchmark.name,
            f"{system.name}: unanswered questions occur in blocks: {text}",
            file=str(system.path),
            rows=[task],
            columns=["blocks"],
            effect=f"{sum(map(len, long)):,} questions left out, not by what they ask",
        )


def _holes(system: System, by_task: Mapping[str, Sequence[int]]) -> Iterator[Finding]:
    """Yield findings on missing positions up to the last one: of each Task, or of all if the numbering spans Tasks.

    A Run asks the questions that were selected, so it has no gaps.
    """
    if system.manifest is not None:
        return
    numbers = {
        task: {n for index in places if (n := _position(system.official[index])) is not None}
        for task, places in by_task.items()
    }
    if len(numbers) > 1 and sum(map(len, numbers.values())) == len(set().union(*numbers.values())):
        numbers = {system.benchmark.name: set().union(*numbers.values())}
    for task, number in numbers.items():
        absent = sorted(set(range(min(number), max(number) + 1)) - number) if number else []
        drawn = task in system.sampled and len(absent) > _DRAWN * len(number)
        if absent and len(number) >= _BLOCK and not drawn:
            yield finding(
                "missing",
                "warning",
                system.benchmark.name,
                f"{system.name}: {len(absent):,} positions up to {max(number)} are not in the results: "
                f"{', '.join(map(str, absent[:10]))}{' …' * (len(absent) > 10)}",
                file=str(system.path),
                rows=[task],
                columns=["positions"],
                effect=f"{len(absent):,} questions",
            )


def _position(score: Score) -> int | None:
    last = score.unit.rpartition("/")[2]
    return int(last) if last.isdecimal() else None
