"""Fixtures that several files of tests of `benchmarks/questions` share."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.benchmarks.questions.test_outputs import CAPITALS
from tests.store.conftest import small_blocks as small_blocks


@pytest.fixture
def questions(tmp_path: Path) -> str:
    file = tmp_path / "capitals.jsonl"
    rows = [
        {"id": number, "question": f"Capital of {land}?", "options": [*CAPITALS.values()], "answer": "ABCD"[number - 1]}
        for number, land in enumerate(CAPITALS, 1)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(file)
