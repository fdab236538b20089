"""The Request as it was sent, held to the journal's key; what judges said, read by their rubrics."""

from __future__ import annotations

from pathlib import Path

from tests.viewer.runs import HOSTILE_ID
from triptych.store.folder import RunFolder
from triptych.viewer.exchange import judges_said
from triptych.viewer.index import open_index
from triptych.viewer.query import Questions


def test_verdicts_are_read_by_their_rubric(root: Path) -> None:
    folder = RunFolder.open(root / "hostile")
    rows = Questions(open_index(folder)).verdicts(HOSTILE_ID)
    known, unknown = sorted(judges_said(folder, rows), key=lambda said: not said.rubric)
    assert (known.judge, known.parsed, known.order) == ("openai/judge", "REASONING", "straight")
    assert known.rubric.startswith("error_kind@")
    assert (unknown.judge, unknown.marks, unknown.evaluation, unknown.attempt) == ("unknown-judge", (), 1, 1)
