"""Intervals of figures: against brute force, computed by hand, and as often true as they say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.scoring.toy import figures, make_spec, protocol, random_scores, score
from triptych.protocols.protocol import Cell, Figure
from triptych.records import ANSWERED
from triptych.scoring.figures.aggregate import aggregate_scores
from triptych.scoring.figures.replicates import bounds_of, resample
from triptych.scoring.figures.strata import Stratum


@pytest.mark.parametrize("headline", ["all", "answered"])
def test_intervals_are_those_of_a_brute_force_bootstrap_over_instances(headline: str) -> None:
    scores = random_scores(3, instances=240)
    found = figures(scores, headline, replicates=4000)
    rng = np.random.default_rng(99)
    names = sorted({s.instance for s in scores})
    by_instance = {name: [s for s in scores if s.instance == name] for name in names}
    values: dict[tuple[str, str], list[float]] = {("toy/a", "acc"): [], ("toy", "acc"): [], ("toy", "gap"): []}
    for _ in range(4000):
        drawn = [s for name in rng.choice(names, len(names)) for s in by_instance[name]]
        kept = drawn if headline == "all" else [s for s in drawn if s.status in ANSWERED]
        a, b = ([s.numerator for s in kept if s.task == t] for t in ("toy/a", "toy/b"))
        one, two = 100 * sum(a) / len(a), 100 * sum(b) / len(b)
        for key, value in zip(values, (one, (one + two) / 2, two - one), strict=True):
            values[key].append(value)
    for key, replicates in values.items():
        expected = np.quantile(replicates, [0.025, 0.975])
        assert found[key].interval == pytest.approx(tuple(expected), abs=0.9), key


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    """Instances of two Units that agree: taking them for independent would cover about 83%, not 95%."""
    rng, covered = np.random.default_rng(7), 0
    for trial in range(300):
        scores = [
            score(f"{n}-{k}", right, instance=f"i{n}")
            for n, right in enumerate((rng.random(80) < 0.6).astype(float))
            for k in range(2)
        ]
        low, high = figures(scores, replicates=300, seed=trial)["toy/a", "acc"].interval or (0, 0)
        covered += low <= 60 <= high
    assert 0.90 <= covered / 300 <= 0.98


@pytest.mark.parametrize("right", [0.0, 1.0])
def test_wilson_stands_in_where_all_or_none_succeed(right: float) -> None:
    scores = [score(str(n), right) for n in range(20)]
    found = figures(scores)["toy/a", "acc"]
    expected = stats.binomtest(int(20 * right), 20).proportion_ci(0.95, "wilson")
    assert found.interval == pytest.approx((100 * expected.low, 100 * expected.high))


@pytest.mark.parametrize("right", [0.0, 1.0])
def test_where_all_or_none_succeed_a_mean_over_all_questions_is_known_from_all(right: float) -> None:
    """CMDAR's Avg.: one category of it has two questions only, but the average is over all 24."""
    sizes = {"SR": 8, "ER": 5, "SU": 6, "AD": 3, "TR": 2}
    scores = [score(f"{name}{n}", right, facets={"family": name}) for name, size in sizes.items() for n in range(size)]
    found = figures(scores)["toy/a", "acc"]
    expected = stats.binomtest(int(24 * right), 24).proportion_ci(0.95, "wilson")
    assert found.interval == pytest.approx((100 * expected.low, 100 * expected.high))


def test_a_mean_of_parts_is_not_known_better_than_its_small_part_allows() -> None:
    """Half of the mean is a part of two Instances, which fails with 0.6 and yet never in 16% of all samples."""
    scores = [score(f"a{n}", 1) for n in range(1000)] + [score(f"b{n}", 1, task="toy/b") for n in range(2)]
    low, high = figures(scores)["toy", "acc"].interval or (0, 0)
    assert high == 100 and low < 100 * (1 + 0.4) / 2
    assert low > 100 * (1 - 0.6576 / 2) - 1  # not as low as for a figure of the small part alone, 34.2


def test_cells_that_always_or_never_succeed_have_their_intervals_together() -> None:
    """Two Tasks of two Instances, one always right, one never: the mean is 50, and no replicate differs. By hand after
    Zou and Donner: Wilson's limits of 2 of 2 are 34.2 and 100, half of the distance counts, and nothing is above 100.
    """
    scores = [score("1", 1), score("2", 1), score("3", 0, task="toy/b"), score("4", 0, task="toy/b")]
    found = figures(scores)["toy", "acc"]
    z = float(stats.norm.ppf(0.975))
    half = 50 * z * z / (2 + z * z)  # Wilson's interval of none of n is 0 to z² / (n + z²)
    assert found.value == 50
    assert found.interval == pytest.approx((50 - half, 50 + half))


def test_a_mean_of_few_has_an_interval_that_covers_it() -> None:
    """All outcomes of two Instances in each of two Tasks, right with 0.9 and 0.1: the mean is 50."""
    chance, covered, whole = {0: (0.01, 0.81), 1: (0.18, 0.18), 2: (0.81, 0.01)}, 0.0, 0.0
    for one in range(3):
        for other in range(3):
            rows = [score(f"a{n}", float(n < one)) for n in range(2)]
            rows += [score(f"b{n}", float(n < other), task="toy/b") for n in range(2)]
            found = figures(rows)["toy", "acc"]
            weight = chance[one][0] * chance[other][1]
            assert found.interval is not None
            covered += weight * (found.interval[0] <= 50 <= found.interval[1])
            whole += weight
    assert whole == pytest.approx(1) and covered >= 0.95


def test_wilson_counts_instances_where_units_share_them() -> None:
    scores = [score(f"{n}-{k}", 1.0, instance=f"i{n}") for n in range(10) for k in range(5)]
    found = figures(scores)["toy/a", "acc"]
    assert found.interval == pytest.approx((100 * 10 / (10 + 1.959964**2), 100), abs=1e-3)


def test_no_interval_is_better_than_one_of_no_width() -> None:
    one = figures([score("1", 1)])["toy/a", "acc"]
    assert (one.value, one.interval) == (100, None)
    errors = figures([score(str(n), 0, of=7) for n in range(9)])["toy/a", "acc"]  # an error rate of 0: no proportion
    assert (errors.value, errors.interval) == (0, None)
    both = figures([score(str(n), 1, task=f"toy/{'ab'[n % 2]}") for n in range(10)])
    assert both["toy", "gap"].interval is None


def test_rounding_is_no_spread() -> None:
    """One Instance of a slice among many of its Task: however often it is drawn, 23 / 63 is 23 / 63, or nearly."""
    scores = [score(f"{n}", 1.0, of=7.0, facets={"family": "x"}) for n in range(20)]
    scores.append(score("one", 23.0, of=63.0, facets={"family": "y"}))
    found = aggregate_scores(scores, protocol("all"), make_spec(("family",)), "s", replicates=500)
    widths = [a.interval[1] - a.interval[0] for a in found if a.interval]
    assert all(width > 1e-6 for width in widths)


def test_an_interval_never_leaves_its_value_out() -> None:
    def spread(cells: Sequence[Cell], sums: Any) -> Iterator[Figure]:
        yield Figure("toy", "std", {}, (sums[..., 0] / sums[..., 1]).std(axis=-1), tuple(range(len(cells))))

    # Every Task has the same share of right answers, so all that replicates can do is spread them.
    scores = [score(f"{t}{n}", n % 2, task=f"toy/{t}") for t in "abcdef" for n in range(10)]
    (found,) = aggregate_scores(scores, protocol(aggregate=spread), make_spec())
    assert (found.value, found.interval) == (0, None)


def test_a_single_instance_in_one_task_leaves_figures_over_it_without_interval() -> None:
    scores = [*[score(str(n), n % 2) for n in range(50)], score("only", 1, task="toy/b")]
    found = figures(scores)
    assert found["toy/a", "acc"].interval is not None
    assert found["toy/b", "acc"].interval is None
    assert found["toy", "acc"].interval is None


def test_the_same_seed_gives_the_same_interval_and_another_hardly_another() -> None:
    scores = random_scores(1)
    once, again, other = (figures(scores, seed=s)["toy", "acc"].interval for s in (0, 0, 1))
    assert once is not None and other is not None
    assert once == again != other
    assert once == pytest.approx(other, abs=2.5)


@pytest.mark.parametrize(
    ("metric", "bounds"), [("acc", (0, 100)), ("judge_score", (1, 10)), ("wer", None), ("no_such_metric", None)]
)
def test_only_a_metric_with_a_smallest_and_a_largest_value_has_bounds(
    metric: str, bounds: tuple[float, float] | None
) -> None:
    assert bounds_of(metric) == bounds


def test_whole_instances_are_drawn_within_each_stratum() -> None:
    """After Rao and Wu: n - 1 of n Instances are drawn, each counts n / (n - 1). A cell of two strata has their sum."""
    ones, tens = np.array([[[1.0, 1.0]], [[0.0, 1.0]]]), np.array([[[10.0, 1.0], [1.0, 1.0]]])
    strata = {
        "toy/a": Stratum(np.array([0]), ones, np.array([3, 2])),
        "toy/a|toy/b": Stratum(np.array([0, 2]), tens, np.array([4])),
        "toy/c": Stratum(np.array([3]), np.array([[[7.0, 1.0]]]), np.array([1])),
    }
    drawn = resample(strata, 4, 200, 0)
    assert drawn.sums.shape == (200, 4, 2)
    assert (drawn.sums[:, 0, 1] == 9).all() and (drawn.sums[:, 2] == [4, 4]).all(), "nine and four Instances"
    extra = drawn.sums[:, 0, 0] - 40
    assert set(extra.tolist()) == {0, 1.25, 2.5, 3.75, 5} and extra.mean() == pytest.approx(3, abs=0.3)
    assert (drawn.sums[:, 1] == 0).all() and drawn.varied.tolist() == [True, False, True, False]
    assert [drawn.degrees_of_freedom(cells) for cells in ([0], [2], [3], [0, 3], [])] == [4 + 3, 3, 0, 7, 0]


def test_without_replicates_or_strata_nothing_is_drawn() -> None:
    assert resample({}, 2, 10, 0).sums.tolist() == np.zeros((10, 2, 2)).tolist()
    stratum = Stratum(np.array([0]), np.ones((1, 1, 2)), np.array([5]))
    assert resample({"toy/a": stratum}, 1, 0, 0).sums.shape == (0, 1, 2)
