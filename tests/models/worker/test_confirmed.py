"""A runner is called unconfirmed until the example of its model's card was asked and the answer agreed."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from triptych import api
from triptych.api.confirming import confirm_model
from triptych.benchmarks import load_benchmark
from triptych.cli.list_models import list_models
from triptych.errors import SpecError
from triptych.models.catalogue import catalogue
from triptych.models.worker import environments
from triptych.models.worker.confirmed import NEVER, read_example, state
from triptych.models.worker.trust import allow_foreign_code
from triptych.reports.tables.restrictions import remarks_of
from triptych.running.loop import RunOptions
from triptych.store.folder import RunFolder

KEY = "qwen-audio-chat"
SMALL = """
ACCEPTS = ("text", "audio")


def load(source, options):
    return open(source + "/answers.txt").read().splitlines()


def answer(model, messages, settings):
    asked = [block for block in messages[-1]["content"]]
    said = " ".join(block.get("text", "") for block in asked if block["type"] == "text")
    return {"text": model[0] if "say" in said else model[1], "finish": "stop"}
"""


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small model in a folder of weights, and a runner for it in the place of the real one."""
    monkeypatch.setenv("TRIPTYCH_CACHE", str(tmp_path / "cache"))
    runners = tmp_path / "runners"
    shutil.copytree(environments.RUNNERS, runners)
    (runners / "qwen_chat.py").write_text(SMALL, encoding="utf-8")
    monkeypatch.setattr(environments, "RUNNERS", runners)
    folder = tmp_path / "weights"
    folder.mkdir()
    (folder / "config.json").write_text("{}", encoding="utf-8")
    (folder / "answers.txt").write_text("Mister Quilter.\nNo.\n", encoding="utf-8")
    allow_foreign_code()
    yield folder
    allow_foreign_code(allowed=False)


def example(folder: Path, **more: Any) -> Path:
    told = {
        "source": "https://huggingface.co/Qwen/Qwen-Audio-Chat",
        "parts": [{"text": "What does the person say?"}],
        "expected": "mister quilter",
    }
    path = folder.with_name("example.json")  # not in the folder of the weights, which it would change
    path.write_text(json.dumps({**told, **more}), encoding="utf-8")
    return path


def settings(folder: Path) -> dict[str, Any]:
    return {"python": sys.executable, "source": str(folder)}


def test_every_runner_of_the_catalogue_is_unconfirmed(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("TRIPTYCH_CACHE", str(weights / "empty"))
    told = {row.key: state(row.key) for row in catalogue().values() if row.way[0] == "environment"}
    assert set(told.values()) <= {NEVER, ""} and sum(one == NEVER for one in told.values()) >= 20
    assert state("qwen2.5-omni-7b") == "" and state("worker/ola-7b") == NEVER


def test_the_listing_the_manifest_and_the_row_say_it(weights: Path, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = []
    list_models("cmdar", "", "", False, rows.extend)
    assert {row["name"]: row["confirmed"] for row in rows}[KEY] == NEVER
    questions = tmp_path / "q.jsonl"
    line = {"question": "What does the person say?", "A": "yes", "B": "no", "answer": "A"}
    questions.write_text("".join(json.dumps({"id": str(n), **line}) + "\n" for n in range(4)), encoding="utf-8")
    before = api.plan(str(questions), f"worker/{KEY}", settings=settings(weights))
    confirm_model(KEY, example(weights), settings(weights))
    after = api.plan(str(questions), f"worker/{KEY}", settings=settings(weights))
    assert before.manifest.about == {"weights": NEVER} and "weights" not in after.manifest.about
    assert before.manifest.identity() == after.manifest.identity()


def test_a_row_of_a_table_is_marked(weights: Path, tmp_path: Path) -> None:
    """The mark is no reason to take the published rows out of the table: the questions are the paper's."""
    folder = tmp_path / "run"
    told_how = RunOptions(progress=False)
    api.run("cmdar/main", f"worker/{KEY}", out=folder, settings=settings(weights), limit=2, options=told_how)
    told = remarks_of(load_benchmark("cmdar").spec, RunFolder.open(folder), [])
    assert [mark for mark in told.marks if "replaced model" in mark and NEVER in mark]


@pytest.mark.parametrize("wrong", [{"parts": []}, {"expected": ""}, {"parts": [{"sound": "a"}]}, {"source": " "}])
def test_a_wrong_example_is_refused(weights: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(SpecError, match="example"):
        read_example(example(weights, **wrong))
