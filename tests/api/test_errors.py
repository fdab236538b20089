"""Tests of `api/errors.py`: kinds of errors of stored Runs, corrections of people, and arguments that are wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.errors import kinds
from triptych import api
from triptych.api.errors import analyse_errors
from triptych.errors import SpecError


def test_a_stored_run(run_with_errors: Path, tmp_path: Path) -> None:
    section = analyse_errors([run_with_errors])
    assert {k: v for k, v in kinds(section).items() if k != "no_answer"} == {"refusal": 1, "format": 1, "content": 1}
    wrong = next(row[2] for row in section.listings[0].rows if row[1] == "content")
    notes = tmp_path / "notes.csv"
    notes.write_text(f"item,kind,note\n{wrong},perception,heard the dog as a cat\n", encoding="utf-8")
    assert kinds(analyse_errors([run_with_errors], corrections=notes)).get("perception") == 1
    lines = tmp_path / "notes.jsonl"
    lines.write_text(json.dumps({"item": wrong, "verdict": "right"}) + "\n", encoding="utf-8")
    assert "content" not in kinds(analyse_errors([run_with_errors], corrections=lines))
    lines.write_text(json.dumps({"item": wrong, "kind": "perceptoin"}) + "\n", encoding="utf-8")
    assert any("perceptoin" in note for note in analyse_errors([run_with_errors], corrections=lines).notes)


def test_a_category_that_no_question_has_is_refused(run_with_errors: Path) -> None:
    with pytest.raises(SpecError, match="did you mean 'category'"):
        analyse_errors([run_with_errors], by="categroy")
    estimates = analyse_errors([run_with_errors], by="task").estimates
    assert {e.slice["category"] for e in estimates if "category" in e.slice} == {"cmdar/main"}


def test_runs_need_not_be_scored_under_the_same_protocols(run_with_errors: Path, tmp_path: Path) -> None:
    strict = tmp_path / "strict"
    # The official protocol alone doesn't read the answer in the wrong form, so its content counts as wrong.
    replies = {"path": str(tmp_path / "results.json")}
    api.run("cmdar/main", "replay/made", out=strict, settings=replies, protocols=["official"])
    estimates = [e for e in analyse_errors([run_with_errors, strict]).estimates if "category" not in e.slice]
    content = {e.runs[0].rpartition(" ")[2]: e.counts["count"] for e in estimates if e.slice["kind"] == "content"}
    assert content == {"[run]": 1, "[strict]": 2}
