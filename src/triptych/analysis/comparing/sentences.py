"""The findings of a comparison of Runs, in sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from triptych.analysis.comparing.differences import LEVEL, PairDifference, Rank, is_significant
from triptych.analysis.comparing.shared import NOT_THE_SAME, Shared, share
from triptych.analysis.observed import Observed
from triptych.records import Estimate
from triptych.scoring.figures.cells import Kind

MAX_RUNS_IN_PROSE = 4  # Runs: above, a matrix has the pairs instead of a sentence each
MAX_PAIRS = 6  # pairs without a shared question that are named
OVERLAP = "Runs whose ranks overlap do not differ significantly."


def order_sentences(ranks: Sequence[Rank], pair_differences: Sequence[PairDifference]) -> Iterator[str]:
    """Return one sentence per figure: its Runs with their ranks, best first; of many Runs, the first one and how many
    pairs differ, since the table of ranks and the matrix have the rest."""
    for figure in dict.fromkeys(rank.figure for rank in ranks):
        texts = [f"{rank.run} {rank.value:.1f} (rank {rank.places})" for rank in ranks if rank.figure == figure]
        if len(texts) <= MAX_RUNS_IN_PROSE:
            yield f"{figure}, best first: {'; '.join(texts)}. {OVERLAP}"
            continue
        pairs = [one.estimate for one in pair_differences if one.estimate.label == figure]
        sure = sum(map(is_significant, pairs))
        yield f"{figure}: {sure:,} of {len(pairs):,} pairs of Runs differ significantly; first: {texts[0]}. {OVERLAP}"


def sentence(one: PairDifference) -> str:
    """The finding as a person would say it."""
    estimate = one.estimate
    first, second = estimate.runs
    if estimate.value is None:
        return f"{estimate.label}: {first} and {second} can't be compared: {estimate.reason}."
    lower = estimate.better == "lower"
    ahead, trailing = (first, second) if (estimate.value > 0) != lower else (second, first)
    unit = estimate.unit or "on the scale"
    (left, right), size = format_apart(*one.values)
    shared = f"{estimate.n:,} shared {'question' if estimate.n == 1 else 'questions'}"
    text = f"({', '.join(filter(None, [interval_words(estimate), p_words(estimate), shared]))})"
    if estimate.value == 0:
        head = f"{first} and {second} are equal {text}"
    elif not is_significant(estimate):
        head = (
            f"{first} and {second} do not differ significantly: "
            f"{ahead} is {size} {unit} ahead {text}{explain_interval(estimate)}"
        )
    else:
        head = f"{ahead} is {size} {unit} better than {trailing} {text}"
    lower_words = "; lower is better" if lower else ""
    if one.counts_disagree:
        lower_words += (
            "; the counts point the other way, since the figure weights its parts equally whatever their size"
        )
    return f"{estimate.label}: {head}; {one.counts}. Scores: {left} and {right}{lower_words}."


def format_apart(first: float, second: float) -> tuple[tuple[str, str], str]:
    """Return ((first, second), the size of their difference) as printed: with the fewest digits, 1 to 3, with which the
    printed scores differ by the printed difference; 1 digit if none do.

    Example:
        >>> format_apart(62.5, 55.0)
        (('62.5', '55.0'), '7.5')
        >>> format_apart(62.54, 55.36)
        (('62.54', '55.36'), '7.18')
    """
    for digits in (1, 2, 3):
        one, other = round(first, digits), round(second, digits)
        if abs(abs(one - other) - round(abs(first - second), digits)) < 10.0 ** -(digits + 3):
            return (f"{one + 0:.{digits}f}", f"{other + 0:.{digits}f}"), f"{abs(first - second):.{digits}f}"
    return (f"{first:.1f}", f"{second:.1f}"), f"{abs(first - second):.1f}"


def explain_interval(estimate: Estimate) -> str:
    """Explain an interval without 0 next to a p that is not small: it covers this pair alone, or is too narrow."""
    if estimate.interval is None or estimate.interval[0] <= 0 <= estimate.interval[1]:
        return ""
    if estimate.p_adjusted is not None and (estimate.p_value or 0.0) < LEVEL:
        return "; significant for this pair alone, but not after adjustment for the number of comparisons"
    return "; the interval excludes 0, but with so few questions that differ the p-value is more reliable"


def interval_words(estimate: Estimate) -> str:
    """`95% interval 1.0–5.4`, seen from the one that is ahead."""
    if estimate.interval is None:
        return estimate.reason
    low, high = estimate.interval
    low, high = (-high, -low) if (estimate.value or 0) < 0 else (low, high)
    dash = " to " if low < 0 or high < 0 else "–"
    return f"95% interval {round(low, 1) + 0:.1f}{dash}{round(high, 1) + 0:.1f}".replace("-", "−")  # + 0: never -0.0


def p_words(estimate: Estimate) -> str:
    """`p = 0.004`, `p < 0.001`; adjusted where several Runs were tested together."""
    p, name = (estimate.p_value, "p") if estimate.p_adjusted is None else (estimate.p_adjusted, "adjusted p")
    if p is None:
        return ""
    return f"{name} < 0.001" if p < 0.001 else f"{name} = {p:.3f}" if p < 0.1 else f"{name} = {p:.2f}"


def why_nothing(shared: Shared) -> str:
    """Nothing was asked of all, or nothing that was can be counted."""
    lost_number = sum(shared.exclusions.values())
    other = {why: n for why, n in shared.exclusions.items() if why.startswith(NOT_THE_SAME)}
    if not lost_number:
        return "The Runs share no question: they can't be compared."
    if sum(other.values()) == lost_number:
        text = "; ".join(f"{n:,}: {why.removeprefix(NOT_THE_SAME)}" for why, n in other.items())
        return (
            f"The Runs share no question, although {lost_number:,} have the same id ({text}): they can't be compared."
        )
    return (
        f"The Runs share {lost_number:,} questions, but none with a scored answer in every Run: they can't be compared."
    )


def sharing_nothing(
    runs: Sequence[Observed], pairs: Sequence[tuple[int, int]], compared: Collection[tuple[int, int]], kind: Kind
) -> Iterator[str]:
    """Yield, for three Runs or more, which Runs and pairs share no question, and why."""
    if len(runs) < 3:
        return
    alone = [number for number in range(len(runs)) if not any(number in pair for pair in compared)]
    for number in alone[:MAX_PAIRS] if compared else ():
        other = next(a if b == number else b for a, b in pairs if number in (a, b))
        reason = _nothing_shared_reason(runs, (number, other), kind)
        yield f"{runs[number].label} shares no question with any other Run ({reason})"
    rest = [pair for pair in pairs if not compared or not set(pair) & set(alone)]
    for first, second in rest[:MAX_PAIRS]:
        reason = _nothing_shared_reason(runs, (first, second), kind)
        yield f"{runs[first].label} and {runs[second].label} share no question ({reason})"
    if len(rest) > MAX_PAIRS:
        yield f"{len(rest) - MAX_PAIRS:,} more pairs share no question"


def _nothing_shared_reason(runs: Sequence[Observed], pair: tuple[int, int], kind: Kind) -> str:
    """Return why two Runs share nothing: no question of the same id, other content, or no answer that counts."""
    shared = share([runs[number] for number in pair], kind)
    if not shared.exclusions:
        return "none of their questions has the same id"
    return "; ".join(f"{n:,} with the same id: {why}" for why, n in shared.exclusions.items())
