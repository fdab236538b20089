"""`triptych build` in functions."""

from __future__ import annotations

from pathlib import Path

import pytest

import triptych
from tests.cli.test_build import WORKS
from triptych.errors import DataError, RunFolderError


def test_a_build_in_functions(tmp_path: Path) -> None:
    pytest.importorskip("pypinyin", reason="pypinyin comes with the extra [build]")
    pytest.importorskip("datasketch", reason="datasketch comes with the extra [build]")
    (tmp_path / "works.csv").write_text(WORKS, encoding="utf-8")
    config = tmp_path / "own.toml"
    config.write_text(
        'works = "works.csv"\nyear = 2026\ntasks = ["asr", "sqa"]\nrecord = false\nreview = false\n', encoding="utf-8"
    )
    to = str(tmp_path / "b")
    assert triptych.build("mcga", str(config), to, limit=1).written == 0
    records, stages = triptych.estimate_build("mcga", config, to)
    assert records == 3 and stages[0].stage == "rights" and stages[0].pilot == 1
    assert triptych.build("mcga", config, to).written == 4
    assert triptych.build_status(to)[0].decisions == {"kept": 2, "dropped": 1}
    life = triptych.build_why(to, "w2")
    assert life.steps[-1].reason == "author-died-too-recently"
    assert triptych.withdraw(to, ["work:w0"], config).written == 2
    with pytest.raises(DataError):
        triptych.build_why(to, "nobody")
    with pytest.raises(RunFolderError):
        triptych.build_status(tmp_path)
