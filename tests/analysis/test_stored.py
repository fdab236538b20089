"""Tests of `analysis/stored.py`: Runs and results made elsewhere, read and compared or analysed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import triptych
from triptych.analysis.comparing.comparison import Comparison
from triptych.analysis.stored import analyse_stored, compare_all_stored, compare_stored
from triptych.errors import SpecError, TriptychError
from triptych.records import Section


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three Runs of one benchmark and one of another."""
    place = tmp_path_factory.mktemp("runs")
    for model in ("reference", "first", "random"):
        triptych.run("cmdar/main", f"baseline/{model}", limit=12, out=place / "cmdar" / model)
    triptych.run("mcs_bench", "baseline/first", tasks=["T10"], limit=1, out=place / "mcs" / "first")
    return place


def compared(*paths: Path, replicates: int = 200, seed: int = 0, **more: object) -> Comparison:
    return compare_stored(paths, None, replicates=replicates, seed=seed, labels=None, **more)  # type: ignore[arg-type]


def analysed(target: Path | str, kinds: list[str] | None = None, seed: int = 0, **more: object) -> list[Section]:
    fields: dict[str, object] = {"predictions": (), "data": None, "ratings": None, **more}
    return analyse_stored(target, None, kinds, seed=seed, **fields)  # type: ignore[arg-type]


def test_two_runs_are_compared_and_have_their_place_and_price(runs: Path) -> None:
    found = compared(runs / "cmdar" / "reference", runs / "cmdar" / "first")
    assert found.shared == 12 and [run.place for run in found.runs] == [
        str(runs / "cmdar" / name) for name in ("reference", "first")
    ]
    assert [run.usd for run in found.runs] == [0.0, 0.0] and found.headlines[0].value is not None


def test_a_folder_stands_for_the_runs_in_it_and_the_baseline_is_added_once(runs: Path) -> None:
    every = compared(runs / "cmdar", baseline=runs / "cmdar" / "first")
    assert len(every.runs) == 3 and every.baseline == "baseline/first"
    assert {e.runs[1] for e in every.headlines} == {"baseline/first"}
    added = compared(runs / "cmdar" / "random", baseline=runs / "cmdar" / "first")
    assert [run.label for run in added.runs] == ["baseline/first", "baseline/random"], "it comes first"


def test_wrong_use_is_refused_with_what_to_do(runs: Path) -> None:
    first, second = runs / "cmdar" / "first", runs / "cmdar" / "random"
    with pytest.raises(SpecError, match="at least two Runs") as one:
        compared(first)
    assert one.value.fix == "for one Run: triptych report RUN"
    with pytest.raises(SpecError, match="too few replicates") as few:
        compared(first, second, replicates=99)
    assert (few.value.got, few.value.expected) == ("99", "at least 100")
    with pytest.raises(SpecError, match="the seed is negative"):
        compared(first, second, seed=-1)
    with pytest.raises(SpecError, match="names several Runs") as several:
        compared(first, second, baseline=runs / "cmdar")
    assert several.value.expected == "one Run of each benchmark"
    with pytest.raises(TriptychError):
        compared(first, runs / "none")


def test_the_runs_of_each_benchmark_are_compared_and_those_alone_are_named(runs: Path) -> None:
    (found,), alone = compare_all_stored([runs], None, replicates=200, seed=0)
    assert found.benchmark == "cmdar" and len(found.runs) == 3
    assert alone == {str(runs / "mcs" / "first"): "no other Run of mcs_bench"}
    with pytest.raises(SpecError, match="only Runs of one benchmark can be compared") as refused:
        compare_all_stored([runs / "cmdar" / "first", runs / "mcs"], None, replicates=200, seed=0)
    assert refused.value.got == "cmdar, mcs_bench"


def test_a_benchmark_without_a_baseline_is_named(runs: Path, tmp_path: Path) -> None:
    triptych.run("mcs_bench", "baseline/random", tasks=["T10"], limit=1, out=tmp_path / "random")
    (found,), alone = compare_all_stored(
        [runs, tmp_path / "random"], None, replicates=200, seed=0, baseline=runs / "cmdar" / "first"
    )
    assert found.baseline == "baseline/first"
    assert set(alone) == {str(runs / "mcs" / "first"), str(tmp_path / "random")}
    assert set(alone.values()) == {"the baseline has no Run of mcs_bench"}


def test_an_analysis_is_chosen_by_its_kind(runs: Path) -> None:
    assert {section.id.partition(".")[0] for section in analysed(runs / "cmdar")} == {"robustness", "significance"}
    (only,) = analysed(runs / "cmdar", ["significance"])
    assert only.id == "significance"
    with pytest.raises(SpecError, match="no analysis 'signifiance'") as refused:
        analysed(runs / "cmdar", ["signifiance"])
    assert "did you mean 'significance'" in str(refused.value.fix)
    with pytest.raises(SpecError, match="the seed is negative"):
        analysed(runs / "cmdar", seed=-3)


def test_results_made_elsewhere_are_analysed_like_a_run(tmp_path: Path) -> None:
    """CMDAR's runner writes its replies into the questions' file, as `model_output`."""
    rows = json.loads((triptych.load_benchmark("cmdar").mini / "MDAR-main.json").read_text(encoding="utf-8"))
    files = []
    for name, reply in (("right.json", lambda row: row["answer"]), ("first.json", lambda row: row["chosens"][0])):
        path = tmp_path / name
        path.write_text(json.dumps([row | {"model_output": reply(row)} for row in rows], ensure_ascii=False), "utf-8")
        files.append(path)
    (section,) = analysed("cmdar", ["significance"], predictions=files)
    difference = next(e for e in section.estimates if e.measure == "difference" and e.n)
    first = 100 * sum(row["chosens"][0] == row["answer"] for row in rows) / len(rows)
    assert difference.value == pytest.approx(100 - first) and difference.n == len(rows)
