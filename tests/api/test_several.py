"""Tests of `api/several.py`: several Runs with one budget, resumed as a whole."""

from __future__ import annotations

from pathlib import Path

from triptych.api import plan_of_file, run_many


def test_a_plan_from_python(here: Path) -> None:
    (here / "r.csv").write_text("key,question,answer\na,How many?,2\nb,And now?,3\nc,And then?,4\n")
    (here / "p.toml").write_text("[[runs]]\nbenchmark = 'r.csv'\nmap = {id = 'key'}\nmodel = ['baseline/reference']\n")
    (run,) = plan_of_file(here / "p.toml", limit=2)
    assert run.what["limit"] == 2 and run.model == "baseline/reference"
    (ended,) = run_many([run]).runs
    assert ended.result is not None and {r.item for r in ended.result.folder.responses()} == {"own-r/a", "own-r/b"}
