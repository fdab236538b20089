"""Whether the replies of a Task belong to the questions before or after those under which they are stored."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from triptych.audit.results.systems import System
from triptych.audit.tables.repeats import tail
from triptych.protocols.outcomes import ANY_TEXT
from triptych.protocols.protocol import Unit
from triptych.records import Finding, Item, finding

MAX_LAG = 3  # questions before and after that are tried
MAX_ODDS = 1e-6  # probability of naming any Task of a system whose replies are not shifted
_MIN_N = 20  # number of pairs from which a Task is tested
_MIN_LEAD = 0.2  # share of the questions by which the shifted agreement leads
_MAX_TEXTS = 500  # number of questions of a Task whose texts are compared
_MAX_LENGTH = 1000  # characters of a reply that are compared
_ALIKE = 0.9  # median agreement of replies with their own question from which its text is not tested
_MAX_PERIOD = 12  # longest period of repeating references that is looked for
_SAME = 0.85  # share of references equal to that one period later from which they repeat
_WAYS = 3  # reference letters, texts of the options, texts of the references

# Lag -> the agreement of each reply with the question at that lag; -1 if either is missing
Agreement = Callable[[int], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Shift:
    """The replies of a Task agree with the questions `lag` later (earlier if negative): `wins` of `n` agree better with
    those than with their own, `losses` worse. `odds`: the probability of this if they are not shifted, over all lags,
    ways and Tasks tried. `what`: what agrees."""

    task: str
    lag: int
    n: int
    wins: int
    losses: int
    odds: float
    what: str


def check_shifted(system: System) -> Iterator[Finding]:
    """Yield one finding on the Tasks whose replies are shifted by the same number of questions."""
    shifts = list(shifts_of(system))
    for lag in sorted({shift.lag for shift in shifts}):
        chosen = [shift for shift in shifts if shift.lag == lag]
        worst = min(chosen, key=lambda shift: shift.odds)
        where = f"{abs(lag)} {'later' if lag > 0 else 'earlier'}"
        tasks = f"; {len(chosen):,} Tasks are shifted alike" if len(chosen) > 1 else ""
        yield finding(
            "shifted",
            "severe",
            system.benchmark.name,
            f"{system.name}: {worst.what} agree with the question {where}, not with their own: of {worst.n:,} replies "
            f"in {worst.task.partition('/')[2] or worst.task}, {worst.wins:,} agree better with that one and "
            f"{worst.losses:,} with their own (probability without a shift under {_power_of_ten(worst.odds)}){tasks}",
            file=str(system.path),
            rows=[shift.task for shift in chosen],
            columns=["replies"],
            effect="the scores are those of replies to other questions",
            about=f"lag {lag}",
        )


def shifts_of(system: System) -> Iterator[Shift]:
    """Yield the shift of each Task whose replies are shifted, by the way that shows it best.

    An imported log is one Task with the harness's tasks and filters as facets: each of these is examined by itself.
    """
    tasks: dict[str, list[int]] = {}
    for index, unit in enumerate(system.units):
        if len(unit.items) == 1 and not unit.repeat:
            tasks.setdefault(_task_of(unit.items[0]), []).append(index)
    tests = 2 * MAX_LAG * _WAYS * len(tasks)
    for task, indices in tasks.items():
        if len(indices) <= _MIN_N:
            continue
        units = [system.units[index] for index in _in_order(system, indices)]
        ways = (_by_letter(system, units), _by_option(units), _by_reference(units))
        shifts = [shift for way in ways if way for shift in _shifts(task, *way, tests)]
        if shifts:
            yield min(shifts, key=lambda shift: shift.odds)


def _task_of(item: Item) -> str:
    parts = (item.facets.get("log_task", ""), item.facets.get("filter", ""))
    return "/".join((item.task.partition("/")[0], *filter(None, parts))) if parts[0] else item.task


def _in_order(system: System, indices: Sequence[int]) -> Sequence[int]:
    """Return the indices by the numbers at the end of the Units' names if these differ; otherwise as stored."""
    ends = [system.units[index].items[0].id.rpartition("/")[2].partition("@")[0] for index in indices]
    if all(end.isdecimal() for end in ends) and len({int(end) for end in ends}) == len(ends):
        return [index for _, index in sorted(zip(map(int, ends), indices, strict=True))]
    return indices


def _shifts(task: str, what: str, agreement: Agreement, tests: int) -> Iterator[Shift]:
    """Yield the lags at which the agreement has a peak: higher than at the lags before and after it, and than at 0.

    Replies that don't depend on the question agree equally often with every question. If the references are ordered
    (by length, by position of the correct option), agreement may rise from lag to lag, but then it has no peak.
    """
    for lag in range(-MAX_LAG, MAX_LAG + 1):
        if not lag:
            continue
        results: list[tuple[int, int, int]] = []
        for other in _compared_lags(lag):
            pairs, wins, losses = _comparison_counts(agreement, lag, other)
            if pairs <= _MIN_N or wins - losses < _MIN_LEAD * pairs:
                break
            results.append((pairs, wins, losses))
        else:
            odds = tests * _odds(results)
            if odds < MAX_ODDS:
                yield Shift(task, lag, *results[0], odds, what)


def odds_of(agreement: Agreement, lag: int) -> float:
    """Return the probability of such a peak at a lag, at most, if the replies are not shifted.

    Each comparison of two lags is a sign test: a reply to its own question agrees at least as often with that as with
    another one, and equally often with any two others.
    """
    return _odds([_comparison_counts(agreement, lag, other) for other in _compared_lags(lag)])


def _compared_lags(lag: int) -> Sequence[int]:
    """Return the lags with which one is compared: none, the one before and the one after."""
    return tuple(dict.fromkeys((0, lag - 1, lag + 1)))


def _odds(results: Sequence[tuple[int, int, int]]) -> float:
    return max(tail(wins, wins + losses, 0.5) for _, wins, losses in results)


def _comparison_counts(agreement: Agreement, lag: int, other: int) -> tuple[int, int, int]:
    """Return the number of replies compared, how many agree better with the question at `lag`, and how many with the
    one at `other`."""
    one, two = agreement(lag), agreement(other)
    both = (one >= 0) & (two >= 0)
    wins, losses = np.count_nonzero(both & (one > two)), np.count_nonzero(both & (one < two))
    return int(np.count_nonzero(both)), int(wins), int(losses)


# ---- what agrees


def _by_letter(system: System, units: Sequence[Unit]) -> tuple[str, Agreement] | None:
    keys = [unit.items[0].target if unit.items[0].answer == "letter" else None for unit in units]
    answers = [system.answers.get(unit.unit_id, ("", "", ""))[2] for unit in units]
    if sum(bool(answer and key) for answer, key in zip(answers, keys, strict=True)) <= _MIN_N:
        return None
    return None if _repeat(keys) else ("the letters chosen", matching(answers, keys))


def _repeat(references: Sequence[Hashable]) -> bool:
    """Return whether references repeat with a short period, such as yes, no, yes, no.

    Such references don't distinguish a shift from other faults: replies that are all wrong, or letters counted from the
    wrong one, agree with another question just as well.
    """
    codes = _coded(references, {})
    for period in range(1, min(_MAX_PERIOD, len(codes) - 1) + 1):
        one, two = codes[:-period], codes[period:]
        both = (one > 0) & (two > 0)
        pairs = np.count_nonzero(both)
        if pairs > period and np.count_nonzero(both & (one == two)) >= _SAME * pairs:
            return True
    return False


def _coded(values: Sequence[Hashable], codes: dict[Hashable, int]) -> NDArray[np.int64]:
    """Return a number for each value, equal for equal values, and 0 for a missing one; `codes` gets new values."""
    return np.array([codes.setdefault(value, len(codes) + 1) if value else 0 for value in values], dtype=np.int64)


def matching(answers: Sequence[str], keys: Sequence[Hashable]) -> Agreement:
    """Return 1 for an answer that is the target of a question, 0 for another one, and -1 if either is missing."""
    codes: dict[Hashable, int] = {}
    answer_codes, key_codes = _coded(answers, codes), _coded(keys, codes)

    def agreement(lag: int) -> NDArray[np.float64]:
        key = _values_at_lag(key_codes, lag, 0)
        return np.where((answer_codes > 0) & (key > 0), (answer_codes == key).astype(np.float64), -1.0)

    return agreement


def _values_at_lag(values: NDArray[Any], lag: int, missing: float) -> NDArray[Any]:
    """Return at each index the value at `lag` from there; `missing` outside the values."""
    moved = np.full_like(values, missing)
    if abs(lag) < len(values):
        moved[max(0, -lag) : len(values) - max(0, lag)] = values[max(0, lag) : len(values) + min(0, lag)]
    return moved


def _by_option(units: Sequence[Unit]) -> tuple[str, Agreement] | None:
    """Compare the words of a reply with those of each option; a letter alone has no words."""
    return _by_text(units, _option_pairs, "the words of the replies")


def _by_reference(units: Sequence[Unit]) -> tuple[str, Agreement] | None:
    """Compare the replies to open questions with their references."""
    way = _by_text(
        units, lambda item: [_pairs(text) for text in item.targets] if not item.options else [], "the replies"
    )
    return way if way and not _repeat([unit.items[0].targets for unit in units]) else None


def _by_text(
    units: Sequence[Unit], texts_of: Callable[[Item], Sequence[frozenset[str]]], what: str
) -> tuple[str, Agreement] | None:
    words = [_words_of(unit) for unit in units[:_MAX_TEXTS]]
    if sum(map(bool, words)) <= _MIN_N:
        return None
    texts = [texts_of(unit.items[0]) for unit in units[:_MAX_TEXTS]]
    replies = [_pairs(text) if texts[index] else frozenset() for index, text in enumerate(words)]

    def share(reply: int, question: int) -> float:
        if not (0 <= question < len(texts) and replies[reply] and texts[question]):
            return -1.0
        return max(len(replies[reply] & text) / max(1, len(text)) for text in texts[question])

    @cache
    def agreement(lag: int) -> NDArray[np.float64]:
        return np.array([share(index, index + lag) for index in range(len(texts))])

    values = np.sort(agreement(0)[agreement(0) >= 0])
    return (what, agreement) if len(values) > _MIN_N and values[len(values) // 2] < _ALIKE else None


def _words_of(unit: Unit) -> str:
    """Return the text of a reply, as far as it is compared; empty for a letter alone."""
    response = unit.responses[0]
    text = response.text if response is not None and response.status in ANY_TEXT else ""
    return text[-_MAX_LENGTH:] if len(text) > 1 and len(text.strip(" \n.()*")) > 1 else ""


def _option_pairs(item: Item) -> list[frozenset[str]]:
    if any(part.is_media for option in item.options for part in option):
        return []
    return [_pairs(text) for text in item.option_texts()]


def _pairs(text: str) -> frozenset[str]:
    """Return the pairs of neighbouring letters and digits of a text, with the ends of its words."""
    plain = " " + " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split()) + " "
    return frozenset(one + two for one, two in pairwise(plain)) if plain.strip() else frozenset()


def _power_of_ten(odds: float) -> str:
    """Return the smallest power of ten above a probability, as `10^-9`."""
    power = 0
    while power > -300 and odds < 10.0 ** (power - 1):
        power -= 1
    return f"10^{power}"
