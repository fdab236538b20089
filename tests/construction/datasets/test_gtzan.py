"""Tests of `construction/datasets/gtzan.py`: music in ten genres."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.construction.datasets.folders import laid, read
from triptych.errors import DataError


@pytest.mark.parametrize("root", ["genres_original", "Data/genres_original", "genres"])
def test_gtzan_has_a_folder_for_each_genre(tmp_path: Path, root: str) -> None:
    end = "au" if root == "genres" else "wav"
    laid(tmp_path, **{f"{root}/{genre}/{genre}.00003.{end}": None for genre in ("rock", "blues")})
    found = read("gtzan", tmp_path)
    assert [(record.id, record.fields["label"]) for record in found] == [
        ("blues.00003", "blues"),
        ("rock.00003", "rock"),
    ]
    assert found[0].fields["audio_file"] == f"{root}/blues/blues.00003.{end}"


@pytest.mark.parametrize(
    "name",
    [
        "genres_original/blues/rock.00001.wav",
        "genres_original/polka/polka.00001.wav",
        "genres_original/blues/blues.1.wav",
    ],
)
def test_what_is_not_named_as_in_gtzan_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match="not in a genre's folder"):
        read("gtzan", laid(tmp_path, **{name: None}))
    with pytest.raises(DataError, match="no recordings"):
        read("gtzan", tmp_path / "genres_original")
