"""Tests of `interchange/logs.py`: logs of other harnesses, recognised by their names and content."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.interchange import harness_folders as make
from triptych.errors import DataError
from triptych.interchange.audit_logs import audit_results
from triptych.interchange.logs import find_logs, read_log


def published(place: Path) -> Path:
    """Predictions of OpenCompass as LawBench publishes them: one folder deeper, references as `refr`, no results."""
    rows = {
        str(n): {
            "origin_prompt": [{"role": "HUMAN", "prompt": f"问题{n}"}],
            "prediction": f"[正确答案]{'AB'[n % 2]}<eoa>",
            "refr": "正确答案：A。",
        }
        for n in range(6)
    }
    for model in ("gpt-x", "glm-y"):
        folder = place / "predictions" / "one_shot" / model
        folder.mkdir(parents=True)
        for task in ("1-1", "1-2"):
            (folder / f"{task}.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return place


def test_predictions_of_opencompass_are_found_in_whatever_folder_they_were_published(tmp_path: Path) -> None:
    logs = find_logs(published(tmp_path))
    assert [log.name for log in logs] == ["glm-y", "gpt-x"]
    samples = list(read_log(logs[1]).samples)
    assert [(one.task, one.id) for one in samples[:2]] == [("1-1", "0"), ("1-1", "1")] and len(samples) == 12
    assert samples[1].reply == "[正确答案]B<eoa>" and samples[1].target == ("正确答案：A。",)
    assert samples[1].question == "问题1"
    found = audit_results([tmp_path])
    assert "2 Runs, 24 replies" in found.verdict


def test_a_folder_of_several_models_is_audited_and_not_guessed_for_import(tmp_path: Path) -> None:
    for model in ("a", "b"):
        make.evalscope(tmp_path, model=model)
    assert [log.name for log in find_logs(tmp_path)] == ["a", "b"]
    assert "2 Runs, 40 replies: 2 of 2 stated figures follow" in audit_results([tmp_path]).verdict
    with pytest.raises(DataError, match="several models"):
        read_log(tmp_path)
