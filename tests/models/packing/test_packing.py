"""Packings as data: names, files, keys; what each means for the size and the number of frames."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.errors import SpecError
from triptych.models.catalogue import catalogue
from triptych.models.packing.packing import Packing, known_packings, packing
from triptych.models.packing.usual import families


@pytest.mark.parametrize("name", known_packings())
def test_a_named_packing_is_what_its_text_says(name: str) -> None:
    chosen = packing(name)
    assert packing(chosen.text) == chosen and known_packings()[name]["about"]


CAPTIONS = ["", "Frame{number}: ", " a, b={time:.2f} "]


@given(
    fps=st.floats(0, 120),
    frames=st.integers(8, 5000),
    size=st.sampled_from(["", "512", "640x360"]),
    sound=st.sampled_from(["none", "in_video", "apart"]),
    caption=st.sampled_from(CAPTIONS),
)
def test_every_packing_can_be_typed_again(fps: float, frames: int, size: str, sound: str, caption: str) -> None:
    chosen = Packing(video="frames", fps=float(f"{fps:g}"), frames=frames, size=size, sound=sound, caption=caption)
    assert packing(chosen.text) == chosen


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ("nope", "no packing"),
        ("video=film", "unknown value"),
        ("fps=a", "a number"),
        ("fps=inf", "out of range"),
        ("frames=-1", "out of range"),
        ("size=0x3", "size has an invalid value"),
        ("size=big", "size has an invalid value"),
        ("caption={x}", "slot"),
        ("whole,whole", "not key=value"),
        ("fsp=2", "no key"),
        ("channels=2", "channels"),
        ("frames=1,multiple=2", "below"),
        ("/no/such.toml#a", "can't be read"),
    ],
)
def test_wrong_packings_are_refused(told: str, why: str) -> None:
    with pytest.raises(SpecError) as caught:
        packing(told)
    assert why in str(caught.value)


def test_a_file_of_ones_own_has_named_packings(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[few]\nabout = "few"\nvideo = "frames"\nframes = 4\nsound = "none"\n', encoding="utf-8")
    assert packing(f"{file}#few") == packing(str(file)) == packing("frames=4")
    assert packing(f"{file}#few,size=100").size == "100"


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("fps=2,fps=3", "given twice"),
        ("qwen-vl,size=9, size=8", "given twice"),
        ("rate=1", "too low"),
        ("caption={number.__class__}", "unknown slot"),
        ("caption={time:>999999999}", "unknown slot"),
        ("caption={", "unknown slot"),
    ],
)
def test_a_value_that_could_not_count_is_refused(told: str, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        packing(told)
    assert packing("internvl,frames=0,fps=1").frames == 0, "0 takes a limit back"


def test_keys_change_a_named_packing() -> None:
    assert (
        packing("qwen-vl,fps=1").text == "video=frames,fps=1,frames=768,least=4,multiple=2,spread=ends,"
        "pixels=602112,total=180633600,sound=none,order=given"
    )
    assert packing("video=whole,fps=2").video == "whole"
    assert packing("fps=2").sound == "none", "frames that are chosen here have no sound unless it is asked for"


def test_every_packing_of_the_catalogue_and_of_families_exists() -> None:
    for row in catalogue().values():
        assert not row.packing or packing(row.packing).video == "frames"
    for told in families().values():
        packing(told)
