"""Tests of `scoring/figures/cells.py`: scores as arrays, grouped into the cells of an aggregation."""

from __future__ import annotations

import random
from fractions import Fraction

from tests.scoring.figures.test_summed import SPEC, scores_of
from triptych.scoring.figures.cells import tabulate


def test_sums_are_exact_and_do_not_depend_on_the_order() -> None:
    scores = scores_of(9)
    table = tabulate(scores, SPEC)
    exact = [
        sum((Fraction(x) for x in table.weighted("all")[table.cell == c, 0].tolist()), Fraction())
        for c in range(len(table.cells))
    ]
    assert table.sums("all")[:, 0].tolist() == [float(one) for one in exact]
    random.Random(1).shuffle(scores)
    assert tabulate(scores, SPEC).sums("all").tobytes() == table.sums("all").tobytes()
