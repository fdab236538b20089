"""Detection of replies truncated by a token limit, from the texts alone, since results rarely record the finish
reason."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from triptych.audit.results.replies import reply_kind
from triptych.audit.results.systems import System
from triptych.protocols.protocol import Unit
from triptych.records import Finding, Response, finding

_LONG = 100  # characters under which a reply is short: a letter, a word, a line without a full stop
_MIN_OPEN_REPLIES = 10  # replies that end open, under which their lengths say nothing
_SPREAD = 0.4  # from the 10th to the 90th percentile of their lengths, as a share of the median
_AMONG = 0.4  # of the replies at least as long as these, the share that ends open
_FORM = 0.3  # the share of one word in one of the last places, or of letters, from which answers end in a set form
_COMPLETE_RATIO = (0.8, 1.25)  # the length of a reply by that of its reference text, if nothing is missing
_CLOSED = tuple(".!?…。！？\"'”’»)]}）】」』`*|:：;；")
_SENTENCE = re.compile(r"[.!?…](?=\s)|[。！？]")


@dataclass(frozen=True, slots=True)
class Truncation:
    """Replies truncated at one length: number of open ends, number of replies, 10th and 90th percentile of the lengths.
    `unit`: characters, or tokens where all end at exactly one number of these."""

    open: int
    replies: int
    low: int
    high: int
    unit: str = "characters"


def find_cut(texts: Sequence[str], tokens: Sequence[int | None] = ()) -> Truncation | None:
    """Return replies that end within a sentence, all at about one length, with hardly any other reply as long; else
    None.

    A reply has an open end if it has 100 characters or more, a sentence that ends within it, and no closing punctuation
    after its last word. At least 10 replies must have one, with similar lengths (the 10th and 90th percentile differ by
    at most 0.4 of the median, which a limit in tokens gives in one language) and different last words; and of all
    replies at least as long, 0.4 must have one. Lengths of complete replies vary more; short answers are not
    considered.

    `tokens`: number of output tokens of each reply, if reported. Then 10 open ends at exactly the largest number are
    enough.
    """
    open_ = [index for index, text in enumerate(texts) if _ends_open(text)]
    if len(open_) < _MIN_OPEN_REPLIES or not _has_varied_endings([texts[index] for index in open_]):
        return None
    all_lengths = [tokens[position] for position in open_ if tokens and tokens[position]]
    if all_lengths and (longest := max(t for t in tokens if t)) and all_lengths.count(longest) >= _MIN_OPEN_REPLIES:
        return Truncation(all_lengths.count(longest), len(texts), longest, longest, "tokens")
    lengths = sorted(len(texts[mark_position].strip()) for mark_position in open_)
    low, high = (lengths[round(share * (len(lengths) - 1))] for share in (0.1, 0.9))
    as_long = sum(len(text.strip()) >= low for text in texts)
    among = sum(length >= low for length in lengths)
    if high - low > _SPREAD * median(lengths) or among < _AMONG * as_long:
        return None
    return Truncation(len(open_), len(texts), low, high)


def _ends_open(text: str) -> bool:
    text = text.strip()
    return len(text) >= _LONG and not text.endswith(_CLOSED) and bool(_SENTENCE.search(text))


def _has_varied_endings(texts: Sequence[str]) -> bool:
    """Return whether no word is too frequent at any of the last three positions. Truncated text ends anywhere; answers
    end in a fixed form. (Text without spaces is split into characters.)"""
    ends = [words[-3:] if len(words := text.split()) > 5 else list(text.strip()[-3:]) for text in texts]
    commonest = (
        max(Counter(end[-position] for end in ends if len(end) >= position).values()) for position in (1, 2, 3)
    )
    letters = sum(len(end[-1]) == 1 and end[-1].isascii() for end in ends)
    return max(commonest) < _FORM * len(texts) and letters < _FORM * len(texts)


def check_cut(system: System) -> Iterator[Finding]:
    """Yield one finding per Task whose replies end at a limit, or one for the whole system if no single Task shows
    it."""
    if len(_long_responses(system.units)) < _MIN_OPEN_REPLIES:
        return
    groups: dict[str, list[Unit]] = defaultdict(list)
    for unit in system.units:
        groups[unit.items[0].task].append(unit)
    cuts = {task: cut for task, units in groups.items() if (cut := _truncation_in(units))}
    if not cuts and len(groups) > 1 and (cut := _truncation_in(system.units)):
        cuts = {"": cut}
    yield from _findings(system, cuts)


def _truncation_in(units: Sequence[Unit]) -> Truncation | None:
    if len(_long_responses(units)) < _MIN_OPEN_REPLIES or _are_whole(units):
        return None
    matching_units = [r for unit in units for r in unit.responses if r is not None and _is_answer(r)]
    return find_cut(
        [r.text for r in matching_units], [r.usage.output_tokens if r.usage else None for r in matching_units]
    )


def _long_responses(units: Sequence[Unit]) -> list[Response]:
    return [r for unit in units for r in unit.responses if r is not None and len(r.text) >= _LONG]


def _is_answer(response: Response) -> bool:
    return response.status == "answered" and reply_kind(response) == "answer"


def _are_whole(units: Sequence[Unit]) -> bool:
    """Return whether the replies are as long as their reference texts. Clips end within sentences, and so do
    transcripts."""
    shares = [
        sum(len(r.text) for r in unit.responses if r is not None) / len(unit.item.target)
        for unit in units
        if isinstance(unit.item.target, str) and len(unit.item.target) >= _LONG
    ]
    return bool(shares) and _COMPLETE_RATIO[0] <= median(shares) <= _COMPLETE_RATIO[1]


def _findings(system: System, cuts: Mapping[str, Truncation]) -> Iterator[Finding]:
    for task, cut in cuts.items():
        at = f"{cut.low:,}" if cut.low == cut.high else f"{cut.low:,} to {cut.high:,}"
        share = cut.open / cut.replies
        yield finding(
            "cut",
            "severe" if share >= 0.5 else "warning",
            system.benchmark.name,
            f"{system.name}: {cut.open:,} of {cut.replies:,} replies end within a sentence, at {at} {cut.unit}, and "
            f"hardly any other reply is as long: a token limit probably truncated them",
            file=str(system.path),
            rows=[task or system.name],
            columns=["length"],
            effect=f"{100 * share:.0f}% of the replies are not whole",
        )
