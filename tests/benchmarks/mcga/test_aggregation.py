"""Tests of `benchmarks/mcga/aggregation.py`: aggregate the Tasks' sums to the paper's figures."""

from __future__ import annotations

import numpy as np
import pytest

from tests.benchmarks.mcga.test_protocols import MCGA
from triptych.benchmarks.mcga.aggregation import aggregate
from triptych.protocols.protocol import Cell
from triptych.reports.tables.published import load_published


@pytest.mark.parametrize("model", sorted(load_published(MCGA.folder)["T8"]))
def test_cmc_of_the_papers_own_figures(model: str) -> None:
    """Equation 1 on Table 8's rounded columns gives its CMC to a tenth, and the function broadcasts over replicates."""
    row = {name: value or 0.0 for name, value in load_published(MCGA.folder)["T8"][model].items()}
    order = ("SQA", "SU", "SR", "QA", "LU", "LR")
    cells = [Cell(f"mcga/{name.lower()}", "f1.token" if "QA" in name else "acc") for name in order]
    sums = np.array([[[row[name], 100.0] for name in order]] * 3)
    (cmc,) = [f for f in aggregate(cells, sums) if f.metric == "cmc"]
    assert cmc.value.shape == (3,)
    assert cmc.value == pytest.approx([row["CMC"]] * 3, abs=0.1)
