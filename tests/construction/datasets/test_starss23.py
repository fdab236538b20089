"""Tests of `construction/datasets/starss23.py`: recordings with the direction of every event."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.construction.datasets.folders import laid, only, read
from triptych.errors import DataError

STARSS = {
    "metadata_dev/dev-train-sony/fold3_room21_mix001.csv": "0,1,0,10,-5,200\n1,1,0,12,-5,210\n1,8,2,-90,0,150\n"
    "5,1,0,14,-5,220\n",
    "foa_dev/dev-train-sony/fold3_room21_mix001.wav": None,
    "mic_dev/dev-train-sony/fold3_room21_mix001.wav": None,
    "video_dev/dev-train-sony/fold3_room21_mix001.mp4": None,
}


def test_starss23(tmp_path: Path) -> None:
    fields = only("starss23", laid(tmp_path, **STARSS))
    assert fields["foa_file"] == "foa_dev/dev-train-sony/fold3_room21_mix001.wav"
    assert fields["mic_file"].startswith("mic_dev/") and fields["video_file"].endswith("mix001.mp4")
    first, music, again = fields["events"]
    assert first == {
        "label": "male speech, man speaking",
        "source": 0,
        "begin": 0.0,
        "end": 0.2,
        "azimuth": [10, 12],
        "elevation": [-5, -5],
        "distance": [2.0, 2.1],
    }
    assert (music["label"], music["begin"], music["azimuth"]) == ("music", 0.1, [-90])
    assert (again["begin"], again["end"]) == (0.5, 0.6)
    assert fields["split"] == "dev-train-sony" and fields["licence"] == "MIT"


def test_starss22_without_distances(tmp_path: Path) -> None:
    files = {"metadata_dev/dev-test-tau/x.csv": "3,12,1,-180,90\n"}
    (event,) = only("starss23", laid(tmp_path, **files))["events"]
    assert event["distance"] == [None] and event["label"] == "knock"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"metadata_dev/dev-x/a.csv": "0,13,0,0,0,100\n"}, "unknown class"),
        ({"metadata_dev/dev-x/a.csv": "0,1,0,200,0,100\n"}, "unknown class"),
        ({"metadata_dev/dev-x/a.csv": "-1,1,0,0,0,100\n"}, "not a number"),
        ({"metadata_dev/dev-x/a.csv": "0,1,0,nan,0,100\n"}, "not a number"),
    ],
)
def test_a_malformed_list_is_an_error_that_says_where(files: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        read("starss23", laid(tmp_path, **files))


def test_an_event_that_pauses_for_a_frame_is_two_events(tmp_path: Path) -> None:
    files = {"metadata_dev/dev-x/a.csv": "0,1,0,0,0,100\n1,1,0,0,0,100\n3,1,0,0,0,100\n1,1,1,0,0,100\n"}
    events = only("starss23", laid(tmp_path, **files))["events"]
    assert [(event["source"], event["begin"], event["end"]) for event in events] == [
        (0, 0.0, 0.2),
        (1, 0.1, 0.2),
        (0, 0.3, 0.4),
    ]
