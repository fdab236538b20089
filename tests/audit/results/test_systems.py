"""Tests of `audit/results/systems.py`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.results.test_check import folder_of
from triptych import audit_run, run
from triptych.errors import DataError


def test_a_folder_of_malformed_files_alone_is_an_error(tmp_path: Path) -> None:
    names = ("perception_general_audio_text", "perception_general_audio_vision", "perception_natures_audio_text")
    with pytest.raises(DataError, match="general_audio_text"):
        audit_run([folder_of(tmp_path, broken=names)], benchmark="xmodbench")


@pytest.mark.parametrize("name", ["manifest.json", "responses.jsonl", "items.jsonl"])
def test_a_malformed_run_is_a_finding_and_the_others_are_audited(name: str, tmp_path: Path) -> None:
    for place in ("good", "bad"):
        run("cmdar", "baseline/longest", out=tmp_path / place, limit=6)
    (tmp_path / "bad" / name).write_text("{broken}\n{}\n", encoding="utf-8")
    found = audit_run([tmp_path / "good", tmp_path / "bad"])
    (malformed,) = [f for f in found if f.kind == "malformed"]
    assert malformed.file == str(tmp_path / "bad") and "can't be read and was left out" in malformed.message
    assert "1 Run" in found.verdict
    with pytest.raises(DataError):
        audit_run([tmp_path / "bad"])
