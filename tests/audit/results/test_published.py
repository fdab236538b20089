"""Tests of `audit/results/published.py`."""

from __future__ import annotations

from pathlib import Path

import triptych
from tests.audit.results.test_check import Reply, results
from triptych import audit_run
from triptych.audit.results.published import task_cells
from triptych.audit.tables.cells import load_tables
from triptych.audit.tables.rules import load_rules
from triptych.benchmarks import load_benchmark


def test_a_run_of_ones_own_is_no_row_of_the_paper(tmp_path: Path) -> None:
    triptych.run("cmdar/main", "baseline/random", out=tmp_path / "run")
    assert not [f for f in audit_run([tmp_path / "run"]) if f.kind == "mismatch" or f.columns == ("published row",)]


def test_figures_that_are_all_off_by_a_little_are_one_finding(tmp_path: Path) -> None:
    """Published PandaGPT cells of Table 6, each less 0.2, as near as 2,000 questions come, and their averages."""
    bench = load_benchmark("xmodbench")
    tables = load_tables(bench.folder / "published", {}, {})
    for task, table, column in task_cells(load_rules(bench.folder).runs):
        if table != "T6":
            continue
        right = round(20 * (float(tables.cell(table, "PandaGPT", column).text) - 0.2))
        _, subtask, direction = task.split("/")
        reply: Reply = lambda index, key, rng, right=right: key if index < right else "x"  # type: ignore[misc]  # noqa: E731
        results(tmp_path / "panda", reply, 2_000, f"perception_{subtask}_{direction}")
    found = [f for f in audit_run([tmp_path / "panda"], benchmark="xmodbench") if f.kind == "mismatch"]
    (drift,) = [f for f in found if f.table and len(f.columns) >= 30]
    assert drift.severity == "warning" and "figures are off by +0.15 to +0.2" in drift.message
    assert not [f for f in found if f is not drift and f.table == "T6"]
