"""Tests of `benchmarks/questions`: options."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.questions.test_items_released_columns import items, written


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        (["Ａ．狗", "Ｂ．猫"], "Ｂ"),
        (["①犬", "②猫"], "②"),
        (["ア. 犬", "イ. 猫"], "イ"),
        (["甲、犬", "乙、猫"], "乙"),
        (["A. 犬", "B. 猫"], "B. 猫"),
        ("Ａ．犬　Ｂ．猫", "（Ｂ）"),
    ],
)
def test_labels_of_other_scripts(tmp_path: Path, options: object, answer: str) -> None:
    rows = [{"question": "q", "options": options, "answer": answer}]
    (item,) = items(written(tmp_path, "q.jsonl", rows))
    assert item.target == "B" and item.option_texts()[1] == "猫"
