"""Tests of `construction/datasets/extreme_countix_av.py`: repeated actions under hard conditions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.construction.datasets.folders import laid, read
from tests.construction.released_layouts import film
from triptych.errors import DataError


def test_extreme_countix_av(tmp_path: Path) -> None:
    labels = (
        "youtube_id,repetition_start_frame,repetition_end_frame,start_crop_frame,end_crop_frame,count,class\n"
        "abc,105,115,100,120,4,clapping\nvgg,1,2,0,9,3\nabsent,1,2,0,9,3,jumping\n"
    )
    laid(tmp_path, **{"ExtremeLabels.csv": labels, "Audio/Low illumination/abc.wav": None})
    for condition in ("Low illumination", "Occlusions"):
        (tmp_path / "Videos" / condition).mkdir(parents=True)
        film(tmp_path / "Videos" / condition / "abc.mp4", 1, 2.0, 10, heard=False)
    first, second = read("extreme_countix_av", tmp_path)
    assert first.id == "Low_illumination/abc" and first.fields["audio_file"] == "Audio/Low illumination/abc.wav"
    assert (first.fields["begin"], first.fields["end"], first.fields["count"]) == (0.5, 1.5, 4)
    assert second.fields["condition"] == "Occlusions" and second.fields["audio_file"] is None


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"ExtremeLabels.csv": "a,b\n"}, "number of cells"),
    ],
)
def test_a_malformed_list_is_an_error_that_says_where(files: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        read("extreme_countix_av", laid(tmp_path, **files))
