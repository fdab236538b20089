"""Tests of `media/films/changes.py`: changes of videos."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("av", reason="av is not installed")

from tests.support.known_films import known_film
from triptych.media.films.frames import film


def test_turned_films_stay_upright_when_they_are_changed_or_cut(tmp_path: Path) -> None:
    from triptych.media.films.changes import glimpse, mute, with_pictures
    from triptych.media.segments import cut_video

    data = known_film(20, turned=90, sound=2.0)
    (tmp_path / "a.mp4").write_bytes(data)
    made = (mute(data), with_pictures(data, lambda pixels: pixels), cut_video(tmp_path / "a.mp4", (0.0, 1.0)))
    assert [film(one, None, 1).pictures[0].shape[:2] for one in made] == [(64, 48)] * 3
    assert glimpse(data)[1].size == (48, 64)
