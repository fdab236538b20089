"""Tests of `triptych run`: what is asked, dry runs, prices, and what the exit code says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import triptych
from triptych.benchmarks import load_benchmark


@pytest.mark.parametrize("redirect", ["2>&-", "2> >(exec true)"])
def test_a_run_needs_no_standard_error(tmp_path: Path, redirect: str) -> None:
    """Closed from the beginning, or read by nobody: the Run goes on, and standard output holds its document alone."""
    command = (
        f"{sys.executable} -m triptych run cmdar/main --model baseline/first --out {tmp_path / 'run'} --json {redirect}"
    )
    done = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, check=False)
    assert done.returncode == 0
    assert json.loads(done.stdout)["run"] == str(tmp_path / "run")


def test_a_dry_run_tells_what_is_wrong_with_the_data(tmp_path: Path) -> None:
    rows = json.loads((load_benchmark("cmdar").mini / "MDAR-main.json").read_text(encoding="utf-8"))
    rows[2]["chosens"] = "none"
    (tmp_path / "MDAR-main.json").write_text(json.dumps(rows), encoding="utf-8")
    asked = ("run", "cmdar/main", "--model", "baseline/random", "--data", tmp_path, "--condition", "blind")
    told = triptych(*map(str, asked), "--dry-run", "--json")
    assert json.loads(told.stdout)["requests"] == len(rows) - 1
    assert "1 problem with the data" in told.stderr and "MDAR-main.json[2]" in told.stderr


def test_a_price_on_the_command_line(tmp_path: Path) -> None:
    from triptych.records import Usage
    from triptych.running.prices import load_prices

    prices = load_prices(None, (0.5, 2.0))
    used = Usage(input_tokens=3_000_000, output_tokens=500_000)
    # 3 x 0.5 + 0.5 x 2
    assert prices.cost("openai/whatever", "http://here", frozenset({"text"}), used) == pytest.approx(2.5)
    lacking = triptych("run", "cmdar", "--model", "baseline/first", "--price-in", "1", "--out", str(tmp_path / "a"))
    assert lacking.returncode == 2 and "needs both --price-in and --price-out" in lacking.stderr
