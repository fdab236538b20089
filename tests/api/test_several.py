"""Tests of `api/several.py`: Runs that are checked before anything is asked, and plans from Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from triptych.api import WantedRun, crossed, estimate_many, plan_judges, plan_of_file, run_many
from triptych.errors import SpecError


def test_everything_is_checked_before_anything_is_asked(here: Path) -> None:
    for wanted, words in (
        ([WantedRun("q.csv", "baseline/first"), WantedRun("nosuch", "baseline/first")], "nosuch"),
        ([WantedRun("q.csv", "baseline/first"), WantedRun("q.csv", "baseline/first")], "planned twice"),
        ([WantedRun("q.csv", "baseline/first"), WantedRun("q.csv", "baseline/fist")], "q.csv, baseline/fist"),
        ([], "no Run is planned"),
    ):
        with pytest.raises(SpecError, match=words):
            run_many(wanted)
    assert not (here / "runs").exists()


def test_a_plan_from_python(here: Path) -> None:
    (here / "r.csv").write_text("key,question,answer\na,How many?,2\nb,And now?,3\nc,And then?,4\n")
    (here / "p.toml").write_text("[[runs]]\nbenchmark = 'r.csv'\nmap = {id = 'key'}\nmodel = ['baseline/reference']\n")
    (run,) = plan_of_file(here / "p.toml", limit=2)
    assert run.what["limit"] == 2 and run.model == "baseline/reference"
    (ended,) = run_many([run]).runs
    assert ended.result is not None and {r.item for r in ended.result.folder.responses()} == {"own-r/a", "own-r/b"}


def test_an_argument_of_another_type_is_refused_before_anything_is_written(here: Path) -> None:
    wanted = [WantedRun("q.csv", "baseline/first")]
    wrong: Any
    for wrong, said in (
        (lambda: run_many(wanted, protocols="standard"), "protocols must be"),
        (lambda: run_many(wanted, options={"concurrency": 2}), "options must be"),  # type: ignore[arg-type]
        (lambda: run_many(wanted, judges=["openai/x"]), "judges must be"),  # type: ignore[arg-type]
        (lambda: estimate_many(wanted, options={"concurrency": 2}), "options must be"),  # type: ignore[arg-type]
        (lambda: crossed("q.csv", ["baseline/first"]), "benchmarks must be"),
        (lambda: crossed(["q.csv"], "baseline/first"), "models must be"),
        (lambda: crossed(["q.csv"], ["baseline/first"], conditions=["blind"]), "conditions must be lists"),
        (lambda: plan_of_file("p.toml", models="baseline/first"), "models must be"),
        (lambda: plan_judges("openai/x"), "models must be"),
        (lambda: plan_judges(["openai/x"], evaluations=1.5), "evaluations must be"),  # type: ignore[arg-type]
    ):
        with pytest.raises(SpecError, match=said):
            wrong()
    assert sorted(path.name for path in here.iterdir()) == ["q.csv"]


def test_a_misspelt_argument_is_named_before_anything_is_planned() -> None:
    with pytest.raises(TypeError, match="did you mean 'limit'"):
        crossed(["q.csv"], ["baseline/first"], limt=3)  # type: ignore[call-arg]
    with pytest.raises(SpecError, match=r"no argument 'limt'\n.*did you mean 'limit'"):
        WantedRun("q.csv", "baseline/first", {"limt": 3})


def test_paths_and_generators_are_as_good_as_texts_and_lists(here: Path) -> None:
    wanted = crossed((Path(name) for name in ["q.csv"]), (model for model in ["baseline/first"]), limit=np.int64(2))  # type: ignore[arg-type]
    several = run_many(run for run in wanted)
    assert [ended.result.outcome.counts for ended in several.runs if ended.result] == [{"answered": 2}]
