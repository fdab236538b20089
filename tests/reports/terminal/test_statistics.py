"""Tests of `reports/terminal/statistics.py`: statistics of a benchmark's data in the terminal."""

from __future__ import annotations

import pytest

from triptych.benchmarks import load_benchmark
from triptych.reports.terminal.statistics import show_statistics


def test_table_1_of_xmodbench_has_the_other_benchmarks_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    bench = load_benchmark("xmodbench")
    found = [one for one in bench.statistics(bench.mini, bench.spec.select([""])) if one.facts]
    assert len(found) == 17 and {one.source for one in found} == {"Table 1"}
    by_name = {one.of.partition(" (")[0]: one for one in found}
    assert (by_name["AV-Reasoner"].printed, by_name["AV-Reasoner"].facts["domains"]) == (1027, "temporal")
    assert by_name["SEED-Bench-2"].facts["context"] == "text, vision"
    assert by_name["AV-Odyssey Bench"].facts["candidates"] == "text, vision, audio"
    assert [name for name, one in by_name.items() if one.facts["consistency"] == "yes"] == ["XModBench"]
    assert all(one.agrees is None for one in found), "they are not computed, so they don't count as agreeing"
    show_statistics(found)
    assert "WorldSense" in capsys.readouterr().out
