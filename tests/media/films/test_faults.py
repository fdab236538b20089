"""Tests of `media/films/faults.py`: films whose pictures are missing for a large part."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.media.sound.test_faults import RATE
from tests.voices import syllables
from triptych.media.films.faults import film_fault


def film(path: Path, pictures: Iterator[Any], sound_s: float = 0.0) -> Path:
    """A film of four pictures a second, with a voice of some length."""
    av = pytest.importorskip("av", reason="PyAV comes with the extra [local]")
    with av.open(str(path), "w") as box:
        shown = box.add_stream("libx264", rate=4, options={"preset": "ultrafast"})
        shown.width, shown.height, shown.pix_fmt = 96, 64, "yuv420p"
        heard = box.add_stream("aac", rate=RATE, layout="mono") if sound_s else None
        for picture in pictures:
            box.mux(shown.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        box.mux(shown.encode(None))
        if heard is not None:
            frame = av.AudioFrame.from_ndarray(syllables(sound_s, 1).reshape(1, -1), format="flt", layout="mono")
            frame.sample_rate = RATE
            box.mux([*heard.encode(frame), *heard.encode(None)])
    return path


def moving(seconds: float, dark: float = 1.0) -> Iterator[Any]:
    """A bright square that moves over a dark, structured picture."""
    ground = np.add.outer(np.arange(64), np.arange(96)).astype(np.float64)
    for number in range(round(4 * seconds)):
        picture = np.repeat(ground[:, :, None], 3, axis=2)
        picture[8 + number % 40 :, (7 * number) % 80 :][:16, :16] = 250
        yield (picture * dark).astype(np.uint8)


def still(seconds: float, level: int | None = None, slide: int = 0) -> Iterator[Any]:
    last = list(moving(5))[slide] if level is None else np.full((64, 96, 3), level, np.uint8)
    yield from [last] * round(4 * seconds)


def test_films_that_are_black_frozen_or_too_short_are_found(tmp_path: Path) -> None:
    def fault(pictures: list[Any], sound_s: float = 0.0) -> str:
        result = film_fault(film(tmp_path / "f.mp4", iter(pictures), sound_s))
        return result[0] if result else ""

    assert fault([*moving(6), *still(34, 0)]) == "film-shows-nothing"
    assert fault([*still(40, 16)]) == "film-shows-nothing"
    assert fault([*moving(12), *still(28)]) == "film-frozen"
    assert fault([*moving(20)], 40) == "film-ends-early"
    # sound ones: a short black ending, a night, a slide that stays, slides that follow a speaker
    assert fault([*moving(34), *still(6, 0)], 40) == ""
    assert fault([*moving(40, dark=0.1)]) == ""
    assert fault([*still(40)]) == ""
    assert fault([*moving(12), *still(14), *still(14, slide=9)]) == ""
