"""Tests of `audit/tables/cells.py`: the published tables in memory, and looking cells up in them."""

from __future__ import annotations

import pytest

from triptych.audit.tables.cells import NoCell
from triptych.audit.tables.expression import Context, evaluate


@pytest.mark.parametrize(
    "formula", ["'y'", "cell('T', 'Z', 'avg')", "cell('V', 'A', 'avg')", "1 / 'zero'", "mean('q|*')"]
)
def test_a_cell_that_is_not_there(context: Context, formula: str) -> None:
    context.tables.add("T", "A", "zero", "0.0")
    with pytest.raises(NoCell):
        evaluate(formula, context)
