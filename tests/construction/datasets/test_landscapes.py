"""Tests of `construction/datasets/landscapes.py`: natural scenes with their class."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.construction.datasets.folders import laid, only, read
from triptych.errors import DataError


def test_landscapes_by_folder_and_by_name(tmp_path: Path) -> None:
    by_folder = laid(tmp_path / "a", **{"fire_crackling/x_1.mp4": None, "fire_crackling/x_1.wav": None})
    fields = only("landscapes", by_folder)
    assert (fields["label"], fields["audio_file"]) == ("fire crackling", "fire_crackling/x_1.wav")
    by_name = laid(tmp_path / "b", **{"train/fire_crackling_141_2_1.mp4": None, "test/thunder_3.mp4": None})
    assert [(r.fields["split"], r.fields["label"]) for r in read("landscapes", by_name)] == [
        ("test", "thunder"),
        ("train", "fire crackling"),
    ]
    with pytest.raises(DataError, match="no class"):
        read("landscapes", laid(tmp_path / "c", **{"train/x.mp4": None}))
