"""Tests of `benchmarks/questions`: messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.questions.tables import refused
from tests.benchmarks.questions.test_items_released_columns import items, written


def test_one_message_for_one_fault_of_messages(tmp_path: Path) -> None:
    row = {"messages": [{"role": r, "content": "x"} for r in ("system", "user", "assistant")]}
    told = refused(written(tmp_path, "q.jsonl", [row]))
    assert "1 fault;" in told and "there is no answer" not in told


@pytest.mark.parametrize("own", ["query", "Prompt", "messages"])
def test_a_dictionary_with_a_question_does_not_replace_the_rows_own(tmp_path: Path, own: str) -> None:
    said: Any = "Who?" if own != "messages" else [{"role": "user", "content": "Who?"}]
    row = {own: said, "answer": "Ann", "source": {"question": "Which set?", "answer": "mine"}}
    (item,) = items(written(tmp_path, "q.jsonl", [row]))
    assert [part.text for part in item.parts] == ["Who?"] and item.target == "Ann"
