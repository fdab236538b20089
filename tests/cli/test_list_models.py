"""Tests of `triptych list models`: by paper, tag and status, and everything known of one model."""

from __future__ import annotations

import json

import pytest

from triptych.cli.main import main


def exit_code(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    assert isinstance(stop.value.code, int)
    return stop.value.code


def test_models_are_listed_by_paper_and_in_full(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("list", "models", "cmdar", "--tag", "rl", "--json") == 0
    rows = json.loads(capsys.readouterr().out)
    assert {"qwen2-audio-7b", "omni-r1"} <= {row["name"] for row in rows}
    assert all(row["benchmarks"] and row["from"] == "catalogue" for row in rows)
    assert exit_code("list", "models", "Qwen/Qwen2.5-Omni-7B") == 0
    shown = capsys.readouterr().out
    assert "Qwen2_5OmniThinkerForConditionalGeneration" in shown and "correction" in shown
