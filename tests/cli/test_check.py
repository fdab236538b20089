"""Tests of `triptych check`: findings by severity, their number, and the exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.cli.main import main


def exit_code(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    assert isinstance(stop.value.code, int)
    return stop.value.code


def test_check_names_the_task_that_a_finding_is_about(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """`0 samples, but 220 were released` is a riddle in a file of three Tasks' references."""
    sample = '<sample id="1" iid="ASR_1" task="ASR"><audio_path/><reference>Hi.</reference></sample>'
    testset = f'<testset name="x"><task track="short" text_lang="en">{sample}</task></testset>'
    (tmp_path / "MCIF.short.en.ref.xml").write_text(testset, encoding="utf-8")
    exit_code("check", "mcif", "--data", str(tmp_path))
    assert "count: mcif/short/en/QA: 0 samples, but 220 were released" in capfd.readouterr().out
