"""Tests of `audit/results/recognise.py`: the benchmark to which result files belong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit.results.test_check import often, results, several
from triptych import audit_run
from triptych.benchmarks import known_benchmarks, load_benchmark
from triptych.errors import DataError, SpecError
from triptych.records import Response


def test_results_must_tell_their_benchmark_and_hold_something_to_read(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "notes.json").write_text('{"a": 1}', encoding="utf-8")
    with pytest.raises(SpecError, match="not clear"):
        audit_run([tmp_path / "a"])
    results(tmp_path / "a", often)
    several(tmp_path / "a" / "b", lambda n: "one")
    with pytest.raises(SpecError, match="cmdar and xmodbench"):
        audit_run([tmp_path / "a"])
    with pytest.raises(DataError, match="nothing is there"):
        audit_run([tmp_path / "b"], benchmark="xmodbench")


@pytest.mark.parametrize("name", ["cmdar", "mcga", "mcif", "mcs_bench", "xmodbench"])
def test_every_benchmark_knows_its_own_results_and_no_others(name: str, tmp_path: Path) -> None:
    """Written as the authors write them, where we can; questions without replies are no results."""
    benches = known_benchmarks()
    if name == "xmodbench":
        files = [results(tmp_path / "a", often) / "perception_general_audio_text.json"]
    elif name == "cmdar":
        files = [several(tmp_path / "a", lambda n: "one")]
    else:
        items = list(load_benchmark(name).items(load_benchmark(name).mini))
        said = [Response(item.id, "", 0, "answered", "x") for item in items]
        files = load_benchmark(name).write_outputs(items, said, tmp_path / "a")
    for file in files:
        assert [other for other, bench in benches.items() if bench.recognises(file)] == [name]
    for file in (f for bench in benches.values() for f in bench.mini.rglob("*") if f.is_file()):
        assert not [other for other, bench in benches.items() if bench.recognises(file)], file


def test_the_benchmark_is_told_by_the_files_and_named(tmp_path: Path) -> None:
    told: list[str] = []
    found = audit_run([results(tmp_path / "a", often, score=93.0)], say=told.append)
    assert [f.kind for f in found if f.kind == "score"] == ["score"]
    assert told == ["a: recognised as results of xmodbench"]
