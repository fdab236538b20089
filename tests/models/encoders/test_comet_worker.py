"""Tests of `models/encoders/comet_worker.py`: its lines, against a stand-in of the package `comet`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.comet import stand_in
from triptych.models.encoders.comet import WORKER

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the stand-in is a shell script")
ROWS = [
    {"src": "床前明月光", "mt": "Moonlight before\u2028my bed", "ref": "Before my bed the bright moonlight"},
    {"src": "", "mt": "", "ref": ""},
    {"src": "a", "mt": "b", "ref": "c\nd"},
]


def worked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: list[Any], **head: Any) -> tuple[int, list[Any], str]:
    """(exit code, lines on standard output, standard error)."""
    models = stand_in(tmp_path, monkeypatch)
    checkpoint = models / "wmt22-comet-da" / "checkpoints" / "model.ckpt"
    lines = [{"model": str(checkpoint), "batch": 8, "device": "cpu", **head}, *rows]
    said = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n"
    command = [os.environ["TRIPTYCH_COMET_PYTHON"], "-I", str(WORKER)]
    done = subprocess.run(command, input=said.encode(), capture_output=True, check=False)
    return (
        done.returncode,
        [json.loads(line) for line in done.stdout.decode().split("\n") if line],
        done.stderr.decode(),
    )


def test_a_score_for_each_line_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, lines, noise = worked(tmp_path, monkeypatch, ROWS)
    expected = [len(row["src"]) + len(row["mt"]) / 10 + len(row["ref"]) / 100 for row in ROWS]
    assert code == 0 and [line["score"] for line in lines] == expected, "each alone, so that nothing is padded"
    assert "a progress bar" in noise and "libraries like to talk" in noise


def test_nothing_to_score_loads_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert worked(tmp_path, monkeypatch, [], model="/nowhere.ckpt")[:2] == (0, [])


def test_an_error_is_the_last_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, lines, _ = worked(tmp_path, monkeypatch, ROWS, model="/nowhere.ckpt")
    assert code == 1 and len(lines) == 1
    assert lines[0]["error"].startswith("FileNotFoundError: ") and "/nowhere.ckpt" in lines[0]["error"]


def test_a_row_without_a_text_is_an_error_without_scores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, lines, _ = worked(tmp_path, monkeypatch, [*ROWS, {"src": "a", "mt": "b"}])
    assert code == 1 and lines == [{"error": "KeyError: 'ref'"}]
