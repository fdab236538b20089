"""Tests of `reports/calibrated.py`: the figure of a judge's calibration."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.analysis.raters.test_calibrated import agreement
from triptych.analysis.raters.calibrated import calibration_table
from triptych.errors import SpecError
from triptych.judges.calibration import Calibration
from triptych.records import Table
from triptych.reports.calibrated import write_calibration

TABLE = calibration_table(
    Calibration(agreement(0.8, 0.75, 0.7), {"通义": agreement(0.5, 0.4, 0.3, 8), "B": agreement(0.9, 0.8, 0.7)}, {})
)


def test_each_format_is_a_file_of_its_kind(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    written = write_calibration(TABLE, tmp_path / "new")
    assert [path.name for path in written] == [f"judge-reliability.{kind}" for kind in ("svg", "png", "pdf")]
    begins = [path.read_bytes()[:8] for path in written]
    assert begins[0].startswith(b"<?xml") and begins[1] == b"\x89PNG\r\n\x1a\n" and begins[2].startswith(b"%PDF-")
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == sorted(path.name for path in written)


def test_the_figure_names_systems_measures_and_numbers(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    (path,) = write_calibration(TABLE, tmp_path, ["svg"])
    text = path.read_text(encoding="utf-8")
    for word in ("all systems", "通义", "Pearson", "Spearman", "alpha (interval)", "n 8", "1: perfect agreement"):
        assert word in text, word


def test_without_agreement_nothing_is_written(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert write_calibration(Table("judges", "", TABLE.headings, ()), tmp_path / "none") == []
    assert not (tmp_path / "none").exists()


def test_without_matplotlib_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SpecError, match="figures need matplotlib") as refused:
        write_calibration(TABLE, tmp_path)
    assert refused.value.fix == "pip install 'triptych[report]'" and not list(tmp_path.iterdir())
