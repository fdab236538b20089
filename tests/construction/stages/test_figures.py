"""Tests of `construction/stages/_figures.py`: figures of the media and texts of questions."""

from __future__ import annotations

import io
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from triptych.construction.engine.media import MediaStore
from triptych.construction.record import Record
from triptych.construction.stages._figures import figures, surface_cues_of
from triptych.errors import DataError
from triptych.media.sound.coding import encode_wav


def test_a_text_has_figures_and_a_medium_that_is_damaged_has_none(tmp_path: Path) -> None:
    store = MediaStore(tmp_path)
    assert figures("Two birds", store)["words"] == pytest.approx(log(3))
    for extension in ("wav", "png", "mp4", "ogg"):
        assert figures(store.put(b"no medium " + extension.encode(), extension), store) == {}
    with pytest.raises(DataError):
        figures(f"media/ab/ab{'0' * 62}.wav", store)


def test_sounds_are_measured_by_length_and_pictures_by_brightness(tmp_path: Path) -> None:
    store = MediaStore(tmp_path)
    tone = (0.1 * np.sin(np.arange(16_000) / 5)).astype(np.float32)
    measured = figures(store.put(encode_wav(tone.reshape(-1, 1), 8_000), "wav"), store)
    assert measured["seconds"] == pytest.approx(log(2))
    buffer = io.BytesIO()
    Image.new("RGB", (64, 32), (200, 200, 200)).save(buffer, "PNG")
    measured = figures(store.put(buffer.getvalue(), "png"), store)
    assert measured["brightness"] == pytest.approx(200) and measured["pixels"] == pytest.approx(log(64 * 32))


def question(**more: Any) -> dict[str, Any]:
    return {"context": "雨", "options": ["rain", "two dogs"], "answers": [1], "instance": 7, **more}


def test_questions_with_one_correct_option_are_measured(tmp_path: Path) -> None:
    records = [Record("q1", question()), Record("q2", question(answers=[0, 1])), Record("q3", question(answers=[]))]
    (one,) = surface_cues_of(records, MediaStore(tmp_path))
    assert (one.id, one.answer, one.group) == ("q1", 1, "7")
    assert one.stem == figures("雨", MediaStore(tmp_path)) and one.options[1]["words"] == pytest.approx(log(3))
    assert surface_cues_of([], MediaStore(tmp_path)) == []
