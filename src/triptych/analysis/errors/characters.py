"""Errors of transcripts by character: do they come from uncommon characters (MCGA, section 4.3.1)?

Common are the 3,755 characters of level 1 in GB 2312, which were chosen by frequency; all other ideographs are
uncommon. A phonetic loan (tongjiazi) shows as a common character that is often replaced by one other: 说 by 悦.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from triptych.analysis.errors.signs import text_of
from triptych.analysis.observed import Observed
from triptych.errors import SpecError
from triptych.metrics.metric import metric_name
from triptych.metrics.statistics.intervals import wilson
from triptych.records import ANSWERED, Estimate, Listing, Response, Section

TRANSCRIPTS = frozenset({"cer", "cr"})  # main metrics of Tasks whose reply is the text of the medium
COMMON, UNCOMMON = "common", "uncommon"
_IDEOGRAPHS = re.compile(r"[^\u3400-\u9fff\U00020000-\U0003ffff]+")
_LEVEL_1 = range(0xB0, 0xD8)  # first byte of a character of level 1 in GB 2312
_EXPLANATION = (
    "Reference and reply are aligned character by character, ideographs only; a character of the reference that was "
    "replaced or left out is an error. Characters of level 1 of GB 2312 are common, all others uncommon. Missing "
    "replies are left out."
)


@dataclass
class Tally:
    """How often a Run's references have each character, how often it was wrong, and what it was replaced by."""

    seen: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    instead: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))


def is_common(character: str) -> bool:
    """Return whether a character is one of the 3,755 of level 1 in GB 2312.

    Example:
        >>> is_common("山"), is_common("鼯")
        (True, False)
    """
    try:
        return character.encode("gb2312")[0] in _LEVEL_1
    except UnicodeEncodeError:
        return False


def tally(pairs: Sequence[tuple[str, str]]) -> Tally:
    """Return the counts over pairs of reference and reply; what isn't an ideograph is ignored.

    Example:
        >>> found = tally([("不亦说乎", "不亦悦乎")])
        >>> found.wrong["说"], found.instead["说"]["悦"]
        (1, 1)
    """
    from rapidfuzz.distance import Levenshtein

    counted = Tally()
    for reference, reply in pairs:
        expected, got = _IDEOGRAPHS.sub("", reference), _IDEOGRAPHS.sub("", reply)
        counted.seen.update(expected)
        for edit in Levenshtein.editops(expected, got):
            if edit.tag != "insert":
                character = expected[edit.src_pos]
                counted.wrong[character] += 1
                counted.instead[character][got[edit.dest_pos] if edit.tag == "replace" else ""] += 1
    return counted


def errors_by_character(runs: Sequence[tuple[Observed, Sequence[Response]]]) -> Section:
    """Return each Run's error rates on common and uncommon characters, and the characters that are wrong most often.

    Raises SpecError if no Run has a transcript.
    """
    tallies = {run.label: tally(list(_pairs(run, responses))) for run, responses in runs}
    if not any(one.seen for one in tallies.values()):
        raise SpecError(
            "these Runs have no transcripts", expected="a Task scored by character errors, such as mcga/asr"
        )
    first = runs[0][0]
    estimates = [one for label, run_tally in tallies.items() for one in _classes(label, run_tally)]
    return Section(
        "error_kinds.character",
        "Errors by character",
        _EXPLANATION,
        tuple(_sentences(estimates)),
        tuple(estimates),
        listings=(_listing(tallies),),
        benchmark=first.benchmark.name,
        protocol=first.protocol.name,
    )


def _pairs(run: Observed, responses: Sequence[Response]) -> Iterator[tuple[str, str]]:
    tasks = {score.task for score in run.main_scores if metric_name(score.metric) in TRANSCRIPTS}
    answered = {(score.unit, score.repeat) for score in run.main_scores if score.status in ANSWERED}
    items = {item.id: item for item in run.all_items if item.task in tasks and isinstance(item.target, str)}
    for response in responses:
        item = items.get(response.item)
        if item is not None and (item.unit_id, response.repeat) in answered:
            yield str(item.target), text_of((response,))


def _classes(label: str, tally: Tally) -> Iterator[Estimate]:
    """Yield the error rate of common and of uncommon characters, with their part of all errors."""
    errors = tally.wrong.total()
    for name in (COMMON, UNCOMMON):
        members = [character for character in tally.seen if is_common(character) == (name == COMMON)]
        seen, wrong = sum(tally.seen[c] for c in members), sum(tally.wrong[c] for c in members)
        low, high = wilson(wrong, seen) if seen else (0.0, 1.0)
        yield Estimate(
            "character_errors",
            100 * wrong / seen if seen else None,
            "%",
            n=seen,
            counted="characters",
            interval=(100 * low, 100 * high) if seen else None,
            slice={"characters": name},
            runs=(label,),
            counts={"errors": wrong, "all_errors": errors},
            better="lower",
            reason="" if seen else f"no {name} character in the references",
        )


def _sentences(estimates: Sequence[Estimate]) -> Iterator[str]:
    for one in estimates:
        if one.value is not None:
            share = f"{one.counts['errors']:,} of {one.counts['all_errors']:,} errors"
            which = f"{one.n:,} {one.slice['characters']} characters"
            yield f"{one.runs[0]}: {one.value:.1f}% of {which} are wrong ({share})."


def _listing(tallies: Mapping[str, Tally]) -> Listing:
    seen, wrong, instead = Counter[str](), Counter[str](), defaultdict[str, Counter[str]](Counter)
    for tally in tallies.values():
        seen.update(tally.seen)
        wrong.update(tally.wrong)
        for character, others in tally.instead.items():
            instead[character].update(others)
    order = sorted(wrong, key=lambda c: (-wrong[c], -wrong[c] / seen[c], c))
    rows = tuple(
        (c, COMMON if is_common(c) else UNCOMMON, f"{wrong[c]:,} of {seen[c]:,}", _frequent_substitutes(instead[c]))
        for c in order
    )
    return Listing(
        "error_kinds.character",
        "Characters, those with the most errors first, all Runs together",
        ("character", "class", "wrong", "read as"),
        rows,
    )


def _frequent_substitutes(counts: Counter[str]) -> str:
    return ", ".join(f"{other or 'left out'} {count:,}" for other, count in counts.most_common(3))
