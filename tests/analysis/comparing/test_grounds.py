"""Tests of `analysis/comparing/grounds.py`: pairs of Runs are compared over what the two share."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.analysis.comparing.columns import column
from tests.analysis.seen import seen
from triptych.analysis.comparing.comparison import compare_runs
from triptych.analysis.comparing.grounds import grounds
from triptych.analysis.comparing.shared import share


def test_each_pair_is_compared_over_what_it_shares() -> None:
    """A third Run of five questions changes nothing for the other two but Holm's factor: the oracle is each pair alone,
    and Holm's correction by hand."""
    columns = {"A": "1101110111" * 6, "B": "1001010010" * 6, "trial": "01101"}
    three = compare_runs([seen(name, column(own)) for name, own in columns.items()], replicates=500)
    whole = {e.runs: e for e in three.headlines}
    alone = {}
    for pair in (("A", "B"), ("A", "trial"), ("B", "trial")):
        two = compare_runs([seen(name, column(columns[name])) for name in pair], replicates=500)
        alone[pair] = two.headlines[0]
    assert {pair: e.n for pair, e in whole.items()} == {("A", "B"): 60, ("A", "trial"): 5, ("B", "trial"): 5}
    for pair, own in alone.items():
        assert (whole[pair].value, whole[pair].p_value) == (own.value, own.p_value)
        assert whole[pair].interval == own.interval
    smallest = sorted(e.p_value for e in alone.values() if e.p_value is not None)
    assert whole["A", "B"].p_value == smallest[0]
    assert whole["A", "B"].p_adjusted == pytest.approx(3 * smallest[0])
    assert {rank.run: rank.value for rank in three.ranks}["A"] == pytest.approx(80.0)  # over its own 60 questions


def test_a_run_that_shares_nothing_leaves_the_others_compared() -> None:
    runs = [seen("A", column("1" * 20)), seen("B", column("0" * 20)), seen("C", column("1" * 20, start=50))]
    found = compare_runs(runs, replicates=200)
    assert [e.runs for e in found.headlines] == [("A", "B")] and found.headlines[0].n == 20
    assert "2 pairs share none" in found.scope[0]
    assert found.scope[1] == "C shares no question with any other Run (none of their questions has the same id)"


def test_runs_with_the_same_questions_are_one_ground_and_others_have_their_own() -> None:
    runs = [seen("A", column("1100")), seen("trial", column("10")), seen("B", column("1010"))]
    pairs = list(combinations(range(3), 2))
    found = list(grounds(runs, pairs, share(runs, "all"), "all", replicates=50, seed=0))
    assert [(sorted(one.pairs), one.shared.units) for one in found] == [([(0, 2)], 4), ([(0, 1), (1, 2)], 2)]
    assert [[run.label for run in one.runs] for one in found] == [["A", "B"], ["A", "trial", "B"]]
    assert all(
        found[1].runs[n].label == runs[m].label
        for pair, own in found[1].pairs.items()
        for m, n in zip(pair, own, strict=True)
    )


def test_groups_that_share_nothing_have_no_ground() -> None:
    runs = [seen("A", column("11")), seen("B", column("11", start=9))]
    assert list(grounds(runs, [(0, 1)], share(runs, "all"), "all", replicates=50, seed=0)) == []


def test_the_units_behind_a_figure_are_those_compared_and_their_share_of_those_asked() -> None:
    runs = [seen("A", column("1100")), seen("B", column("10110"))]
    (ground,) = grounds(runs, [(0, 1)], share(runs, "all"), "all", replicates=50, seed=0)
    (key,) = [key for key in ground.joint.cells_of if key[0] == "toy" and key[1] == "acc"]
    assert ground.units.compared_units(key) == (4, pytest.approx(4 / 5))
