"""All 6,500 questions with replies of the lengths that the paper counts are scored (how fast: `make speed`)."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import triptych
from triptych.benchmarks import load_benchmark

MCS = load_benchmark("mcs_bench")
LENGTHS = {"OCR": 120, "translation": 468, "punctuation": 377, "entities": 52, "open": 250, "picture": 2}  # Table 5


@pytest.mark.slow
def test_6500_replies_under_every_protocol(tmp_path: Path) -> None:
    draw = random.Random(0)
    pool = "".join(str(item.target) for item in MCS.items(MCS.mini)) * 2
    rows = []
    for task in MCS.spec.tasks:
        for _ in range(task.count or 0):
            start = draw.randrange(len(pool) // 2)
            answer = pool[start : start + LENGTHS.get(task.facets["kind"], 0)] or draw.choice("ABCD")
            reply = "".join(c for c in answer if draw.random() > 0.1) + "。"
            question = "问？A、一 B、二 C、三 D、四"
            row = {"ID": len(rows), "Task_ID": int(task.id[1:]), "Image": "a.jpg", "Response": reply}
            rows.append({**row, "Question_Simplified": question, "Answer_Simplified": answer})
    assert len(rows) == 6500
    (tmp_path / "r.json").write_text(json.dumps(rows), encoding="utf-8")
    scores = triptych.score("mcs_bench", predictions=[tmp_path / "r.json"])
    assert sum(scores.counts.values()) == 6500  # type: ignore[attr-defined]
