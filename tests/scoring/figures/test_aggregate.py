"""Aggregation: hand-computed figures, honest denominators, and intervals against brute force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tests.scoring.toy import make_spec, protocol, random_scores, score
from tests.support.steps import steps
from triptych.errors import SpecError
from triptych.protocols.protocol import Cell, Figure
from triptych.records import ANSWERED, SCORE_STATUSES, Aggregate, Score
from triptych.scoring.figures.aggregate import aggregate_scores


def figures(scores: list[Score], headline: str = "all", **more: object) -> dict[tuple[str, str], Aggregate]:
    slices = more.pop("slices", ())
    found = aggregate_scores(scores, protocol(headline), make_spec(slices), "s", **more)  # type: ignore[arg-type]
    return {(a.task, a.metric): a for a in found}


def test_hand_computed_figures_over_all_and_over_those_answered() -> None:
    scores = [
        score("1", 1),
        score("2", 0),
        score("3", 0, status="failed"),
        score("4", 0, status="unparsed"),
        score("5", 1, task="toy/b"),
        score("6", 1, task="toy/b"),
        score("7", 0, task="toy/b", status="refused"),
    ]
    found = figures(scores)
    a, b, macro, gap = (found[k] for k in [("toy/a", "acc"), ("toy/b", "acc"), ("toy", "acc"), ("toy", "gap")])
    assert (a.value_all, a.value_answered) == (pytest.approx(25), pytest.approx(100 / 3))
    assert (b.value_all, b.value_answered) == (pytest.approx(200 / 3), pytest.approx(100))
    assert macro.value == pytest.approx((25 + 200 / 3) / 2)
    assert gap.value_answered == pytest.approx(100 - 100 / 3)
    assert a.counts == {"scored": 2, "unparsed": 1, "failed": 1}
    assert macro.counts == {"scored": 4, "unparsed": 1, "refused": 1, "failed": 1}
    assert (a.n, a.units, a.coverage) == (4, 4, 0.75)
    assert (macro.n, macro.units, macro.signature) == (7, 7, "s")


def test_the_protocol_names_the_headline_figure() -> None:
    scores = [score("1", 1), score("2", 0, status="failed")]
    over_all, answered = figures(scores)["toy/a", "acc"], figures(scores, "answered")["toy/a", "acc"]
    assert (over_all.value, over_all.n) == (50, 2)
    assert (answered.value, answered.n, answered.units) == (100, 1, 2)
    assert answered.value_all == 50


def test_an_error_rate_is_pooled_and_charges_what_was_lost() -> None:
    scores = [score("1", 2, of=10), score("2", 0, of=30), score("3", 20, of=20, status="failed")]
    found = figures(scores)["toy/a", "acc"]
    assert found.value_all == pytest.approx(100 * 22 / 60)
    assert found.value_answered == pytest.approx(5)


def test_what_has_no_worst_case_is_counted_but_not_in_the_figure() -> None:
    scores = [score("1", 1), score("2", 0, of=0, status="unavailable")]
    found = figures(scores)["toy/a", "acc"]
    assert (found.value, found.n, found.units) == (100, 1, 2)


def test_nothing_answered_has_no_value_over_those_answered() -> None:
    found = figures([score("1", 0, status="failed"), score("2", 0, status="missing")], "answered")["toy/a", "acc"]
    assert (found.value, found.value_answered, found.interval, found.n) == (None, None, None, 0)
    assert (found.value_all, found.coverage) == (0, 0)


def test_cells_are_split_by_the_slices_of_the_specification() -> None:
    scores = [score(str(n), n % 2, facets={"genre": "诗" if n < 4 else "词", "other": str(n)}) for n in range(10)]
    found = aggregate_scores(scores, protocol(), make_spec(("genre",)))
    assert [(a.slice, a.units) for a in found if a.task == "toy/a"] == [({"genre": "词"}, 6), ({"genre": "诗"}, 4)]


def test_repeats_are_averaged_within_their_unit() -> None:
    # Unit 1 is right in 1 of 2 answered repeats (the third failed), unit 2 in 3 of 3.
    scores = [
        score("1", 1, repeat=0),
        score("1", 0, repeat=1),
        score("1", 0, repeat=2, status="failed"),
        *[score("2", 1, repeat=k) for k in range(3)],
    ]
    found = figures(scores)["toy/a", "acc"]
    assert found.value_all == pytest.approx(100 * (1 / 3 + 1) / 2)
    assert found.value_answered == pytest.approx(100 * (1 / 2 + 1) / 2)
    assert found.counts == {"scored": 5, "failed": 1}


def test_a_unit_with_several_metrics_counts_once_in_a_figure() -> None:
    scores = [
        score("1", 1),
        score("1", 1, metric="f1"),
        score("2", 1),
        score("2", 0, metric="f1", status="judge_failed"),
    ]
    found = figures(scores)["toy", "acc"]
    assert found.counts == {"scored": 1, "judge_failed": 1}


def test_an_aggregation_that_gives_a_figure_twice_is_refused() -> None:
    twice = protocol(aggregate=lambda cells, sums: [f for f in protocol().aggregate(cells, sums) for _ in range(2)])
    with pytest.raises(SpecError, match="twice"):
        aggregate_scores([score("1", 1)], twice, make_spec())


def test_no_scores_give_no_figures() -> None:
    assert aggregate_scores([], protocol(), make_spec()) == []


# ---- properties

STATUSES = st.sampled_from(SCORE_STATUSES)


@st.composite
def some_scores(draw: st.DrawFn) -> list[Score]:
    rows = draw(st.lists(st.tuples(st.sampled_from("ab"), STATUSES, st.booleans(), st.integers(0, 5)), min_size=1))
    return [
        score(str(n), float(right and status == "scored"), task=f"toy/{task}", status=status, instance=f"i{group}")
        for n, (task, status, right, group) in enumerate(rows)
    ]


@settings(deadline=None)
@given(some_scores(), st.randoms())
def test_the_order_of_scores_does_not_matter(scores: list[Score], random: object) -> None:
    shuffled = list(scores)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert figures(scores, replicates=50) == figures(shuffled, replicates=50)


@settings(deadline=None)
@given(some_scores())
def test_counts_add_up_and_a_failure_never_shrinks_the_denominator(scores: list[Score]) -> None:
    for task in {s.task for s in scores}:
        own = [s for s in scores if s.task == task]
        found = figures(scores, replicates=0)[task, "acc"]
        assert found.units == found.n == len(own)
        assert found.value_all == pytest.approx(100 * sum(s.numerator for s in own) / len(own))
        answered = [s for s in own if s.status in ANSWERED]
        assert (found.value_answered is None) == (not answered)
        assert found.coverage == pytest.approx(len(answered) / len(own))


@settings(deadline=None)
@given(some_scores())
def test_an_interval_holds_values_that_are_possible(scores: list[Score]) -> None:
    for found in figures(scores, replicates=60).values():
        if found.interval is not None and found.metric == "acc":
            assert 0 <= found.interval[0] < found.interval[1] <= 100


# ---- intervals


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


def test_the_work_grows_with_the_scores_and_not_with_the_replicates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.cores.cores", lambda: 1)  # how long threads are waited for is not work
    rng = np.random.default_rng(0)

    def made(instances: int) -> list[Score]:
        return [
            score(f"{n}-{d}", float(rng.random() < 0.5), task=f"toy/{n % 17}-{d}", instance=f"i{n}")
            for n in range(instances)
            for d in range(6)
        ]

    few, many = made(340), made(1700)
    aggregate_scores(few, protocol(), make_spec())  # finds the quantiles of Student's t once
    found = aggregate_scores(many, protocol(), make_spec())
    assert len(found) == 103 and all(a.interval for a in found)
    work = [
        steps(lambda s=s, r=r: aggregate_scores(s, protocol(), make_spec(), replicates=r))  # type: ignore[misc]
        for s, r in ((few, 100), (few, 1000), (many, 100))
    ]
    assert work[1] == work[0] and work[2] < 5 * work[0], "all replicates are computed at once"
