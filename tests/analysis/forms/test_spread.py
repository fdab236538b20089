"""Tests of `analysis/forms/spread.py`: the spread over the forms of an Instance, for scores of any kind."""

from __future__ import annotations

from pathlib import Path

import pytest

import triptych


@pytest.mark.parametrize(("seconds", "named"), [(0, False), (7, True)])
def test_settings_that_differ_between_forms_are_named(seconds: int, named: bool, tmp_path: Path) -> None:
    """Fixed and mixed prompts in Runs of their own, with recordings cut in one of them."""
    for prompts, cut in (("fixed", 0), ("mixed", seconds)):
        triptych.run(
            "mcif",
            "baseline/reference",
            filters={"prompts": [prompts], "modality": ["audio"]},
            settings={"audio_seconds": cut} if cut else {},
            out=tmp_path / prompts,
        )
    sections = triptych.analyse([tmp_path / "fixed", tmp_path / "mixed"], kinds=["consistency"])
    assert sections
    notes = [note for section in sections for note in section.notes]
    assert any("the setting audio_seconds differs" in note and ": 7" in note for note in notes) is named
