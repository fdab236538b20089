"""A Run with an error of each of several kinds, and the counts of a Section of errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from triptych import api
from triptych.records import Section


@pytest.fixture
def run_with_errors(tmp_path: Path) -> Path:
    """Four Items of the mini set: right, wrong, in the wrong form, declined."""
    data = tmp_path / "results.json"
    bench = api.load_benchmark("cmdar")
    rows = json.loads((bench.mini / "MDAR-main.json").read_text(encoding="utf-8"))[:4]
    wrong = [next(o for o in row["chosens"] if o != row["answer"]) for row in rows]
    replies = [rows[0]["answer"], wrong[1], f"答案是{rows[2]['answer']}", "抱歉，我无法听取音频内容。"]
    for row, reply in zip(rows, replies, strict=True):
        row["model_output"] = reply
    data.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    out = tmp_path / "run"
    api.run("cmdar/main", "replay/made", out=out, settings={"path": str(data)})
    return out


def kinds(section: Section) -> dict[str, int]:
    """The number of errors of each kind, over all categories."""
    return {e.slice["kind"]: e.counts["count"] for e in section.estimates if "category" not in e.slice}
