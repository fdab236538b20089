"""Tests of `construction/datasets/pop_singers.py`: songs with a photograph of their singer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.construction.datasets.folders import laid, only, read
from triptych.errors import DataError

DAVID: dict[str, Any] = {
    "David_Tao/audio/David_Tao_song_1.wav": None,
    "David_Tao/audio/David_Tao_song_1_seg00.wav": None,
    "David_Tao/audio/David_Tao_song_2.mp3": None,
    "David_Tao/audio/David_Tao_song_3.wav": None,
    "David_Tao/images/0001.jpg": None,
    "David_Tao/images/0002.png": None,
    "David_Tao/meta.json": json.dumps({"name": "陶喆", "region": "Taiwan", "genre": "R&B", "timestamp": "2025"}),
}


def test_each_song_has_the_next_photograph_of_its_singer(tmp_path: Path) -> None:
    records = read("pop_singers", laid(tmp_path, **DAVID, **{"Zoë/audio/a.wav": None}))
    assert [(record.id, record.fields["audio_file"], record.fields["image_file"]) for record in records] == [
        ("David_Tao/00", "David_Tao/audio/David_Tao_song_1.wav", "David_Tao/images/0001.jpg"),
        ("David_Tao/01", "David_Tao/audio/David_Tao_song_2.mp3", "David_Tao/images/0002.png"),
        ("David_Tao/02", "David_Tao/audio/David_Tao_song_3.wav", "David_Tao/images/0001.jpg"),
    ]
    assert records[0].fields["label"] == "陶喆" and records[0].fields["text"] == "陶喆, Taiwan, R&B"
    assert records[0].fields["licence"] == "LicenseRef-YouTube" and records[0].fields["licences"] == ["", ""]
    assert records[1].sources == ("pop_singers:David_Tao/David_Tao_song_2.mp3",)


def test_a_singer_is_called_by_the_folder_without_a_name(tmp_path: Path) -> None:
    files = {"Ariana_Grande/audio/a.wav": None, "Ariana_Grande/images/1.jpg": None}
    fields = only("pop_singers", laid(tmp_path, **files))
    assert fields["label"] == fields["text"] == "Ariana Grande" and fields["genre"] == ""


@pytest.mark.parametrize(
    ("song", "photograph", "licence"),
    [
        ("CC BY 4.0", "CC BY-SA 4.0", "CC-BY-SA-4.0"),  # the stricter one holds for both
        ("CC BY-SA 3.0", "Public domain", "CC-BY-SA-3.0"),
        ("CC0", "cc-by-2.0", "CC-BY-2.0"),
        ("CC0", "PD", "CC0-1.0"),
        ("CC BY 4.0", "All rights reserved", "LicenseRef-YouTube"),
        ("CC BY-NC 4.0", "CC0", "LicenseRef-YouTube"),
        ("", "CC BY 4.0", "LicenseRef-YouTube"),
        ("CC BY 4.0", "", "LicenseRef-YouTube"),
    ],
)
def test_the_licence_is_open_only_if_both_files_are(tmp_path: Path, song: str, photograph: str, licence: str) -> None:
    files = {
        "A/audio/a.wav": None,
        "A/images/1.jpg": None,
        "A/audio.csv": f"file,license\n/data/A/audio/a.wav,{song}\n",
        "A/images.csv": f"file,license,artist\nC:\\data\\A\\images\\1.jpg,{photograph},A. Person\n",
    }
    fields = only("pop_singers", laid(tmp_path, **files))
    assert fields["licence"] == licence and fields["licences"] == [song, photograph]


@pytest.mark.parametrize("content", ['{"name": 5}', "[]", "{", b"\xff\xfe"])
def test_malformed_facts_about_a_singer_are_refused_with_their_file(tmp_path: Path, content: str | bytes) -> None:
    files = {"A/audio/a.wav": None, "A/images/1.jpg": None, "A/meta.json": content}
    with pytest.raises(DataError) as error:
        read("pop_singers", laid(tmp_path, **files))
    assert "meta.json" in str(error.value)


def test_folders_without_songs_are_no_singers(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no singers") as error:
        read("pop_singers", laid(tmp_path, **{"A/images/1.jpg": None}))
    assert "NAME/audio" in str(error.value)
