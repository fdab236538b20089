"""Tests of `analysis/forms/positions.py`: position bias."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from msgspec import structs

from tests.analysis.comparing.test_comparison import column
from tests.analysis.forms.test_robustness import all_of
from tests.analysis.seen import seen
from triptych.analysis.forms.positions import position_bias
from triptych.analysis.observed import Observed
from triptych.metrics.choice import LETTERS
from triptych.records import Item, Score


def answered(picks: str, keys: str) -> Observed:
    scores = [
        Score(f"toy/a/{n}", "toy/a", "acc", "scored", float(p == k), 1.0, p, f"i{n}")
        for n, (p, k) in enumerate(zip(picks, keys, strict=True))
    ]
    items = [Item(f"toy/a/{n}", "toy/a", (), labels=LETTERS, answer="letter", target=k) for n, k in enumerate(keys)]
    return seen("m", scores, items=items)


def test_position_bias_by_hand_and_by_statsmodels() -> None:
    picks, keys = "AAAABBBCCD", "ABCDABCDAB"
    section = position_bias(answered(picks, keys), replicates=200)
    picked = {e.slice["place"]: e.value for e in all_of(section, "position.picked")}
    assert picked == pytest.approx({"A": 40.0, "B": 30.0, "C": 20.0, "D": 10.0})
    right = {e.slice["place"]: (e.value, e.n) for e in all_of(section, "position.right")}
    assert right["A"] == (pytest.approx(100 / 3), 3) and right["D"] == (0.0, 2)  # type: ignore[comparison-overlap]
    (test,) = all_of(section, "position.chi_square")
    contingency = pytest.importorskip("statsmodels.stats.contingency_tables")
    table = np.zeros((4, 4))
    np.add.at(table, (["ABCD".index(p) for p in picks], ["ABCD".index(k) for k in keys]), 1)
    expected = contingency.SquareTable(table, shift_zeros=False).homogeneity(method="stuart_maxwell")
    assert (test.value or 0, test.p_value or 0) == pytest.approx((expected.statistic, expected.pvalue))


def test_a_guesser_without_bias_is_seldom_told_to_have_one() -> None:
    """Whoever picks by lot differs from the keys by its luck and by theirs: at the level of 0.05, 5 of 100 are told."""
    rng = np.random.default_rng(0)

    def p_value(weights: Sequence[float] | None = None) -> float:
        picks, keys = rng.choice(list("ABCD"), 100, p=weights), rng.choice(list("ABCD"), 100)
        (test,) = all_of(position_bias(answered("".join(picks), "".join(keys)), replicates=2), "position.chi_square")
        return test.p_value or 1.0

    assert sum(p_value() < 0.05 for _ in range(100)) <= 11
    assert p_value([0.7, 0.1, 0.1, 0.1]) < 0.001


def test_unread_answers_are_counted_and_picks_without_keys_have_no_test() -> None:
    section = position_bias(answered("A?B", "AAA"), replicates=50)
    (test,) = all_of(section, "position.chi_square")
    assert test.value is None and test.counts == {"readable": 2, "none read": 1}
    assert all_of(section, "position.spread")[0].reason == "a position never contains the correct option"
    assert position_bias(seen("m", column("10"))) is None, "no options, no places"


def test_a_single_question_with_more_options_is_not_in_the_table() -> None:
    run = answered("AAAB", "ABAB")
    items = [
        structs.replace(item, labels=tuple("ABCDEFGHIJ" if item.id.endswith("3") else "ABCD")) for item in run.all_items
    ]
    section = position_bias(seen("m", run.main_scores, items=items), replicates=50)
    assert section is not None and len(all_of(section, "position.key")) == 14
    (table,) = section.tables
    assert [row.label for row in table.rows] == [f"{letter} of 4" for letter in "ABCD"]
    assert table.headings == ("reference", "picked", "right") and {row.cells[0].n for row in table.rows} == {3}
    assert table.notes == ("not shown: a single question with 10 options",)
