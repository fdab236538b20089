"""Tests of `scoring/documents.py`: scores as one JSON document."""

from __future__ import annotations

from pathlib import Path

import pytest

import triptych
from tests.audit.results.test_credited import mcga
from triptych.scoring.documents import as_document


@pytest.mark.parametrize("replies", [["B", "答案是C"], ["A", "选A"]])
def test_where_there_are_none_nothing_is_said(replies: list[str], tmp_path: Path) -> None:
    scored = triptych.score("mcga", predictions=[mcga(tmp_path / "MCGA_su_test.jsonl", replies)])
    assert not scored.credited
    assert "notes" not in as_document("mcga", scored) or not any(
        "a wrong option" in n for n in as_document("mcga", scored)["notes"]
    )
