"""Converters, on small folders in the layout of the released data sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.construction.datasets.folders import URMP, VGG, laid, read
from triptych.construction import datasets
from triptych.construction.engine.context import Context
from triptych.construction.engine.media import MediaStore
from triptych.construction.parameters import Parameters
from triptych.errors import DataError, SpecError


def test_every_data_set_is_described_with_its_layout() -> None:
    known = datasets.known_datasets()
    expected = {"countix_av", "extreme_countix_av", "landscapes", "solos", "starss23", "urbansas", "urmp", "vggsound"}
    assert expected <= known.keys()
    for each in known.values():
        assert each.about.endswith(".") and each.layout, each.name


def test_an_unknown_name_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="starss23"):
        read("starss2", tmp_path)


@pytest.mark.parametrize("name", sorted(datasets.known_datasets()))
def test_an_empty_folder_and_none_are_refused(name: str, tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(DataError):
            read(name, folder)


def test_a_recipe_starts_from_records_with_the_hashes_of_their_media(tmp_path: Path) -> None:
    laid(tmp_path / "data/vgg", **{**VGG, "video/---g-f_I2yQ_000001.mp4": b"film"})
    context = Context(Parameters(), MediaStore(tmp_path / "build"), base=tmp_path)
    first, second = datasets.starts("vggsound", Path("data/vgg"), context)
    fields = first.record.fields
    assert fields["video_file"] == "data/vgg/video/---g-f_I2yQ_000001.mp4"
    assert (
        fields["video_file_sha256"] == context.sha256(fields["video_file"]) and len(fields["video_file_sha256"]) == 64
    )
    assert "video_file_sha256" not in second.record.fields
    assert first.makers["label"].kind == "source" and first.makers["label"].name == "vggsound"


def test_the_parts_of_a_piece_are_hashed_too(tmp_path: Path) -> None:
    laid(tmp_path / "sets/urmp", **URMP)
    context = Context(Parameters(), MediaStore(tmp_path / "build"), base=tmp_path)
    (begun,) = datasets.starts("urmp", Path("sets/urmp"), context)
    fields = begun.record.fields
    assert fields["parts"][0]["audio_file"] == "sets/urmp/Dataset/01_Jupiter_vn_vc/AuSep_1_vn_01_Jupiter.wav"
    assert fields["parts_sha256"] == [context.sha256(part["audio_file"]) for part in fields["parts"]]
