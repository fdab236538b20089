"""A judge against people: figures held against scipy, files that are refused, and the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from tests.judges.test_asking import Judged, words
from triptych.experiment.rated_replies import load_ratings
from triptych.judges.calibration import Calibration, calibrate
from triptych.judges.panel import Judge, Panel
from triptych.judges.rubric import load_rubric
from triptych.running.loop import RunOptions

FORM = load_rubric("beauty_form")
# what the judge gives to replies 0 to 5 of two systems, and what two people gave
JUDGE = {"a": [5, 4, 2, 1, 3, 4], "b": [3, 3, 1, 1, 2, 4]}
PEOPLE = {"a": [(5, 4), (4, 4), (1, 2), (1, 1), (2, 3), (5, 5)], "b": [(3, 2), (2, 3), (1, 1), (2, 1), (2, 2), (4, 3)]}


def rows() -> list[dict[str, Any]]:
    return [
        {"id": str(n), "system": name, "source": "原文", "reply": f"<{name}{n}>", "human": list(marks)}
        for name in ("a", "b")
        for n, marks in enumerate(PEOPLE[name])
    ]


def write(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n", encoding="utf-8")
    return path


def say(sent: str) -> str:
    return str(next(m for name in "ab" for n, m in enumerate(JUDGE[name]) if f"<{name}{n}>" in sent))


def carried_out(tmp_path: Path, lines: list[dict[str, Any]], judge: Judged, **options: Any) -> Calibration:
    ratings = load_ratings(write(tmp_path / "r.jsonl", lines), FORM, options.get("human_scale"))
    panel = Panel((Judge.from_adapter(judge),))
    return calibrate(ratings, FORM, panel, [judge], tmp_path / "v", RunOptions(retries=0), **options)


def test_the_figures_are_scipys(tmp_path: Path) -> None:
    found = carried_out(tmp_path, rows(), Judged(say))
    judge = JUDGE["a"] + JUDGE["b"]
    people = [sum(marks) / 2 for marks in PEOPLE["a"] + PEOPLE["b"]]
    assert found.overall.n == 12
    assert found.overall.counts == {"scored": 12}
    assert found.overall.pearson == pytest.approx(stats.pearsonr(judge, people).statistic)
    assert found.overall.spearman == pytest.approx(stats.spearmanr(judge, people).statistic)
    assert found.overall.bias == pytest.approx(sum(judge) / 12 - sum(people) / 12)
    assert found.systems["a"].pearson == pytest.approx(stats.pearsonr(JUDGE["a"], people[:6]).statistic)
    test, n = found.tests["a", "b"]
    expected = stats.ttest_rel(JUDGE["a"], JUDGE["b"])
    assert test is not None and n == 6
    assert (test.t, test.p) == (pytest.approx(expected.statistic), pytest.approx(expected.pvalue))


def test_the_judge_is_not_told_the_system_nor_what_people_gave(tmp_path: Path) -> None:
    judge = Judged(say)
    lines = [{**row, "system": {"a": "GPT-X", "b": "Qwen-Y"}[row["system"]]} for row in rows()]
    carried_out(tmp_path, lines, judge)
    assert len(judge.requests) == 12
    assert not any("GPT-X" in words(r) or "Qwen-Y" in words(r) or "human" in words(r) for r in judge.requests)


def test_another_scale_of_the_people_is_stretched(tmp_path: Path) -> None:
    stretched = [{**row, "human": [(m - 1) / 4 * 5 for m in row["human"]]} for row in rows()]
    (tmp_path / "plain").mkdir()
    plain = carried_out(tmp_path / "plain", rows(), Judged(say))
    found = carried_out(tmp_path, stretched, Judged(say), human_scale=(0.0, 5.0))
    assert found.overall.alpha_interval == pytest.approx(plain.overall.alpha_interval)
    assert found.overall.bias == pytest.approx(plain.overall.bias)


def test_a_judge_that_gives_what_people_give_agrees_wholly(tmp_path: Path) -> None:
    lines = [{**row, "human": int(say(row["reply"]))} for row in rows()]
    found = carried_out(tmp_path, lines, Judged(say)).overall
    assert (found.pearson, found.spearman, found.alpha_ordinal, found.alpha_interval) == (pytest.approx(1),) * 4
    assert found.bias == 0


def test_replies_without_a_verdict_are_counted_and_not_compared(tmp_path: Path) -> None:
    found = carried_out(tmp_path, rows(), Judged(lambda sent: "hm" if "<a0>" in sent else say(sent)))
    assert found.overall.counts == {"judge_failed": 1, "scored": 11}
    assert found.overall.n == 11
    assert found.tests["a", "b"][1] == 5
