"""Tests of `api/several.py`: Runs that are checked before anything is asked, and plans from Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from triptych.api import WantedRun, plan_of_file, run_many
from triptych.errors import SpecError


def test_everything_is_checked_before_anything_is_asked(here: Path) -> None:
    for wanted, words in (
        ([WantedRun("q.csv", "baseline/first"), WantedRun("nosuch", "baseline/first")], "nosuch"),
        ([WantedRun("q.csv", "baseline/first"), WantedRun("q.csv", "baseline/first")], "wanted twice"),
        ([WantedRun("q.csv", "baseline/first"), WantedRun("q.csv", "baseline/fist")], "q.csv, baseline/fist"),
        ([], "no Run is wanted"),
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
