"""The result of a comparison in one sentence: which Runs are better, and how many Instances would decide the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from math import ceil, floor, log10
from statistics import NormalDist

from triptych.analysis.comparing.differences import LEVEL
from triptych.records import Estimate, FigureKey, Section, figure_key

MAX_NAMED = 3  # Runs or figures named in a sentence
_VISIBLE = 0.05  # a difference between two scores that can be seen with one digit
TOO_MANY = 100_000  # Instances: more than anyone would ask


@dataclass(frozen=True)
class Pair:
    """Two Runs on one figure: their difference, the smallest one that would be found, and the Instances behind it.

    `tests`: the number of pairs on this figure, for which Holm's correction asks for smaller p-values.
    """

    difference: Estimate
    detectable: float | None = None
    instances: int = 0
    tests: int = 1

    @property
    def p(self) -> float | None:
        """The p-value that decides: the adjusted one if several Runs were tested together."""
        difference = self.difference
        return difference.p_adjusted if difference.p_adjusted is not None else difference.p_value

    @property
    def decided(self) -> bool:
        """True if the difference is significant."""
        return self.p is not None and self.p < LEVEL and bool(self.difference.value)

    @property
    def better_first(self) -> tuple[str, str]:
        """(the better Run, the other)."""
        first, second = self.difference.runs
        lower = self.difference.better == "lower"
        return (first, second) if ((self.difference.value or 0.0) > 0) != lower else (second, first)

    @property
    def instances_needed(self) -> int | None:
        """The Instances, in addition to these, with which a difference of this size is found with 80% power: the
        standard error falls with the square root of their number. None if it is not known, or more than anyone asks."""
        value = abs(self.difference.value or 0.0)
        if not value or not self.detectable or not self.instances:
            return None
        stricter = (_quantile(LEVEL / self.tests) + _POWER) / (_quantile(LEVEL) + _POWER)
        missing = self.instances * ((stricter * self.detectable / value) ** 2 - 1)
        return _rounded(missing) if 0 < missing <= TOO_MANY else None


def pairs_of(section: Section) -> dict[FigureKey, list[Pair]]:
    """Return figure -> its pairs of Runs, for the headline figures of a comparison's Section."""
    more: dict[tuple[FigureKey, tuple[str, ...]], dict[str, Estimate]] = {}
    for one in section.estimates:
        more.setdefault((figure_key(one), one.runs), {})[one.measure] = one
    pairs_by_figure: dict[FigureKey, list[Pair]] = {}
    for (key, _), measures in more.items():
        if "paired_t" not in measures or "difference" not in measures or measures["difference"].value is None:
            continue  # the tests over Instances are made for headline figures only
        smallest = measures["detectable"].value if "detectable" in measures else None
        pairs_by_figure.setdefault(key, []).append(Pair(measures["difference"], smallest, measures["paired_t"].n))
    return {key: [replace(pair, tests=len(pairs)) for pair in pairs] for key, pairs in pairs_by_figure.items()}


def pairs_among(pairs: Sequence[Pair], runs: AbstractSet[str]) -> list[Pair]:
    """Return the pairs of which both are among these Runs."""
    return [pair for pair in pairs if runs >= set(pair.difference.runs)]


def verdict(
    section: Section,
    names: Mapping[FigureKey, str] | None = None,
    ranked: Mapping[FigureKey, AbstractSet[str]] | None = None,
    shown: Mapping[FigureKey, Mapping[str, float]] | None = None,
) -> str:
    """Return what is known about the headline figures, in one or two sentences; empty if nothing was compared.

    `names`: figure -> what to call it; figures without a name keep the comparison's own. `ranked`: figure -> the Runs
    that are over all questions: of more than two Runs, the others are left out. `shown`: the scores that are printed
    next to the sentence; the sentence says so if the difference is over other questions. A difference counts as decided
    at the 5% level, after Holm's correction if more than two Runs were compared.
    """
    pairs = {key: pair for key, pair in pairs_of(section).items() if names is None or key in names}
    if ranked is not None:
        pairs = {
            key: chosen
            for key, key_pairs in pairs.items()
            if (chosen := key_pairs if len(key_pairs) == 1 else pairs_among(key_pairs, ranked.get(key, frozenset())))
        }
    called = {key: (names or {}).get(key, key_pairs[0].difference.label) for key, key_pairs in pairs.items()}
    if not pairs:
        return ""
    two = all(len(pair_group) == 1 for pair_group in pairs.values())
    sentence = _of_two(pairs, called) if two else _of_many(pairs, called)
    return " ".join(filter(None, [sentence, _other_questions(pairs, called, shown or {})]))


def _other_questions(
    pairs: Mapping[FigureKey, Sequence[Pair]],
    called: Mapping[FigureKey, str],
    shown: Mapping[FigureKey, Mapping[str, float]],
) -> str:
    """Say that differences are over other questions than the scores next to them, with the scores over those."""
    apart = [
        (key, pair) for key, key_pairs in pairs.items() for pair in key_pairs if _differs(pair, shown.get(key, {}))
    ]
    if not apart:
        return ""
    if len(apart) > 1 or any(len(pair_group) > 1 for pair_group in pairs.values()):
        return ""  # of many pairs the caption says it once
    ((key, pair),) = apart
    first, second = pair.better_first
    values = dict(zip(pair.difference.runs, pair.difference.values, strict=True))
    return (
        f"The difference is over the {pair.difference.n:,} questions that both Runs share, where {first} has "
        f"{values[first]:.1f} and {second} {values[second]:.1f} on {called[key]}; each score of the table is over all "
        "questions of its Run."
    )


def _differs(pair: Pair, shown: Mapping[str, float]) -> bool:
    sides = zip(pair.difference.runs, pair.difference.values, strict=False)
    return any(run in shown and abs(shown[run] - value) >= _VISIBLE for run, value in sides)


def _of_two(pairs: Mapping[FigureKey, Sequence[Pair]], called: Mapping[FigureKey, str]) -> str:
    decided = {key: key_pairs[0] for key, key_pairs in pairs.items() if key_pairs[0].decided}
    open_ = {key: key_pairs[0] for key, key_pairs in pairs.items() if not key_pairs[0].decided}
    sentences = [_state_winner(pair, called[key]) for key, pair in list(decided.items())[:MAX_NAMED]]
    if more := len(decided) - MAX_NAMED:
        sentences += [f"{more} further figures are decided"] if more > 0 else []
    if len(open_) == 1 and not decided:
        ((key, pair),) = open_.items()
        first, second = pair.better_first
        state = f"{first} is {_size(pair)} ahead of {second} on {called[key]} ({_evidence(pair)}): undecided"
        return f"{state}{_needed_instances_note(open_.values(), 'it')}."
    rest = "everything else is undecided" if decided else f"None of the {len(open_)} figures is decided"
    sentences += [f"{rest}{_needed_instances_note(open_.values(), 'the closest to a decision')}"] if open_ else []
    return "; ".join(sentences) + "."


def _of_many(pairs: Mapping[FigureKey, Sequence[Pair]], called: Mapping[FigureKey, str]) -> str:
    texts = [f"{called[key]}: {_top(figure_pairs)}" for key, figure_pairs in pairs.items()]
    every = [pair for pair_group in pairs.values() for pair in pair_group]
    decided = sum(pair.decided for pair in every)
    if len(pairs) > MAX_NAMED:
        alone = [called[key] for key, figure_pairs in pairs.items() if _winner(figure_pairs)]
        texts = [
            f"{best} is better than every other Run on {called[key]}"
            for key, figure_pairs in pairs.items()
            if (best := _winner(figure_pairs))
        ][:MAX_NAMED]
        texts += [f"on {len(pairs) - len(alone)} of {len(pairs)} figures no Run is ahead of all others"]
    numbers = f"{decided:,} of {len(every):,} pairs of Runs are decided"
    return "; ".join([*texts, f"{numbers}{_doubling_note([pair for pair in every if not pair.decided])}"]) + "."


def _leaders(pairs: Sequence[Pair]) -> list[str]:
    """Return the Runs that no other Run is significantly better than, the one that is ahead of most others first."""
    ahead = Counter(dict.fromkeys((run for pair in pairs for run in pair.difference.runs), 0))
    ahead.update(pair.better_first[0] for pair in pairs if pair.difference.value)
    beaten = {pair.better_first[1] for pair in pairs if pair.decided}
    return [run for run, _ in ahead.most_common() if run not in beaten]


def _winner(pairs: Sequence[Pair]) -> str:
    """Return the Run that is significantly better than each other; empty if there is none."""
    runs = {run for pair in pairs for run in pair.difference.runs}
    beats = Counter(pair.better_first[0] for pair in pairs if pair.decided)
    return next((run for run, count in beats.items() if count == len(runs) - 1), "")


def _top(pairs: Sequence[Pair]) -> str:
    leaders = _leaders(pairs)
    if best := _winner(pairs):
        closest = min((p for p in pairs if best in p.difference.runs), key=lambda p: abs(p.difference.value or 0.0))
        return f"{best} is better than every other Run, by {_size(closest)} or more"
    if len(leaders) > MAX_NAMED:
        runs = {run for pair in pairs for run in pair.difference.runs}
        return f"no Run is better than all others; {len(leaders)} of {len(runs)} share the first rank"
    if len(leaders) < 2:  # the others are each worse than some Run, but not all than this one
        return "no Run is better than all others" + (
            f"; none is significantly better than {leaders[0]}" if leaders else ""
        )
    return f"no Run is better than all others; {', '.join(leaders)} share the first rank"


def _state_winner(pair: Pair, figure: str) -> str:
    first, second = pair.better_first
    return f"{first} is better than {second} by {_size(pair)} on {figure} ({_evidence(pair)})"


def _size(pair: Pair) -> str:
    return f"{abs(pair.difference.value or 0.0):.1f}" + (" points" if pair.difference.unit == "points" else "")


def _evidence(pair: Pair) -> str:
    words = []
    if bounds := pair.difference.interval:
        low, high = sorted(bounds if (pair.difference.value or 0.0) > 0 else (-bounds[1], -bounds[0]))
        words.append(f"{low + 0:.1f} to {high + 0:.1f}".replace("-", "−"))
    if pair.p is not None:
        words.append("p < 0.001" if pair.p < 0.001 else f"p {pair.p:.3f}" if pair.p < 0.1 else f"p {pair.p:.2f}")
    return ", ".join([*words, f"n {pair.difference.n:,}"])


def _needed_instances_note(pairs: Iterable[Pair], what: str) -> str:
    """Return `; a further 900 Instances would decide it`; empty if no number is known."""
    needed = [pair.instances_needed for pair in pairs if pair.instances_needed is not None]
    return f"; about {min(needed):,} further Instances would decide {what}" if needed else ""


def _doubling_note(pairs: Sequence[Pair]) -> str:
    """Return how many of these pairs twice as many Instances would decide, if their differences stay as they are."""
    if not any(pair.instances_needed is not None for pair in pairs):
        return ""
    more = sum(pair.instances_needed is not None and pair.instances_needed <= pair.instances for pair in pairs)
    return (
        f"; twice as many Instances would decide about {more:,} more"
        if more
        else ("; twice as many Instances would decide no further pair")
    )


def _quantile(level: float) -> float:
    """Return the two-sided quantile of the normal distribution."""
    return NormalDist().inv_cdf(1 - level / 2)


_POWER = NormalDist().inv_cdf(0.8)


def _rounded(number: float) -> int:
    """Return a number rounded up to two significant digits: an estimate has no more."""
    step = 10 ** max(0, floor(log10(number)) - 1)
    return int(ceil(number / step) * step)
