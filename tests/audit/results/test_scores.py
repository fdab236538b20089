"""Tests of `audit/results/scores.py`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import triptych
from triptych import audit_run


def test_a_run_folder_whose_stored_scores_were_changed(tmp_path: Path) -> None:
    triptych.run("cmdar/main", "baseline/constant", settings={"letter": "B"}, out=tmp_path / "run")
    assert not [f for f in audit_run([tmp_path / "run"]) if f.kind == "score"]
    path = tmp_path / "run" / "scores" / "official.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    wrong = next(line for line in lines if line["status"] == "scored" and line["numerator"] == 0)
    wrong["numerator"] = 1.0
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (found,) = [f for f in audit_run([tmp_path / "run"]) if f.kind == "score"]
    assert found.severity == "severe" and wrong["unit"] in found.message


def doctored(path: Path, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> list[str]:
    """The words of what is found in a Run whose official Scores were changed."""
    file = path / "scores" / "official.jsonl"
    lines = change([json.loads(line) for line in file.read_text("utf-8").splitlines()])
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return [f.message for f in audit_run([path]) if f.kind == "score"]


def test_scores_taken_out_doubled_or_changed_in_a_repeat_are_found(tmp_path: Path) -> None:
    for name in "abcd":
        triptych.run("cmdar/main", "baseline/random", out=tmp_path / name, repeats=2, limit=6)
    assert doctored(tmp_path / "a", lambda lines: lines) == []

    def mended(line: dict[str, Any]) -> dict[str, Any]:
        return line | {"numerator": 1.0 - line["numerator"]} if line.get("repeat") == 1 else line

    assert "6 stored Scores don't follow" in doctored(tmp_path / "b", lambda lines: [mended(x) for x in lines])[0]
    told = doctored(tmp_path / "c", lambda lines: [x for x in lines if x["numerator"]] + lines[:1])
    assert any("questions have no stored Score" in words for words in told)
    told = doctored(tmp_path / "d", lambda lines: [*lines, lines[0], lines[0] | {"unit": "another"}])
    assert any("1 questions have more than one" in words for words in told)
    assert any("1 stored Scores belong to no question of this Run: another" in words for words in told)


def test_a_summary_that_its_scores_do_not_give(tmp_path: Path) -> None:
    triptych.run("cmdar/main", "baseline/random", out=tmp_path / "run", limit=6)
    file = tmp_path / "run" / "summary.json"
    summary = json.loads(file.read_text("utf-8"))
    summary["protocols"]["official"][0] |= {"value": 99.0, "value_all": 99.0}
    file.write_text(json.dumps(summary), encoding="utf-8")
    (found,) = (f for f in audit_run([tmp_path / "run"]) if f.kind == "score")
    assert found.severity == "severe" and found.published == 99.0 and found.recomputed != 99.0
    assert "1 figures of the summary" in found.message
