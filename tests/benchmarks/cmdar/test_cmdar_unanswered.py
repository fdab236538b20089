"""Rows without a reply: the released scorers leave them out of every denominator; `paper` and `standard` don't."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from triptych.benchmarks import load_benchmark
from triptych.scoring.predictions import score_predictions

CMDAR = load_benchmark("cmdar")


def released_main(rows: list[dict[str, Any]]) -> tuple[int, int]:
    """(right, counted) by plain sets, as the released evaluation of main counts them."""
    right = counted = 0
    for row in rows:
        if "model_output" not in row:
            continue
        counted += 1
        said, answer = set(_words(row["model_output"])), set(_words(row["answer"]))
        wrong = {w for option in row["chosens"] if set(_words(option)) != answer for w in _words(option)} - answer
        right += bool(said) and answer <= said and not said & wrong
    return right, counted


def released_multi(rows: list[dict[str, Any]]) -> tuple[float, float]:
    """(EM, Jaccard), each the mean over the rows that hold a reply."""
    em, ji = [], []
    for row in rows:
        if "model_output" not in row:
            continue
        pieces = {re.sub("[,.;!?，。；！？]+$", "", p.strip()) for p in re.split("[；;\n]+", row["model_output"][0])}
        kept, right = pieces & set(row["chosens"]), set(row["answer"])
        em.append(kept == right)
        ji.append(len(kept & right) / len(kept | right))
    return 100 * sum(em) / len(em), 100 * sum(ji) / len(ji)


def _words(text: str) -> list[str]:
    return re.findall(r"\b\w+\b", text.lower())


def answered(rows: list[dict[str, Any]], as_list: bool) -> list[dict[str, Any]]:
    """Nine rows of ten with an answer: the reference's, a wrong option's, or empty; the rest hold none."""
    draw = random.Random(7)
    made = []
    for row in rows:
        words = "；".join(row["answer"]) if isinstance(row["answer"], list) else row["answer"]
        said = draw.choice([words, words + "。", draw.choice(row["chosens"]), "", "答案：" + words])
        made.append({**row, "model_output": [said] if as_list else said} if draw.random() < 0.9 else row)
    return made


def figures(path: Path) -> dict[tuple[str, str], float | None]:
    found = score_predictions(CMDAR, [path])
    return {(name, a.metric): a.value for name, own in found.items() for a in own if not a.slice}


@pytest.mark.parametrize("file", ["MDAR-main.json", "MDAR-multi.json"])
def test_official_equals_the_released_scorer_where_replies_are_missing(
    shared_data: Path, tmp_path: Path, file: str
) -> None:
    rows = answered(json.loads((shared_data / "cmdar" / file).read_text(encoding="utf-8")), "multi" in file)
    path = tmp_path / file
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    found = figures(path)
    if "main" in file:
        right, counted = released_main(rows)
        assert counted < 1500
        assert found["official", "acc"] == pytest.approx(100 * right / counted, abs=1e-9)
        assert found["paper", "acc"] == pytest.approx(100 * right / 1500, abs=1e-9)
    else:
        assert (found["official", "em"], found["official", "ji"]) == pytest.approx(released_multi(rows), abs=1e-9)
        assert (found["paper", "em"] or 0) < (found["official", "em"] or 0)
