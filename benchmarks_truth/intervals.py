"""Simulated coverage of 95% intervals: how often they contain the true value, by number of Instances.

    python -m benchmarks_truth.intervals [--trials 2000]

Instances have six answers each, right or wrong. With probability `shared` an Instance's six answers have one difficulty
in common (they are right or wrong together if their accuracies are equal), otherwise they are independent. `before` are
plain percentiles of the replicates.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from triptych.metrics.statistics.intervals import bootstrap_sums, percentile_interval
from triptych.metrics.statistics.limits import deviation_interval, figure_interval

Array = NDArray[np.float64]
REPLICATES = 1000
EQUAL, SMALL, LARGE = (0.6,) * 6, (0.55, 0.57, 0.6, 0.6, 0.63, 0.65), (0.3, 0.4, 0.5, 0.6, 0.8, 0.9)


@dataclass(frozen=True)
class Case:
    """A true situation: the accuracies of the forms of an Instance, and how often these share its difficulty."""

    name: str
    accuracies: tuple[float, ...]
    shared: float


def answers(case: Case, instances: int, rng: np.random.Generator) -> Array:
    """Return right (1) and wrong (0) answers, shape (Instances, forms)."""
    together = rng.random((instances, 1)) < case.shared
    own, common = rng.random((instances, len(case.accuracies))), rng.random((instances, 1))
    return (np.where(together, common, own) < np.array(case.accuracies)).astype(np.float64)


def mean(case: Case, right: Array, rng: np.random.Generator) -> tuple[bool, bool]:
    """Return whether the interval of the share of right answers contains the true one: after, before."""
    sums = np.stack([right.sum(axis=1), np.full(len(right), float(right.shape[1]))], axis=1)
    drawn = bootstrap_sums(sums, REPLICATES, rng)
    shares = 100 * drawn[:, 0] / drawn[:, 1]
    found = figure_interval(shares, 100 * float(right.mean()), (0.0, 100.0), df=len(right) - 1)
    return _within(found, percentile_interval(shares), 100 * float(np.mean(case.accuracies)))


def deviation(case: Case, right: Array, rng: np.random.Generator) -> tuple[bool, bool]:
    """Return whether the interval of the standard deviation over the forms contains the true one: after, before."""
    drawn = 100 * bootstrap_sums(right, REPLICATES, rng) / len(right)
    found = deviation_interval(100 * right.mean(axis=0), drawn, df=len(right) - 1)
    truth = 100 * float(np.std(case.accuracies, ddof=1))
    return _within(found, percentile_interval(drawn.std(axis=1, ddof=1)), truth)


def difference(case: Case, right: Array, rng: np.random.Generator) -> tuple[bool, bool]:
    """Return whether the interval of the difference of the first two forms contains the true one: after, before."""
    drawn = 100 * bootstrap_sums(right[:, :1] - right[:, 1:2], REPLICATES, rng)[:, 0] / len(right)
    truth = 100 * (case.accuracies[0] - case.accuracies[1])
    after = percentile_interval(drawn, df=len(right) - 1)
    return _within(after, percentile_interval(drawn), truth)


def _within(after: tuple[float, float] | None, before: tuple[float, float] | None, truth: float) -> tuple[bool, bool]:
    one, other = (found is not None and found[0] - 1e-9 <= truth <= found[1] + 1e-9 for found in (after, before))
    return one, other


FIGURES: dict[str, tuple[Callable[[Case, Array, np.random.Generator], tuple[bool, bool]], Sequence[Case]]] = {
    "share of right answers": (
        mean,
        [Case(f"{p:.0%}, {s:.0%} shared", (p,) * 6, s) for p in (0.5, 0.8, 0.95) for s in (0.0, 0.5)],
    ),
    "standard deviation over six forms": (
        deviation,
        [
            Case(f"{name}, {s:.0%} shared", own, s)
            for name, own in (("equal forms", EQUAL), ("small differences", SMALL), ("large differences", LARGE))
            for s in (0.0, 0.5)
        ],
    ),
    "paired difference": (
        difference,
        [Case(f"{a:.0%} and {b:.0%}, 50% shared", (a, b), 0.5) for a, b in ((0.6, 0.6), (0.8, 0.6), (0.95, 0.85))],
    ),
}


def coverage(figure: str, case: Case, instances: int, trials: int, seed: int = 0) -> tuple[float, float]:
    """Return the share of trials in which the interval contains the true value, in percent: after, before.

    A trial in which the answers give no interval doesn't count.
    """
    rng = np.random.default_rng([seed, instances])
    measure = FIGURES[figure][0]
    found = [measure(case, right, rng) for right in _varied(case, instances, trials, rng)]
    after, before = 100 * np.mean(found, axis=0)
    return float(after), float(before)


def _varied(case: Case, instances: int, trials: int, rng: np.random.Generator) -> Iterator[Array]:
    """Yield answers that differ between Instances; others have Wilson's interval, or none."""
    for _ in range(trials):
        right = answers(case, instances, rng)
        if (right != right[0]).any():
            yield right


def main() -> None:
    """Print the table of docs/analysis.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=2000)
    parser.add_argument("--instances", type=int, nargs="+", default=[8, 12, 20, 50, 200, 1000])
    arguments = parser.parse_args()
    print("| figure | truth | " + " | ".join(f"n {n:,}" for n in arguments.instances) + " |")
    print("|---|---|" + "---|" * len(arguments.instances))
    for figure, (_, cases) in FIGURES.items():
        for case in cases:
            row = [coverage(figure, case, n, arguments.trials) for n in arguments.instances]
            print(f"| {figure} | {case.name} | " + " | ".join(f"{a:.1f} ({b:.1f})" for a, b in row) + " |", flush=True)


if __name__ == "__main__":
    main()
