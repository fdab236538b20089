"""Tests of `media/hashes.py`."""

from __future__ import annotations

from pathlib import Path

from tests.conditions.test_ocr import ITEM
from triptych.media.hashes import with_hashes


def test_hashes_of_what_cant_be_read_stay_empty(tmp_path: Path) -> None:
    assert with_hashes(ITEM, tmp_path) == ITEM
