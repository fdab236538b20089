"""Tests of `conditions/given_text.py`: texts about media, added to them or instead of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.records.test_repeated_keys import TWICE
from triptych.analysis.raters.ratings import read_ratings
from triptych.conditions.given_text import _read_table
from triptych.construction.tables import read_table
from triptych.errors import DataError
from triptych.judges.panel import load_descriptions


@pytest.mark.parametrize(
    "read", [_read_table, load_descriptions, lambda path: read_ratings(path), lambda path: read_table(path, ("id",))]
)
def test_other_files_are_refused(read: Callable[[Path], Any], tmp_path: Path) -> None:
    path = tmp_path / "given.jsonl"
    path.write_bytes(TWICE)
    with pytest.raises(DataError, match='the key "answer" is there twice, with the values "A" and "B"'):
        read(path)
