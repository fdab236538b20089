"""Tests of `analysis/comparing/grounds.py`: pairs of Runs are compared over what the two share."""

from __future__ import annotations

import pytest

from tests.analysis.comparing.columns import column
from tests.analysis.seen import seen
from triptych.analysis.comparing.comparison import compare_runs


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
