"""The published cells against the paper's text, and the layouts that show them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from triptych.benchmarks import load_benchmark
from triptych.reports.tables.published import load_published, published_value

MCGA = load_benchmark("mcga")
PUBLISHED = load_published(MCGA.folder)
PAPER = "papers/000_4b60309cd774588f.txt"


def test_every_row_stands_in_the_paper_and_no_row_is_missing(shared_data: Path) -> None:
    text = shared_data.parent / PAPER
    if not text.is_file():
        pytest.skip("the paper's text is not here")
    theirs = {
        (line.split()[0], tuple(map(float, found[0].split())))
        for line in text.read_text(encoding="utf-8").splitlines()
        if (found := re.search(r"(?: \d+\.\d){4,}$", line))
    }
    ours = {(model.split()[0], tuple(cells.values())) for rows in PUBLISHED.values() for model, cells in rows.items()}
    assert ours == theirs
    assert sum(len(rows) for rows in PUBLISHED.values()) == 56


def test_every_published_cell_is_shown_in_its_layout() -> None:
    for layout in MCGA.spec.layouts:
        if not layout.paper:
            continue
        for model, cells in PUBLISHED[layout.paper].items():
            shown = [published_value(cells, column, None) for column in layout.columns]
            assert {v for v in shown if v is not None} == set(cells.values()), (layout.id, model)
    assert {layout.paper for layout in MCGA.spec.layouts} >= set(PUBLISHED) == {f"T{n}" for n in range(3, 9)}
