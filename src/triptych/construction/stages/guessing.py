"""Check that answers can't be guessed above chance: by constant answers, lengths, a model without the context."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import comb, exp, lgamma, log
from typing import Annotated

from msgspec import Meta

from triptych.construction.engine.context import Context, Values
from triptych.construction.parameters import Parameters
from triptych.construction.record import Outcome, Record, dropped, kept
from triptych.construction.stage import stage
from triptych.construction.text_checks.numerals import CHINESE_NUMBER, chinese_number
from triptych.construction.text_checks.options.choices import comparable_text

LEVEL = 0.95


@dataclass(frozen=True)
class Guess:
    """A guessing strategy: how many of `n` questions it answers correctly, and the most by chance (95% band)."""

    name: str
    right: int
    n: int
    chance: float
    chance_limit: int

    @property
    def exceeds_chance(self) -> bool:
        """Whether it exceeds the chance band."""
        return self.right > self.chance_limit


class Unguessable(Parameters, frozen=True):
    """Parameters of `unguessable`."""

    tries: Annotated[int, Meta(ge=1, description="rounds over all strategies of guessing")] = 20


@stage(
    "unguessable",
    version=5,
    reads=["options", "answers", "question?", "task?", "blind_right?"],
    writes=[],
    kind="whole",
    parameters=Unguessable,
)
def unguessable(records: Sequence[Values], context: Context[Unguessable]) -> list[Outcome]:
    """Leave out as few questions as needed until no guessing strategy exceeds the 95% band of chance.

    For each `task`: every constant position, every constant set of positions, the longest and the shortest options,
    and a model that was asked without the context (`blind_right`, if an earlier stage wrote it); in tasks of 12
    questions or more also the options that other questions have or lack, that end as others do, or that share words
    with the question, the first in alphabetical order, and the greatest number (and the reverse of each), which share
    the risk that chance brings one of them above the band. While a
    strategy is above the band, a question that it answers correctly is left out, drawn by the seed. `tries`: rounds
    over all strategies, since leaving out questions for one changes the figures of the others. Records with the same
    question and options, such as two recordings of it, count once and are kept or dropped together.
    """
    by_task: dict[str, dict[str, Values]] = defaultdict(dict)
    alike: dict[str, str] = {}
    for values in records:
        first = by_task[str(values["task"] or "")].setdefault(_content(values), values)
        alike[values.id] = first.id
    out: dict[str, str] = {}
    for task in sorted(by_task):
        left = sorted(by_task[task].values(), key=lambda values: context.random("unguessable", values.id).random())
        for _ in range(context.parameters.tries):
            before = len(left)
            for way in _guess_rules(left):
                left = _thin_out(left, way, out)
            if len(left) == before:
                break
    reasons = (out.get(alike[values.id]) for values in records)
    return [kept() if reason is None else dropped("guessable", reason) for reason in reasons]


def to_leave_out(records: Sequence[Values]) -> dict[str, str]:
    """The records of one task to leave out, with the reason, so that each way of guessing is within chance's 95% band.

    The ways are looked at one after the other; leaving out for one may bring another above the band, so ask again for
    those that are left.
    """
    left, out = list(records), dict[str, str]()
    for way in _guess_rules(left):
        left = _thin_out(left, way, out)
    return out


def beyond_band(records: Sequence[Values], name: str, right: Collection[str]) -> dict[str, str]:
    """The records to leave out, with the reason, so that a way of guessing is within chance's 95% band.

    `right`: the ids of those that it gets right.
    """
    out = dict[str, str]()
    _thin_out(list(records), (name, lambda values: values.id in right, _of_sets, 1), out)
    return out


def _content(values: Values) -> str:
    """Return the question with its options, which identifies records about the same question."""
    content_id = values.id if values["question"] is None else values["question"]
    return repr((content_id, values["options"], values["answers"]))


def guesses(records: Sequence[Values]) -> list[Guess]:
    """Return the result of every guessing strategy on these questions, to check the finished set."""
    guesses_ = []
    for name, is_right, chance, together in _guess_rules(records):
        p = [chance(values) for values in records]
        right = sum(map(is_right, records))
        mean = sum(p) / len(p) if p else 0.0
        guesses_.append(Guess(name, right, len(records), mean, upper(len(records), mean, together)))
    return guesses_


def guessable(records: Sequence[Record]) -> list[str]:
    """Describe how a finished set can be guessed, by task; empty if no strategy exceeds the 95% band of chance.

    Records without options don't count. Several records with the same question and options (a question read by a man
    and by a woman) count once.
    """
    by_task: dict[str, dict[str, Values]] = defaultdict(dict)
    for record in records:
        fields = record.fields
        if fields.get("options") and fields.get("answers"):
            values = Values(unguessable, record.id, fields)
            by_task[str(fields.get("task") or "")].setdefault(_content(values), values)
    return [
        f"{f'{task}: ' if task else ''}{g.name}: {g.right:,} of {g.n:,} correct; at most {g.chance_limit:,} by chance"
        for task, questions in by_task.items()
        for g in guesses(list(questions.values()))
        if g.exceeds_chance
    ]


@lru_cache(maxsize=4096)
def upper(n: int, p: float, together: int = 1) -> int:
    """Return the greatest number of correct answers within the chance band: the 97.5% quantile of Binomial(n, p).

    together    strategies that are looked at together: each has a part of the 2.5% (Bonferroni)
    """
    total = 0.0
    for k in range(n + 1):
        total += _binomial(k, n, p)
        if total >= 1 - (1 - LEVEL) / 2 / together:
            return k
    return n


def _binomial(k: int, n: int, p: float) -> float:
    if p in (0.0, 1.0):
        return float(k == n * p)
    return exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log(1 - p))


GuessRule = tuple[str, Callable[[Values], bool], Callable[[Values], float], int]


def _guess_rules(records: Sequence[Values]) -> Iterator[GuessRule]:
    """Yield each guessing strategy: its name, whether it answers a question correctly, its probability by chance, and
    how many strategies are looked at together, which share the risk of being above the band by chance."""
    sets = Counter(tuple(sorted(values["answers"])) for values in records)
    for places in sorted(sets):
        name = f"always {', '.join(str(p + 1) for p in places)}"
        yield name, lambda v, p=places: tuple(sorted(v["answers"])) == p, _of_sets, 1  # type: ignore[misc]
    yield "the longest options", lambda v: _extreme_is_correct(v, -1), _of_sets, 1
    yield "the shortest options", lambda v: _extreme_is_correct(v, 1), _of_sets, 1
    by_text = list(_by_text(records))
    for name, rank in by_text:
        yield name, partial(_ranks_correct_first, rank=rank), _of_sets, len(by_text)
    if any(values["blind_right"] is not None for values in records):
        yield "a model without the context", lambda v: bool(v["blind_right"]), _of_sets, 1


MIN_ASKED = 12  # questions of which texts of options are compared with each other
Rank = Callable[[Values, str], float]
_plain = lru_cache(maxsize=65_536)(comparable_text)


def _by_text(records: Sequence[Values]) -> Iterator[tuple[str, Rank]]:
    """Yield what can be known of options as texts: an order by which the correct ones may come first."""
    if len(records) < MIN_ASKED:
        return
    used = Counter(_plain(option) for values in records for option in {*map(str, values["options"])})
    ends = Counter(_plain(option)[-2:] for values in records for option in {*map(str, values["options"])})
    yield "the options that most other questions have", lambda values, option: -used[_plain(option)]
    yield "the options that fewest other questions have", lambda values, option: used[_plain(option)]
    yield "the options that end as most others do", lambda values, option: -ends[_plain(option)[-2:]]
    yield "the options that end as fewest others do", lambda values, option: ends[_plain(option)[-2:]]
    yield "the options with most words of the question", lambda values, option: -_in_question(values, option)
    yield "the options with fewest words of the question", lambda values, option: _in_question(values, option)
    yield "the first options in alphabetical order", lambda values, option: _alphabetical(values, option)
    yield "the last options in alphabetical order", lambda values, option: -_alphabetical(values, option)
    yield "the greatest numbers", lambda values, option: -_number(option)
    yield "the smallest numbers", lambda values, option: _number(option)


def _ranks_correct_first(values: Values, rank: Rank) -> bool:
    """Return whether the options that come first in an order are the correct ones, each before all wrong ones."""
    ranks = [rank(values, str(option)) for option in values["options"]]
    right = [ranks[index] for index in values["answers"]]
    wrong = [each for index, each in enumerate(ranks) if index not in values["answers"]]
    return bool(wrong) and max(right) < min(wrong)


def _in_question(values: Values, option: str) -> float:
    """Return the share of an option's pairs of characters that are in its question."""
    plain, question = _plain(option), _plain(values["question"] or "")
    pairs = {plain[n : n + 2] for n in range(max(1, len(plain) - 1))}
    return sum(pair in question for pair in pairs) / len(pairs)


def _alphabetical(values: Values, option: str) -> float:
    return float(sorted(map(str, values["options"])).index(option))


def _number(option: str) -> float:
    """Return the first number of an option; 0 for an option without one."""
    match = _DIGITS.search(unicodedata.normalize("NFKC", option))
    if match is None:
        written = CHINESE_NUMBER.search(option)
        return float(chinese_number(written[0])) if written else 0.0
    return float(match[0])


_DIGITS = re.compile(r"\d+(?:\.\d+)?")


def _of_sets(values: Values) -> float:
    """Return the probability of drawing the correct set among sets of the same size."""
    return 1 / comb(len(values["options"]), len(values["answers"]))


def _extreme_is_correct(values: Values, sign: int) -> bool:
    """Return whether the longest (shortest) options are exactly the correct ones; ties go to the first."""
    lengths = [sign * len(str(option).strip()) for option in values["options"]]
    chosen = sorted(range(len(lengths)), key=lambda function: lengths[function])[: len(values["answers"])]
    return set(chosen) == set(values["answers"])


def _thin_out(left: list[Values], way: GuessRule, out: dict[str, str]) -> list[Values]:
    """Return the questions without enough correctly guessed ones to bring the strategy into the band."""
    name, is_right, chance, together = way
    guessed = [values for values in left if is_right(values)]
    n, right, mean = len(left), len(guessed), sum(map(chance, left)) / len(left) if left else 0.0
    gone = 0
    while right - gone > upper(n - gone, round(mean, 6), together):
        gone += 1
    limit = upper(n, round(mean, 6), together)
    for values in guessed[:gone]:
        out[values.id] = f"{name} is correct in {right} of {n}; chance gives at most {limit}"
    ids = {values.id for values in guessed[:gone]}
    return [values for values in left if values.id not in ids]
