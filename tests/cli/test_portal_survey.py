"""Tests of `triptych portal survey`: a survey is pushed and pulled, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_portal import ended

pytest.importorskip("sqlalchemy", reason="the portal's packages are not installed")


def test_a_survey_is_pushed_and_nobody_has_begun(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = ["--project", str(tmp_path / "p")]
    command = ["survey", "push", "cmdar", "--per-cell", "2", "--form", "cmdar/open=rating:1-5", *project]
    code, out, _ = ended(capsys, *command, "--json")
    assert code == 0 and json.loads(out) == {
        "queue": "cmdar",
        "kind": "survey",
        "added": 14,
        "open": 14,
        "closed": 0,
        "again": 0,
    }
    code, _, said = ended(capsys, *command)
    assert code == 0 and "cmdar: 3 cells, 14 questions open, 0 new, 0 closed" in said
    code, _, said = ended(capsys, "survey", "pull", "cmdar", "--to", str(tmp_path / "runs"), *project)
    assert code == 2 and "no participant counts in the survey" in said and not (tmp_path / "runs").exists()
    code, _, said = ended(capsys, "survey", "push", "cmdar", "--form", "essay", *project)
    assert code == 2 and "unknown form" in said
    code, _, said = ended(capsys, "survey", "push", "cmdar", "--per-cell", "2")
    assert code == 2 and "one portal must be given" in said
