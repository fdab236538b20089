"""Results made elsewhere are scored from files, folders and archives; what isn't there is refused first."""

from __future__ import annotations

import json
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from triptych.benchmarks import load_benchmark
from triptych.errors import DataError, SpecError
from triptych.experiment.external_results import score_elsewhere

MINI = load_benchmark("cmdar").mini


def outcome(*predictions: Path, benchmark: str = "cmdar", **more: Any) -> Any:
    given: dict[str, Any] = {
        "data": None,
        "reference": None,
        "protocols": None,
        "judges": None,
        "verdicts": None,
        "queue": None,
        "recover": False,
        "encoders": None,
        **more,
    }
    return score_elsewhere(benchmark, predictions, **given)


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """The mini set's multiple-choice questions as the authors' runner writes them, 18 of 24 answered correctly."""
    rows = json.loads((MINI / "MDAR-main.json").read_bytes())
    for number, row in enumerate(rows):
        row["model_output"] = row["answer"] if number < 18 else "none of them"
    path = tmp_path / "results.json"
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return path


def accuracy(scored: Any, protocol: str = "official") -> float | None:
    (figure,) = [one for one in scored[protocol] if (one.task, one.metric, one.slice) == ("cmdar/main", "acc", {})]
    return figure.value  # type: ignore[no-any-return]


def test_a_file_is_scored_by_its_own_answers_and_by_those_of_the_data(results: Path) -> None:
    assert accuracy(outcome(results)) == accuracy(outcome(results, data="mini")) == 75.0
    assert list(outcome(results, protocols=["standard"])) == ["standard"]


@pytest.mark.parametrize("ending", ["zip", "tar.gz"])
def test_an_archive_is_scored_as_the_files_in_it(results: Path, tmp_path: Path, ending: str) -> None:
    archive = tmp_path / f"results.{ending}"
    if ending == "zip":
        with zipfile.ZipFile(archive, "w") as packed:
            packed.write(results, "model/results.json")
    else:
        with tarfile.open(archive, "w:gz") as packed_tar:
            packed_tar.add(results, "model/results.json")
    assert accuracy(outcome(archive)) == 75.0


def test_paths_that_are_not_there_are_refused_by_name(results: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="predictions not found") as refused:
        outcome(results, tmp_path / "gone.json")
    assert refused.value.where == str(tmp_path / "gone.json") and "the authors' format" in str(refused.value.expected)
    with pytest.raises(DataError, match="the reference does not exist") as refused:
        outcome(results, reference=tmp_path / "ref.xml")
    assert refused.value.where == str(tmp_path / "ref.xml")
    with pytest.raises(DataError, match="the data folder does not exist"):
        outcome(results, data=tmp_path / "nodata")
    with pytest.raises(SpecError, match="did you mean 'cmdar'"):
        outcome(results, benchmark="cmda")
    with pytest.raises(SpecError, match="did you mean 'standard'"):
        outcome(results, protocols=["standart"])
