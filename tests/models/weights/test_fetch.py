"""Tests of `models/weights/fetch.py`: sets of weights by name, from the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.models.weights.test_resolver import HUB_PATH, WHOLE, Shelf, a_resolver
from triptych.models.weights.fetch import fetch


@pytest.fixture(autouse=True)
def mirrors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list with the set `tiny`."""
    monkeypatch.setenv("TRIPTYCH_WEIGHTS_MIRRORS", str(a_resolver(tmp_path).mirrors))


def test_each_set_is_fetched_and_its_folder_named(
    tmp_path: Path, shelf: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    shelf.files[HUB_PATH] = WHOLE
    assert fetch(["tiny", "tiny"]) == 0
    folder = tmp_path / "cache" / "weights" / "tiny"
    assert (folder / "model.bin").read_bytes() == WHOLE and len(shelf.asked) == 1
    printed = capsys.readouterr()
    assert printed.err.count(f"tiny: {folder}\n") == 2 and printed.out == ""


def test_an_unknown_set_ends_it_with_the_nearest_name(shelf: Shelf, capsys: pytest.CaptureFixture[str]) -> None:
    shelf.files[HUB_PATH] = WHOLE
    assert fetch(["tinny", "tiny"]) == 2
    assert "unknown set of weights 'tinny'" in (said := capsys.readouterr().err) and "did you mean 'tiny'" in said
    assert shelf.asked == []


def test_a_set_that_no_source_has_says_what_was_tried(shelf: Shelf, capsys: pytest.CaptureFixture[str]) -> None:
    assert fetch(["tiny"]) == 2
    said = capsys.readouterr().err
    assert "no source has tiny/model.bin" in said and "404" in said and "TRIPTYCH_WEIGHTS_DIR" in said


def test_nothing_to_fetch_asks_nobody(shelf: Shelf) -> None:
    assert fetch([]) == 0 and shelf.asked == []


def test_it_is_a_command(tmp_path: Path, shelf: Shelf) -> None:
    shelf.files[HUB_PATH] = WHOLE
    command = [sys.executable, "-m", "triptych.models.weights.fetch", "tiny"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "cache" / "weights" / "tiny" / "model.bin").read_bytes() == WHOLE
