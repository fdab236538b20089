"""Tests of `api/build_verdict.py`: the verdict on a finished build."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.construction.test_build_at_hand import POEM, run, works
from triptych.api.build_verdict import verdict_on
from triptych.benchmarks import load_benchmark


def test_a_build_says_the_verdict_on_what_it_wrote(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    config = works(tmp_path, f"w,题,作者,740,诗,唐,{POEM}", more='tasks = ["asr"]\n')  # without recordings
    code, _, err = run(capfd, "mcga", "--config", str(config), "--to", str(tmp_path / "b"))
    assert code == 1 and "check: 1 error, 0 warnings" in err and "audit: " in err and "it names no audio" in err
    out = shutil.copytree(load_benchmark("mcs_bench").mini, tmp_path / "out")
    found = verdict_on("mcs_bench", out)
    assert found is not None and found.sound and found.check.startswith("0 errors, 0 warnings")
    assert "nothing severe was found" in found.audit and not found.faults
    rows = json.loads((out / "MCS-Bench.json").read_bytes())
    rows[0]["Question_Simplified"] += "\ufffd"
    (out / "MCS-Bench.json").write_text(json.dumps(rows), encoding="utf-8")
    found = verdict_on("mcs_bench", out)
    assert found is not None and not found.sound and "U+FFFD" in found.faults[0]
    assert verdict_on("no-such-benchmark", tmp_path) is None
