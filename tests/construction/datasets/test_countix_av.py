"""Tests of `construction/datasets/countix_av.py`: repeated actions with their number."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.construction.datasets.folders import laid, read
from triptych.errors import DataError

COUNTIX = {
    "CountixAV_test.csv": "video_id,kinetics_start,kinetics_end,repetition_start,repetition_end,count\n"
    "0CnQ-_e5Sl8,17,27,18.500000,20.233333,4.0\n0CnQ-_e5Sl8,17,27,21.633333,24.166667,6.0\n"
    "0rvWeDPPQ3M,7,17,7.000000,17.000000,3.0\nmissing,1,2,1.0,2.0,5.0\n",
    "test/0CnQ-_e5Sl8_000017_000027.mp4": None,
    "test/0rvWeDPPQ3M.mp4": None,
    "audio/0rvWeDPPQ3M.wav": None,
}


def test_countix_av(tmp_path: Path) -> None:
    first, second, third, missing = read("countix_av", laid(tmp_path, **COUNTIX))
    assert (first.fields["count"], first.fields["begin"], first.fields["end"]) == (4, 1.5, 3.233)  # in the clip
    assert second.fields["count"] == 6 and second.id != first.id
    assert (third.fields["begin"], third.fields["end"]) == (7, 17)  # in the whole video
    assert third.fields["audio_file"] == "audio/0rvWeDPPQ3M.wav" and third.fields["split"] == "test"
    assert missing.fields["video_file"] is None


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"CountixAV_val.csv": "h,h,h,h,h,h\na,0,10,5,5,3\n"}, "no span"),
        ({"CountixAV_val.csv": "h,h,h,h,h,h\na,0,10,1,5,3.5\n"}, "whole count"),
    ],
)
def test_a_malformed_list_is_an_error_that_says_where(files: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        read("countix_av", laid(tmp_path, **files))
