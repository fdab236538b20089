"""Tests of `api/analysing.py`: Runs compared with differences computed by hand, and analyses that are chosen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.api.test_runs import QUESTIONS
from triptych import api
from triptych.analysis.comparing.comparison import Comparison
from triptych.errors import DataError, RunFolderError, SpecError


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight questions answered with A (62.5 are right) and with B (37.5), and two Runs of another benchmark."""
    root = tmp_path_factory.mktemp("runs")
    (root / "q.csv").write_text(QUESTIONS, encoding="utf-8")
    for letter in "AB":
        api.run(str(root / "q.csv"), "baseline/constant", settings={"letter": letter}, out=root / letter)
    for name in ("first", "reference"):
        api.run("cmdar/main", f"baseline/{name}", out=root / name, limit=4)
    return root


def difference(found: Comparison) -> float | None:
    (one,) = found.headlines
    return one.value


def test_the_difference_of_two_runs_is_that_of_their_figures(runs: Path) -> None:
    found = api.compare([runs / "A", runs / "B"], protocol="standard", replicates=200)
    assert (found.benchmark, found.protocol, found.shared, found.instances) == ("own-q", "standard", 8, 8)
    assert abs(difference(found) or 0) == 25.0 and [Path(run.place).name for run in found.runs] == ["A", "B"]
    back = api.compare([runs / "B", runs / "A"], protocol="standard", replicates=200)
    assert difference(back) == -(difference(found) or 0)


def test_the_same_seed_gives_the_same_intervals(runs: Path) -> None:
    both = [runs / "A", runs / "B"]
    one, two, other = (api.compare(both, replicates=200, seed=seed).section for seed in (3, 3, 4))
    assert one == two and one != other


def test_runs_bear_the_labels_that_they_are_given_and_one_is_the_baseline(runs: Path) -> None:
    found = api.compare([runs / "A", runs / "B"], labels=["nur A", "只选 B"], baseline=runs / "B", replicates=200)
    assert [run.label for run in found.runs] == ["nur A", "只选 B"] and found.baseline == "只选 B"
    assert found.worse == (), "5 against 3 questions are no significant difference"


def test_what_cannot_be_compared_is_refused(runs: Path) -> None:
    for wrong, more, words in (
        (["A"], {}, "at least two Runs"),
        (["A", "first"], {}, "cmdar"),
        (["A", "B"], {"seed": -1}, "the seed is negative"),
        (["A", "B"], {"replicates": 10}, "at least 100"),
        (["A", "B"], {"protocol": "oficial"}, "oficial"),
        (["A", "B"], {"labels": ["one"]}, "label"),
    ):
        with pytest.raises(SpecError, match=words):
            api.compare([runs / name for name in wrong], **more)  # type: ignore[arg-type]
    for wrong, words in ((["A", "A"], "given twice"), (["A", "nowhere"], "nowhere")):
        with pytest.raises(RunFolderError, match=words):
            api.compare([runs / name for name in wrong])


def test_each_benchmark_is_compared_for_itself(runs: Path, tmp_path: Path) -> None:
    found, alone = api.compare_all([runs], replicates=200)
    assert sorted(one.benchmark for one in found) == ["cmdar", "own-q"] and alone == {}
    found, alone = api.compare_all([runs / "A", runs / "B", runs / "first"], replicates=200)
    assert [one.benchmark for one in found] == ["own-q"]
    assert alone == {str(runs / "first"): "no other Run of cmdar"}
    with pytest.raises(SpecError, match="only Runs of one benchmark can be compared"):
        api.compare_all([runs / "A", runs / "first"])


def test_only_the_analyses_that_were_asked_for_are_made(runs: Path) -> None:
    both = [runs / "A", runs / "B"]
    everything = [section.id for section in api.analyse(both)]
    assert "robustness.position" in everything
    assert [section.id for section in api.analyse(both, kinds=["robustness"])] == everything
    assert api.analyse(runs / "A", kinds=[]) == []
    for wrong, words in (({"kinds": ["significanse"]}, "did you mean 'significance'"), ({"seed": -3}, "negative")):
        with pytest.raises(SpecError, match=words):
            api.analyse(both, **wrong)  # type: ignore[arg-type]


def test_results_of_others_and_peoples_ratings_are_read_from_their_files(runs: Path, tmp_path: Path) -> None:
    rows = json.loads((api.load_benchmark("cmdar").mini / "MDAR-main.json").read_text(encoding="utf-8"))
    for name, shift in (("one", 0), ("two", 1)):
        for number, row in enumerate(rows):
            row["model_output"] = row["answer"] if (number + shift) % 2 else row["chosens"][0]
        (tmp_path / f"{name}.json").write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    sections = api.analyse("cmdar", predictions=files)
    assert {Path(run).stem for section in sections for e in section.estimates for run in e.runs} == {"one", "two"}
    ratings = tmp_path / "ratings.csv"
    ratings.write_text("who,what\na,b\n", encoding="utf-8")
    for missing in (ratings, tmp_path / "none.csv"):
        with pytest.raises(DataError) as error:
            api.analyse(runs / "A", ratings=missing)
        assert missing.name in str(error.value)


def test_arguments_of_another_type_are_refused_by_their_name(runs: Path) -> None:
    both = [runs / "A", runs / "B"]
    with pytest.raises(SpecError, match="kinds must be a list of texts"):
        api.analyse(runs / "A", kinds="cost")
    with pytest.raises(SpecError, match="labels must be a list of texts"):
        api.compare(both, labels="AB")
    with pytest.raises(SpecError, match="replicates must be a whole number"):
        api.compare(both, replicates=200.5)  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="seed must be a whole number"):
        api.compare(both, replicates=200, seed=1.5)  # type: ignore[arg-type]
