"""What a score is made of: failures counted as answers, questions left out, the same reply to everything."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from triptych.audit.replies import reply_kind
from triptych.audit.stored import Tally, tallies
from triptych.audit.systems import System
from triptych.records import ANSWERED, Finding, FindingSeverity, Score, finding

_FEW = 100  # questions under which a figure says little
_BLOCK = 20  # unanswered questions in a row that are told as a block
_CONSTANT = 0.8  # the share of one reply from which a system answers always the same
_PLACES = 5  # blocks named
_WORDS = {
    "transcript": "chat transcripts",
    "error": "error texts",
    "refusal": "refusals",
    "empty": "empty replies",
    "other": "texts that name no option",
}


def check_answers(system: System) -> Iterator[Finding]:
    """One finding a Task and fault, with what the score would be otherwise."""
    official = tallies(system.official)
    by_task: dict[str, list[int]] = defaultdict(list)
    for place, score in enumerate(system.official):
        by_task[score.task].append(place)
    for task, places in by_task.items():
        scores = [system.official[p] for p in places]
        yield from _failures(system, task, places, official[task])
        yield from _coverage(system, task, scores, official[task])
        yield from _blocks(system, task, scores)
        yield from _constant(system, task, places)
        yield from _holes(system, task, places)


def _otherwise(system: System, place: int) -> Score:
    """A Score under `standard` where there is one (a reply's own words are looked for), else the same again."""
    standard = system.benchmark.protocols.get("standard")
    return standard.score(system.units[place])[0] if standard else system.official[place]


def _failures(system: System, task: str, places: Sequence[int], tally: Tally) -> Iterator[Finding]:
    """Replies that are no answers and count as wrong ones; what the score is with their own words, and without them."""
    kinds: dict[str, list[int]] = defaultdict(list)
    for place in places:
        score, unit = system.official[place], system.units[place]
        if score.status not in ANSWERED or score.extraction is not None:
            continue
        kind: str = reply_kind(unit.response)
        is_choice = unit.item.answer in ("letter", "option")
        kinds["other" if kind in ("answer", "none") and is_choice else kind].append(place)
    for kind, hits in kinds.items():
        if kind not in _WORDS or (kind == "other" and len(hits) < 2):
            continue
        rest = tally.answered - len(hits)
        without = 100 * tally.right / rest if rest else 0.0
        read = [score for place in hits if (score := _otherwise(system, place)).status == "scored"]
        gained = tally.right + sum(score.numerator for score in read)
        share = len(hits) / max(tally.answered, 1)
        severity: FindingSeverity = "severe" if share >= 0.1 else "warning" if share >= 0.01 else "note"
        also = 100 * gained / max(tally.answered, 1)
        told = f"; {len(read):,} of them name an option all the same, which gives {also:.2f}" if read else ""
        yield finding(
            "failure",
            severity,
            system.benchmark.name,
            f"{system.name}: {len(hits):,} of {tally.answered:,} replies counted as answers are {_WORDS[kind]}{told}",
            file=str(system.path),
            rows=[task],
            columns=[kind],
            published=round(tally.score, 2),
            recomputed=round(also if read else without, 2),
            effect=f"{tally.score:.2f} as counted, {without:.2f} without them",
        )


def _coverage(system: System, task: str, scores: Sequence[Score], tally: Tally) -> Iterator[Finding]:
    """Figures that rest on under half of the questions that were released or asked, or on under 100."""
    spec = next((t for t in system.benchmark.spec.tasks if system.benchmark.spec.full_id(t) == task), None)
    released = spec.count if spec and spec.count and system.manifest is None else tally.n
    whole = max(released, tally.n)
    share = tally.answered / whole if whole else 0.0
    lost = Counter(score.status for score in scores if score.status not in ANSWERED)
    if share >= 0.9 and (tally.answered >= _FEW or tally.answered == released):
        return
    severity: FindingSeverity = "severe" if share < 0.5 or (share < 1 and tally.answered < _FEW) else "warning"
    why = ", ".join(f"{n:,} {status}" for status, n in lost.items())
    absent = f"{whole - tally.n:,} not in the results" if whole > tally.n else ""
    yield finding(
        "coverage",
        severity,
        system.benchmark.name,
        f"{system.name}: {tally.score:.2f} rests on {tally.answered:,} of {whole:,} questions "
        f"({', '.join(part for part in (why, absent) if part)})",
        file=str(system.path),
        rows=[task],
        columns=["answered"],
        published=round(tally.score, 2),
        recomputed=round(100 * tally.right / whole, 2) if whole else None,
        effect=f"{100 * share:.1f}% of the questions; {100 * tally.right / whole:.2f} if the others count as wrong",
    )


def _number(score: Score) -> tuple[int, str]:
    last = score.unit.rpartition("/")[2]
    return (int(last) if last.isdecimal() else 0, score.unit)


def _blocks(system: System, task: str, scores: Sequence[Score]) -> Iterator[Finding]:
    """Questions in a row without an answer: a time without a connection, not hard questions."""
    ordered = sorted(scores, key=_number)
    blocks: list[list[str]] = [[]]
    for score in ordered:
        if score.status not in ANSWERED:
            blocks[-1].append(score.unit)
        elif blocks[-1]:
            blocks.append([])
    long = [block for block in blocks if len(block) >= _BLOCK]
    if long and sum(map(len, long)) < len(ordered):
        told = "; ".join(f"{block[0]} and {len(block) - 1} after it" for block in long[:_PLACES])
        yield finding(
            "failure",
            "warning",
            system.benchmark.name,
            f"{system.name}: unanswered questions stand in blocks: {told}",
            file=str(system.path),
            rows=[task],
            columns=["blocks"],
            effect=f"{sum(map(len, long)):,} questions left out, not by what they ask",
        )


def _constant(system: System, task: str, places: Sequence[int]) -> Iterator[Finding]:
    said = Counter(
        str(score.extraction) if score.extraction is not None else system.units[place].responses[0].text.strip()  # type: ignore[union-attr]
        for place in places
        if (score := system.official[place]).status in ANSWERED and system.units[place].response is not None
    )
    if said.total() < 30 or len({system.units[p].item.target for p in places}) < 2:
        return
    reply, hits = said.most_common(1)[0]
    if hits >= _CONSTANT * said.total():
        yield finding(
            "constant",
            "severe",
            system.benchmark.name,
            f"{system.name}: {hits:,} of {said.total():,} replies are {reply[:60]!r}",
            file=str(system.path),
            rows=[task],
            columns=["reply"],
            recomputed=round(100 * hits / said.total(), 2),
            effect="the score is that of a constant answer",
        )


def _holes(system: System, task: str, places: Sequence[int]) -> Iterator[Finding]:
    """Positions between the first and the last that the results lack."""
    numbers = [n for place in places if (n := _position(system.official[place])) is not None]
    if len(numbers) != len(places) or not numbers:
        return
    absent = sorted(set(range(max(numbers) + 1)) - set(numbers))
    if absent:
        yield finding(
            "missing",
            "warning",
            system.benchmark.name,
            f"{system.name}: {len(absent):,} positions up to {max(numbers)} are not in the results: "
            f"{', '.join(map(str, absent[:10]))}{' …' * (len(absent) > 10)}",
            file=str(system.path),
            rows=[task],
            columns=["positions"],
            effect=f"{len(absent):,} questions",
        )


def _position(score: Score) -> int | None:
    last = score.unit.rpartition("/")[2]
    return int(last) if last.isdecimal() else None
