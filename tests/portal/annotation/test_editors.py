"""Tests of `portal/annotation/editors.py`: the editor of a task."""

from __future__ import annotations

from tests.portal.annotation.test_annotation import GENERAL, LINES, TALK, TRANSCRIPT
from triptych.portal.annotation.editors import state_of


def test_editors_begin_with_the_draft_or_the_general_questions() -> None:
    assert [one["question"] for one in state_of(TALK)["answers"]["questions"]] == list(GENERAL)
    lines = state_of(LINES)
    assert lines["answers"] == {"text": "Wir zählen.\nSie nisten."} and lines["times"] == [3.5, 3.5]
    short = {**LINES, "shows": {**LINES["shows"], "draft": ["Eine Zeile."]}}  # type: ignore[dict-item]
    assert state_of(short)["answers"] == {"text": "\n"}  # a draft with another number of lines is no help
    transcript = state_of(TRANSCRIPT)
    assert transcript["times"] == [0.0, 4.2] and transcript["source"] is None
