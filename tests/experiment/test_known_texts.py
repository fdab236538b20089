"""All arms of a preset ask the same questions: those whose texts are known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.benchmarks.mcs_bench.test_mcs_bench_settings import REFERENCE, pictures, with_gaps
from triptych.api.presets import run_preset
from triptych.errors import DataError, SpecError
from triptych.store.folder import RunFolder


def test_all_settings_ask_the_questions_whose_text_is_known(tmp_path: Path) -> None:
    data, gone = with_gaps(tmp_path)
    done = run_preset("mcs_bench", "ocr", REFERENCE, data=data, out=tmp_path / "runs")
    asked = {
        arm.label: {item.id for item in RunFolder.open(tmp_path / "runs" / arm.label).items()} for arm, _ in done.arms
    }
    assert len({frozenset(ids) for ids in asked.values()}) == 1 and asked["setting-1"]
    assert gone not in pictures(tmp_path / "runs" / "setting-1")
    (said,) = {problem for _, result in done.arms for problem in result.problems}
    assert "every arm leaves out" in said and "--texts" in said
    again = run_preset("mcs_bench", "ocr", REFERENCE, data=data, out=tmp_path / "runs")
    assert all(result.outcome.already for _, result in again.arms), "the same command resumes"


def test_without_any_text_nothing_is_asked(tmp_path: Path) -> None:
    data, _ = with_gaps(tmp_path)
    path = data / "MCS-Bench.json"
    rows = [row for row in json.loads(path.read_text(encoding="utf-8")) if row["Task_ID"] not in (1, 3)]
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    with pytest.raises(DataError, match="no arm of the preset can be asked"):
        run_preset("mcs_bench", "ocr", REFERENCE, data=data, out=tmp_path / "runs")
    with pytest.raises(SpecError, match="adds texts"):
        run_preset("cmdar", "noise", REFERENCE, out=tmp_path / "runs", texts=tmp_path / "x.json")
