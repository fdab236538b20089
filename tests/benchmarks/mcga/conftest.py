"""Fixtures that several files of tests of `benchmarks/mcga` share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.mcga.rows_for_tests import ROW, write
from triptych.benchmarks.mcga.names import SPEECH_TASKS


@pytest.fixture
def released(tmp_path: Path) -> Path:
    for task in SPEECH_TASKS:
        write(tmp_path, f"MCGA_{task}_test.jsonl", ROW)
    return tmp_path
