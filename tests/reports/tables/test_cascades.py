"""The grid of cascades: caption models by reasoners, whatever order the Runs come in."""

from __future__ import annotations

from pathlib import Path

import pytest

import triptych
from tests.support.mock_process import MockProcess
from triptych.api.presets import run_preset
from triptych.experiment.arms import NamedModel
from triptych.reports.report import collect
from triptych.reports.tables.cascades import ITSELF
from triptych.store.folder import RunFolder


@pytest.fixture(scope="module")
def cascades(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two caption models, two reasoners: the preset once for each pair."""
    place = tmp_path_factory.mktemp("cascades")
    with MockProcess(answer="option") as mock:
        for caption in "AB":
            for reasoner in "XY":
                models = (NamedModel(f"openai/{name}", {}, mock.base_url) for name in (caption, reasoner))
                run_preset("cmdar", "cascade", *models, out=place / f"{caption}-{reasoner}", limit=4)
    return place


def test_every_pair_has_its_cell_and_models_by_themselves_theirs(cascades: Path) -> None:
    folders = [RunFolder.open(path.parent) for path in sorted(cascades.rglob("manifest.json"))]
    (report,) = collect(folders)
    grid = next(table for table in report.tables("official") if table.id == "cascades")
    assert set(grid.headings) == {"openai/A", "openai/B", "openai/X", "openai/Y"}
    assert [row.label for row in grid.rows] == ["description by openai/A", "description by openai/B", ITSELF]
    for caption in "AB":
        for reasoner in "XY":
            row = next(row for row in grid.rows if row.label == f"description by openai/{caption}")
            scores = triptych.score(cascades / f"{caption}-{reasoner}" / "cascade")["official"]
            figure = next(a for a in scores if not a.slice)
            assert row.cells[grid.headings.index(f"openai/{reasoner}")].value == figure.value
    itself = grid.rows[-1]
    assert [cell.value is not None for cell in itself.cells] == [name in "AB" for name in map(_last, grid.headings)]
    (turned,) = collect(folders[::-1])
    again = next(table for table in turned.tables("official") if table.id == "cascades")
    assert {row.label for row in again.rows} == {row.label for row in grid.rows}


def test_a_single_cascade_makes_no_grid(cascades: Path) -> None:
    (report,) = collect([RunFolder.open(cascades / "A-X" / label) for label in ("audio", "captions", "cascade")])
    assert all(table.id != "cascades" for table in report.tables("official"))


def _last(name: str) -> str:
    return name[-1]
