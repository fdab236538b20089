"""Tests of `construction/datasets/solos.py`: auditions of instruments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.construction.datasets.folders import laid, only, read
from triptych.errors import DataError


def test_solos(tmp_path: Path) -> None:
    stamps = {"DoubleBass": {"abc": [[0, 250], [300, 425]], "none": []}, "Violin": {"def": [[25, 50]]}}
    laid(tmp_path, **{"solos_timestamps.json": json.dumps(stamps), "DoubleBass/abc.mp4": None})
    first, second, third = read("solos", tmp_path)
    assert first.fields["label"] == "double bass" and (second.fields["begin"], second.fields["end"]) == (12, 17)
    assert first.fields["video_file"] == "DoubleBass/abc.mp4" and third.fields["video_file"] is None


def test_solos_by_ids_alone(tmp_path: Path) -> None:
    fields = only("solos", laid(tmp_path, **{"solos_ids.json": '{"Viola": ["x"]}', "Viola/x.webm": None}))
    assert "begin" not in fields and fields["video_file"] == "Viola/x.webm"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"solos_timestamps.json": '{"Tuba": {"a": [[5, 5]]}}'}, "ends before"),
        ({"solos_timestamps.json": '{"Tuba": {"a": [[5]]}}'}, "malformed"),
    ],
)
def test_a_malformed_list_is_an_error_that_says_where(files: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        read("solos", laid(tmp_path, **files))
