"""Whether the replies of a Task belong to the questions before or after those under which they are stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

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

Agreement = Callable[[int, int], float]  # of the reply at one index with the question at another


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
    """Yield the shift of each Task whose replies are shifted, by the way that shows it best."""
    tasks: dict[str, list[int]] = {}
    for index, unit in enumerate(system.units):
        if len(unit.items) == 1 and not unit.repeat:
            tasks.setdefault(unit.items[0].task, []).append(index)
    tests = 2 * MAX_LAG * _WAYS * len(tasks)
    for task, indices in tasks.items():
        if len(indices) <= _MIN_N:
            continue
        units = [system.units[index] for index in _in_order(system, indices)]
        ways = (_by_letter(system, units), _by_option(units), _by_reference(units))
        shifts = [shift for way in ways if way for shift in _shifts(task, len(units), *way, tests)]
        if shifts:
            yield min(shifts, key=lambda shift: shift.odds)


def _in_order(system: System, indices: Sequence[int]) -> Sequence[int]:
    """Return the indices by the numbers at the end of the Units' names if these differ; otherwise as stored."""
    ends = [system.units[index].items[0].id.rpartition("/")[2] for index in indices]
    if all(end.isdecimal() for end in ends) and len({int(end) for end in ends}) == len(ends):
        return [index for _, index in sorted(zip(map(int, ends), indices, strict=True))]
    return indices


def _shifts(task: str, n: int, what: str, agreement: Agreement, tests: int) -> Iterator[Shift]:
    """Yield the lags at which the agreement has a peak: higher than at the lags before and after it, and than at 0.

    Replies that don't depend on the question agree equally often with every question. If the references are ordered
    (by length, by position of the correct option), agreement may rise from lag to lag, but then it has no peak.
    """
    for lag in range(-MAX_LAG, MAX_LAG + 1):
        if not lag:
            continue
        results = _around(n, agreement, lag)
        odds = tests * _odds(results)
        leads = all(pairs > _MIN_N and wins - losses >= _MIN_LEAD * pairs for pairs, wins, losses in results)
        if leads and odds < MAX_ODDS:
            yield Shift(task, lag, *results[0], odds, what)


def odds_of(n: int, agreement: Agreement, lag: int) -> float:
    """Return the probability of such a peak at a lag, at most, if the replies are not shifted.

    Each comparison of two lags is a sign test: a reply to its own question agrees at least as often with that as with
    another one, and equally often with any two others.
    """
    return _odds(_around(n, agreement, lag))


def _around(n: int, agreement: Agreement, lag: int) -> list[tuple[int, int, int]]:
    return [_compared(n, agreement, lag, other) for other in dict.fromkeys((0, lag - 1, lag + 1))]


def _odds(results: Sequence[tuple[int, int, int]]) -> float:
    return max(tail(wins, wins + losses, 0.5) for _, wins, losses in results)


def _compared(n: int, agreement: Agreement, lag: int, other: int) -> tuple[int, int, int]:
    """Return the number of replies compared, how many agree better with the question at `lag`, and how many with the
    one at `other`."""
    low, high = max(0, -lag, -other), min(n, n - lag, n - other)
    pairs = [(agreement(index, index + lag), agreement(index, index + other)) for index in range(low, high)]
    pairs = [(one, two) for one, two in pairs if min(one, two) >= 0]
    return len(pairs), sum(one > two for one, two in pairs), sum(one < two for one, two in pairs)


# ---- what agrees


def _by_letter(system: System, units: Sequence[Unit]) -> tuple[str, Agreement] | None:
    keys = [unit.items[0].target if unit.items[0].answer == "letter" else None for unit in units]
    answers = [system.answers.get(unit.unit_id, ("", "", ""))[2] for unit in units]
    if sum(bool(answer and key) for answer, key in zip(answers, keys, strict=True)) <= _MIN_N:
        return None
    return None if _repeat(keys) else ("the letters chosen", matching(answers, keys))


def _repeat(references: Sequence[object]) -> bool:
    """Return whether references repeat with a short period, such as yes, no, yes, no.

    Such references don't distinguish a shift from other faults: replies that are all wrong, or letters counted from the
    wrong one, agree with another question just as well.
    """
    for period in range(1, _MAX_PERIOD + 1):
        pairs = [(one, two) for one, two in zip(references, references[period:], strict=False) if one and two]
        if len(pairs) > period and sum(one == two for one, two in pairs) >= _SAME * len(pairs):
            return True
    return False


def matching(answers: Sequence[str], keys: Sequence[object]) -> Agreement:
    """Return 1 for an answer that is the target of a question, 0 for another one, and -1 if either is missing."""

    def agreement(reply: int, question: int) -> float:
        answer, key = answers[reply], keys[question]
        return float(answer == key) if answer and key else -1.0

    return agreement


def _by_option(units: Sequence[Unit]) -> tuple[str, Agreement] | None:
    """Compare the words of a reply with those of each option; a letter alone has no words."""
    options = [_option_pairs(unit.items[0]) for unit in units[:_MAX_TEXTS]]
    return _by_text(units, options, "the words of the replies")


def _by_reference(units: Sequence[Unit]) -> tuple[str, Agreement] | None:
    """Compare the replies to open questions with their references."""
    if _repeat([unit.items[0].targets for unit in units]):
        return None
    references = [
        [_pairs(text) for text in unit.items[0].targets] if not unit.items[0].options else []
        for unit in units[:_MAX_TEXTS]
    ]
    return _by_text(units, references, "the replies")


def _by_text(
    units: Sequence[Unit], texts: Sequence[Sequence[frozenset[str]]], what: str
) -> tuple[str, Agreement] | None:
    replies = [
        _pairs(_words_of(unit)) if texts[index] else frozenset() for index, unit in enumerate(units[: len(texts)])
    ]
    by_pair: dict[tuple[int, int], float] = {}

    def agreement(reply: int, question: int) -> float:
        if max(reply, question) >= len(texts) or not replies[reply] or not texts[question]:
            return -1.0
        if (reply, question) not in by_pair:
            by_pair[reply, question] = max(len(replies[reply] & text) / max(1, len(text)) for text in texts[question])
        return by_pair[reply, question]

    values = sorted(value for index in range(len(texts)) if (value := agreement(index, index)) >= 0)
    return (what, agreement) if len(values) > _MIN_N and values[len(values) // 2] < _ALIKE else None


def _words_of(unit: Unit) -> str:
    """Return the text of a reply, as far as it is compared; empty for a letter alone."""
    response = unit.responses[0]
    text = response.text if response is not None and response.status in ANY_TEXT else ""
    return text[-_MAX_LENGTH:] if len(text.strip(" \n.()*")) > 1 else ""


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
