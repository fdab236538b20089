"""MCGA's two judged tasks and the classifier of errors, by the command line against a real endpoint."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.judges.test_judged_runs import triptych_json
from tests.support.mock_process import MockProcess
from triptych import api

CLIPS = 16  # in MCGA's mini set


def test_a_mark_is_a_figure_and_what_cannot_be_read_twice_is_judge_failed(tmp_path: Path) -> None:
    """One reply for every rubric: `[1/2]` is a persona's mark, and a first digit; no mark of another scale."""
    folder = api.run("mcga", "baseline/reference", tasks=["s2tt", "sec"], out=tmp_path / "run").folder.path
    with MockProcess(answer="text:[1/2]") as mock:
        document = triptych_json("score", folder, "--judge", "openai/j", "--judge-base-url", mock.base_url)
        asked = mock.stats()
    found = {s["metric"]: s for s in document["scores"] if s["protocol"] == "official" and not s["slice"]}
    for name, value in (("llm_bf", 20), ("llm_bm", 20), ("llm_bs", 20), ("llm_b", 20), ("sec_p", 10)):
        assert found[name]["value"] == pytest.approx(value), name
    for name in ("sec_g", "sec_s", "llm_c"):
        assert found[name]["value"] is None
        assert found[name]["counts"] == {"judge_failed": CLIPS}
    assert asked["received"] == (6 + 2) * CLIPS, "six rubrics, two of them asked once more"
    assert not any("baseline" in entry["text"] for entry in asked["requests"].values())


def test_errors_are_classified_once_and_counted(tmp_path: Path) -> None:
    run = api.run("cmdar/main", "baseline/constant", settings={"option": "2"}, out=tmp_path / "run").folder.path
    wrong = [row for row in scores(run) if row["numerator"] < row["denominator"]]
    with MockProcess(answer="text:VERDICT: REASONING") as mock:
        judge = ("--judge", "openai/j", "--judge-base-url", mock.base_url)
        told = triptych_json("errors", run, *judge)
        asked = mock.stats()
        again = triptych_json("errors", run, *judge)
        assert mock.stats()["received"] == asked["received"] == len(wrong), "a verdict is asked for once"
    assert told["estimates"] == again["estimates"]
    assert any(f"{len(wrong)} reasoning" in sentence for sentence in told["sentences"])
    assert not any("baseline" in entry["text"] for entry in asked["requests"].values())


def scores(run: Path) -> list[dict[str, Any]]:
    lines = (run / "scores" / "official.jsonl").read_text(encoding="utf-8").splitlines()
    return [{"numerator": 0.0, **json.loads(line)} for line in lines]
