"""Tests of `experiment/run_commands.py`."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path

import pytest

from tests.experiment.test_judging import triptych_json
from tests.experiment.test_prompts import CMDAR, HINTING, file, ran
from tests.support.commands import triptych
from tests.support.mock_process import MockProcess
from triptych import api
from triptych.benchmarks import own_questions
from triptych.experiment.run_commands import run_command, score_command
from triptych.judges.rubric import RUBRICS
from triptych.store.folder import RunFolder


def test_do_it_again_names_the_judges_and_how_they_were_asked(mock: MockProcess, run: Path, tmp_path: Path) -> None:
    heard, rubric = tmp_path / "heard.json", tmp_path / "mine.toml"
    heard.write_text(json.dumps({"audio/station.ogg": "a train whistles"}), encoding="utf-8")
    rubric.write_text((RUBRICS / "pair.toml").read_text("utf-8").replace('id = "pair"', 'id = "mine"'), "utf-8")
    both = ("--judge", "openai/a", "--judge", "openai/b", "--judge-combine", "median", "--judge-repeats", "2")
    more = ("--judge-descriptions", heard, "--rubric", f"judge_score={rubric}", "-J", "temperature=0.5")
    first = triptych_json("score", run, *both, *more, "--judge-base-url", mock.base_url)
    folder = RunFolder.open(run)
    words = shlex.split(score_command(folder, api.load_benchmark("cmdar").spec))
    assert words[:3] == ["triptych", "score", str(run)]
    shutil.rmtree(run / "verdicts")
    assert triptych_json(*words[1:])["scores"] == first["scores"]
    assert shlex.split(score_command(folder, api.load_benchmark("cmdar").spec)) == words


@pytest.mark.parametrize("asked", [HINTING, "v1", None])
def test_the_command_that_repeats_it_asks_with_the_same_text(tmp_path: Path, asked: str | None) -> None:
    path = file(tmp_path) if asked == HINTING else asked
    folder = ran(tmp_path / "run", path)
    (tmp_path / "my.toml").unlink(missing_ok=True)  # the manifest holds the text
    words = shlex.split(run_command(folder.manifest, CMDAR.spec, folder))
    given = words[words.index("--prompt") + 1] if "--prompt" in words else None
    assert (given is None) == (asked is None)
    again = api.plan("cmdar", "baseline/first", prompt=given, limit=2)
    assert (again.manifest.prompt, again.manifest.prompts) == (folder.manifest.prompt, folder.manifest.prompts)


def test_the_command_that_repeats_a_run_of_own_questions_names_their_file(tmp_path: Path) -> None:
    questions = tmp_path / "mine.csv"
    questions.write_text("id,question,A,B,answer\n1,Which one barks?,cat,dog,B\n")
    folder = api.run(str(questions), "baseline/first", out=tmp_path / "run", scored=False).folder
    spec = api.load_benchmark("own-mine").spec
    assert shlex.split(run_command(folder.manifest, spec, folder))[:3] == ["triptych", "run", str(questions)]
    assert "--map" not in run_command(folder.manifest, spec, folder)
    questions.unlink()
    assert shlex.split(run_command(folder.manifest, spec, folder))[2] == "QUESTIONS"


def test_the_command_repeats_what_columns_were_said_to_be(tmp_path: Path) -> None:
    questions = tmp_path / "mine.csv"
    questions.write_text("id,talk,question,A,B,answer,gold\n1,x,Which one barks?,cat,dog,A,B\n")
    stated = {"answer": "gold", "instance": "talk"}
    bench = own_questions(str(questions), stated)
    assert bench is not None and bench.mapped == stated
    folder = api.run(bench, "baseline/first", out=tmp_path / "run", scored=False).folder
    assert folder.manifest.map == stated and "map" not in folder.manifest.identity()
    words = shlex.split(run_command(folder.manifest, bench.spec, folder))
    assert words[2:7] == [str(questions), "--map", "answer=gold", "--instance", "talk"]
    shutil.rmtree(tmp_path / "run")
    assert triptych(*words[1:]).returncode == 0
    assert RunFolder.open(tmp_path / "run").manifest.identity() == folder.manifest.identity()
