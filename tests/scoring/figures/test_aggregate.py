"""Aggregation: hand-computed figures, honest denominators, and intervals against brute force."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scoring.toy import figures, make_spec, protocol, score
from tests.support.steps import steps
from triptych.benchmarks import load_benchmark
from triptych.errors import SpecError
from triptych.protocols.protocol import Figure
from triptych.records import ANSWERED, SCORE_STATUSES, Score
from triptych.scoring.figures.aggregate import _figures, aggregate_scores


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


@pytest.mark.parametrize(
    ("aggregate", "words"),
    [
        (lambda cells, sums: None, "aggregate gives no Figures"),
        (lambda cells, sums: ["acc"], "aggregate gives no Figures"),
        (lambda cells, sums: [Figure("t", "acc", {}, sums[0], (0,))], "of another shape than its sums"),
    ],
)
def test_what_a_plug_ins_aggregate_gives_is_checked(aggregate: Any, words: str) -> None:
    protocol = replace(load_benchmark("cmdar").protocol("standard"), aggregate=aggregate)
    table = SimpleNamespace(cells=())
    with pytest.raises(SpecError, match=words):
        _figures(protocol, table, np.ones((3, 2, 2)))  # type: ignore[arg-type]
