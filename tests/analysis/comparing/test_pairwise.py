"""Tests of `analysis/comparing/pairwise.py`: all pairs of many Runs as a matrix."""

from __future__ import annotations

import numpy as np

from tests.analysis.comparing.columns import column
from tests.analysis.seen import seen
from triptych.analysis.comparing.comparison import compare_runs


def test_many_runs_have_a_matrix_and_no_prose() -> None:
    rng = np.random.default_rng(3)
    names = [f"m{n}" for n in range(6)]
    runs = [
        seen(m, column("".join("1" if x < 0.3 + n / 10 else "0" for x in rng.random(200)))) for n, m in enumerate(names)
    ]
    found = compare_runs(runs, replicates=300)
    assert len(found.headlines) == 15 and len(found.sentences) == 1
    sure = sum((e.p_adjusted or 0) < 0.05 for e in found.headlines)
    assert found.sentences[0].startswith(f"toy acc: {sure} of 15 pairs of Runs differ significantly; first: m5 ")
    (listing,) = [own for own in found.section.listings if own.id == "pairs.toy acc"]
    order = [row[0].split(" ", 1)[1] for row in listing.rows]
    shown = {
        (a, b): cell for a, row in zip(order, listing.rows, strict=True) for b, cell in zip(order, row[1:], strict=True)
    }
    assert order[0] == "m5" and all(shown[m, m] == "" for m in names)
    for e in found.headlines:
        star = "*" if (e.p_adjusted or 0) < 0.05 else ""
        assert shown[e.runs] == f"{e.value:+.1f}".replace("-", "−") + star
        assert shown[e.runs[::-1]] == f"{-(e.value or 0):+.1f}".replace("-", "−") + star
    assert any(cell.endswith("*") for cell in shown.values()) and "over 15 pairs; n 200 for each pair" in listing.note
