"""`triptych compare`: from Run folders to a sentence, to JSON, and to clear refusals."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import triptych
from triptych.cli.main import main


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two Runs of a mini set: the key itself, and guessing; and one of another benchmark."""
    root = tmp_path_factory.mktemp("runs")
    made = []
    for name, bench in (("reference", "xmodbench/linguistic"), ("random", "xmodbench/linguistic"), ("first", "cmdar")):
        triptych.run(bench, f"baseline/{name}", out=root / name, seed=1)
        made.append(root / name)
    return made


def call(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(a) for a in arguments])
    return int(ended.value.code or 0)


def test_a_person_is_told_who_is_better(runs: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert call("compare", *runs[:2], "--replicates", 500) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "baseline/reference is" in told and "points better than baseline/random (95% interval" in told
    assert "shared questions" in told and "0 only baseline/random" in told


def test_json_is_one_document_with_everything(runs: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert call("compare", *runs[:2], "--replicates", 500, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["benchmark"] == "xmodbench" and document["shared"] > 0
    total = document["section"]["estimates"][0]
    assert {"value", "interval", "n", "coverage", "p_value", "signatures"} <= total.keys()
    assert total["task"] == "xmodbench" and len(total["signatures"]) == 2


def test_one_run_two_benchmarks_and_the_same_run_are_refused(
    runs: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("compare", runs[0]) == 2
    assert call("compare", runs[0], runs[0]) == 2
    assert call("compare", runs[0], runs[2]) == 2
    assert "only Runs of one benchmark can be compared" in capsys.readouterr().err


def test_the_python_call_is_the_command(runs: list[Path]) -> None:
    found = triptych.compare(runs[:2], replicates=500)
    assert found.runs[0].model == "baseline/reference"
    assert (found.section.estimates[0].value or 0) > 0


def test_analyses_from_python_and_in_the_report(
    runs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from triptych.errors import SpecError

    ids = [section.id for section in triptych.analyse(runs[:2])]
    assert ids[:2] == ["significance", "consistency.direction"] and "consistency.direction.2" in ids
    assert [s.id for s in triptych.analyse(runs[2], kinds=["robustness"])] == ["robustness.position"]
    with pytest.raises(SpecError, match="no analysis 'robustnes'"):
        triptych.analyse(runs[0], kinds=["robustnes"])
    assert call("report", runs[1], "--to", tmp_path, "--format", "md,terminal") == 0
    assert "is right in every form of" in " ".join(capsys.readouterr().out.split())
    assert "## Consistency by direction: baseline/random" in (tmp_path / "analyses.md").read_text(encoding="utf-8")


def test_folders_are_taken_as_view_takes_them(runs: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    import shutil

    lab = runs[0].parent / "lab"
    for number, run in enumerate(runs[:2]):
        shutil.copytree(run, lab / "deep" / f"run{number}", dirs_exist_ok=True)
    assert call("compare", lab, "--replicates", 500, "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["runs"]) == 2
    assert call("report", lab, "--format", "terminal") == 0
    assert call("errors", lab, "--json") == 0
    assert call("analyse", lab, "--json", "--kind", "significance") == 0
    assert call("compare", lab, lab / "nothing") == 2
    assert "not a Run folder" in capsys.readouterr().err


def test_an_empty_run_is_named_and_the_others_are_compared(
    runs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty/manifest.json").write_bytes((runs[0] / "manifest.json").read_bytes())
    assert call("compare", *runs[:2], tmp_path / "empty", "--replicates", 500) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "left out: baseline/reference [empty]: it contains no scored question" in told
    assert "points better than baseline/random" in told


def test_ci_fails_if_a_run_is_worse(runs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reference, random = runs[:2]
    path = tmp_path / "reports/compare.xml"
    few = ("--replicates", 500)
    assert call("compare", random, "--baseline", reference, "--fail-if-worse", "--junit", path, *few) == 1
    assert "worse than the baseline: baseline/random on xmodbench" in capsys.readouterr().err
    suite = ElementTree.parse(path).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    failure = suite.find(".//testcase/failure")
    assert failure is not None and "significantly worse: -" in str(failure.get("message"))
    assert call("compare", reference, "--baseline", random, "--fail-if-worse", "--junit", path, *few) == 0
    assert ElementTree.parse(path).getroot().get("failures") == "0"
    assert call("compare", random, "--baseline", reference, *few) == 0  # without --fail-if-worse
    assert call("compare", reference, random, "--fail-if-worse") == 2
    assert "--fail-if-worse needs a baseline" in capsys.readouterr().err


def test_several_benchmarks_at_once(runs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    triptych.run("cmdar", "baseline/random", out=tmp_path / "other", seed=1)
    assert call("compare", *runs, tmp_path / "other", "--replicates", 500, "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert [one["benchmark"] for one in document] == ["xmodbench", "cmdar"]
    assert call("compare", *runs, "--replicates", 500) == 0
    assert "is not compared: no other Run of cmdar" in capsys.readouterr().err
