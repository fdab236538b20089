"""Tests of `triptych judge`: the list of rubrics, and a judge held against people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.experiment.test_judging import environment
from tests.support.commands import triptych
from tests.support.mock_process import MockProcess


def write(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n", encoding="utf-8")
    return path


def test_the_command_prints_the_figures_and_the_papers_table(tmp_path: Path) -> None:
    lines = [
        {
            "id": str(n),
            "system": name,
            "question": f"q{n}",
            "reference": "参考",
            "reply": f"{name} {n} 4",
            "human": n % 6,
        }
        for name in ("m1", "m2")
        for n in range(6)
    ]
    path = write(tmp_path / "r.jsonl", lines)
    with MockProcess(answer=r"pick:(?<=m[12] )\d 4") as mock:
        common = ["judge", "calibrate", path, "--judge", "openai/j", "--judge-base-url", mock.base_url]
        common += ["--human-scale", "0,5", "--concurrency", "2"]
        done = triptych(*common, "--json", env=environment())
        assert done.returncode == 0, done.stderr
        document = json.loads(done.stdout)
        asked = mock.stats()["received"]
        shown = triptych(*common, "--benchmark", "cmdar", "--with-published", env=environment())
        assert mock.stats()["received"] == asked, "verdicts are kept beside the ratings"
    assert document["judge"].startswith("openai/j/pair@1#")
    assert set(document["systems"]) == {"m1", "m2"}
    # "0 4" is off the scale: the two replies number 0 are judge_failed, never a number
    assert document["overall"]["counts"] == {"judge_failed": 2, "scored": 10}
    # n against 4, both ways: (10 x 4/n + 10 x n/4) / 2 or its mirror; bounded, and the same for both systems
    assert document["systems"]["m1"]["n"] == 5
    assert shown.returncode == 0, shown.stderr
    assert "Pearson" in shown.stdout and "0.9531" in shown.stdout
    assert "m1 v.s. m2" in shown.stdout


def test_rubrics_are_listed() -> None:
    done = triptych("judge", "rubrics", "--json", env=environment())
    assert {"pair", "sec_global", "error_kind"} <= {rubric["id"] for rubric in json.loads(done.stdout)}
