"""Segments of talks from a YAML file of SHAS, as its authors' tools write it."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.construction.recipes._mcif_material import given_segments
from triptych.errors import DataError

WRITTEN = """[{duration: 3.5, offset: 10.25, rW: 0, speaker_id: NA, uW: 0, wav: b.wav},
  {duration: 2.0, offset: 4.0, rW: 0, speaker_id: NA, uW: 0, wav: a.wav},
  {duration: 1.5, offset: 0.5, rW: 0, speaker_id: NA, uW: 0, wav: 'a.wav'}]
"""
LISTED = "- {duration: 1.500000, offset: 0.500000, speaker_id: spk.1, wav: a.wav}\n"


@pytest.mark.parametrize(("content", "expected"), [(WRITTEN, [[0.5, 2.0], [4.0, 6.0]]), (LISTED, [[0.5, 2.0]])])
def test_a_talk_has_its_own_segments_in_order(tmp_path: Path, content: str, expected: list[list[float]]) -> None:
    (tmp_path / "shas.yaml").write_text(content, encoding="utf-8")
    assert given_segments(tmp_path, {"segments": "shas.yaml", "path": "talks/a.mp4"}) == expected


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (WRITTEN, "no segment of this talk"),
        ("{}", "no segment"),
        ("{duration: x, offset: 1, wav: c.wav}", "no offset"),
        ("!!python/object:os.system {}", "no segment"),
    ],
)
def test_a_file_without_them_is_an_error(tmp_path: Path, content: str, said: str) -> None:
    (tmp_path / "shas.yml").write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=said):
        given_segments(tmp_path, {"segments": "shas.yml", "path": "c.mp4"})
