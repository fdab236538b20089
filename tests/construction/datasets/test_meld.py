"""Tests of `construction/datasets/meld.py`: MELD."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.construction.datasets.folders import laid, read
from triptych.construction.datasets.meld import seconds_of
from triptych.errors import DataError


def test_hours_may_have_one_digit() -> None:
    assert seconds_of("1:00:00,5", "") == 3600.5


HEADING = "Sr No.,Utterance,Speaker,Emotion,Sentiment,Dialogue_ID,Utterance_ID,Season,Episode,StartTime,EndTime\n"


DEV = (
    '1,"Oh no, he’s lost it.",Ann,sadness,negative,0,0,4,7,"00:20:57,256","00:21:00,049"\n'
    '2,What?,Ben,surprise,negative,0,1,4,7,"0:21:01,927","0:21:03,261"\n'
)


def test_meld_has_a_list_and_a_folder_for_each_split(tmp_path: Path) -> None:
    laid(
        tmp_path,
        **{
            "dev_sent_emo.csv": HEADING + DEV,
            "test_sent_emo.csv": HEADING + DEV.splitlines()[1] + "\n",
            "dev_splits_complete/dia0_utt0.mp4": None,
            "output_repeated_splits_test/dia0_utt1.mp4": None,
            "output_repeated_splits_test/final_videos_testdia0_utt1.mp4": None,
        },
    )
    first, second, test = read("meld", tmp_path)
    assert first.id == "dev/dia0_utt0" and first.fields["label"] == "sadness" and first.fields["seconds"] == 2.793
    assert first.fields["transcript"] == "Oh no, he’s lost it."
    assert first.fields["video_file"] == "dev_splits_complete/dia0_utt0.mp4" and second.fields["video_file"] is None
    assert test.fields["video_file"] == "output_repeated_splits_test/dia0_utt1.mp4" and test.fields["split"] == "test"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (DEV.replace("sadness", "boredom"), "no such emotion"),
        (DEV.replace("00:20:57,256", "57"), "not a valid time"),
        (DEV.replace(",0,0,4,7", ",x,0,4,7"), "not a number"),
        ("1,2,3\n", "another number of cells"),
    ],
)
def test_malformed_lists_of_meld_are_refused_with_their_line(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(DataError, match=message) as error:
        read("meld", laid(tmp_path, **{"train_sent_emo.csv": HEADING + row}))
    assert "line 2" in str(error.value)


def test_a_folder_without_a_list_of_meld_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="a list of the data set is missing"):
        read("meld", tmp_path)
