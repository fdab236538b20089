"""The core: keys, what is done again and what isn't, the funnel, the life of a record, withdrawal, people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.construction import toy
from tests.construction.toy import TEXTS, asked_about, config, questions
from triptych.construction.build import build
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.release.withdrawal import add_withdrawn
from triptych.errors import RunFolderError, SpecError

pytestmark = pytest.mark.usefixtures("counting")


def test_a_build_writes_the_benchmark_and_counts_everything(tmp_path: Path, counting: list[Any]) -> None:
    built = build(toy.RECIPE, config(), tmp_path)
    assert built.complete and built.written == 4
    assert questions(tmp_path) == ["a/0", "a/1", "b/1", "c/1"]
    by_name = {each.stage: each for each in built.counts}
    assert by_name["sentences"].decisions == {"kept": 3} and by_name["sentences"].went == 7
    assert by_name["doubles"].reasons == {"dropped: duplicate": 2}
    assert by_name["question"].reasons == {"dropped: unreadable-reply": 1}
    for each in built.counts:
        assert sum(each.decisions.values()) == each.came
    assert BuildFolder(tmp_path).funnel() == list(built.counts)
    # "Bad" and "Late" were asked twice, with the fault named
    assert sorted(asked_about(counting)) == ["a/0", "a/1", "b/0", "b/0", "b/1", "b/1", "c/1"]
    assert (
        "no JSON" in counting[-1].messages[-1].parts[0].text
        or "not valid JSON" in counting[-1].messages[-1].parts[0].text
    )


def test_a_withdrawn_source_is_nowhere_and_nobody_is_asked(tmp_path: Path, counting: list[Any]) -> None:
    build(toy.RECIPE, config(), tmp_path)
    counting.clear()
    add_withdrawn(tmp_path, ["text:a"])
    built = build(toy.RECIPE, config(), tmp_path, ask=False)
    assert not counting
    assert questions(tmp_path) == ["b/1", "c/1"]  # "Two fish swim" waits: it was a duplicate of the withdrawn one
    assert built.counts[-1].reasons["pending: not-asked"] == 1 and not built.complete
    assert "text:a" not in (tmp_path / "out/provenance.jsonl").read_text()
    build(toy.RECIPE, config(), tmp_path)
    assert asked_about(counting) == ["c/0"]


def test_people_are_one_more_maker(tmp_path: Path, counting: list[Any]) -> None:
    built = build(toy.RECIPE, config(people=True), tmp_path)
    assert built.waiting == 4 and questions(tmp_path) == []
    tasks = [json.loads(line) for line in (tmp_path / "tasks/review.jsonl").read_text().splitlines()]
    assert [task["id"] for task in tasks] == ["a/0", "a/1", "b/1", "c/1"]
    (tmp_path / "results").mkdir()
    results = [
        {"id": t["id"], "shown": t["shown"], "person": "P1", "values": {"verdict": v}}
        for t, v in zip(tasks, ["good", "bad", "good"], strict=False)
    ]
    results.append({"id": "c/1", "shown": "of an older text", "person": "P1", "values": {"verdict": "good"}})
    (tmp_path / "results/review.jsonl").write_text("".join(json.dumps(r) + "\n" for r in results))
    counting.clear()
    built = build(toy.RECIPE, config(people=True), tmp_path)
    assert not counting and questions(tmp_path) == ["a/0", "b/1"] and built.waiting == 1
    assert built.counts[-1].decisions == {"kept": 2, "dropped": 1, "pending": 1}


def test_what_is_limited_or_cut_short_writes_no_benchmark(tmp_path: Path) -> None:
    build(toy.RECIPE, config(), tmp_path, limit=1)
    assert not (tmp_path / "out").exists()
    build(toy.RECIPE, config(), tmp_path, only=["doubles"])
    assert not (tmp_path / "out").exists()
    assert build(toy.RECIPE, config(), tmp_path).written == 4


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"texts": TEXTS, "modles": {}}, "modles"),
        ({"texts": 3}, "texts"),
        (config(models={"judge": {"model": "toy/counting"}}), "no role 'judge'"),
        (config(models={}), r"\[models.maker\]"),
        (config(stages={"sentence": {"least": 3}}), "no stage 'sentence'"),
        (config(stages={"sentences": {"most": 3}}), "no parameter 'most'"),
    ],
)
def test_wrong_configurations_are_refused(tmp_path: Path, given: dict[str, Any], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        build(toy.RECIPE, given, tmp_path)


def test_a_folder_of_another_recipe_is_left_alone(tmp_path: Path) -> None:
    build(toy.RECIPE, config(), tmp_path)
    other = toy.Recipe("other", 1, "", toy.Config, toy.start, toy.stages, toy.write, {"maker": ""})
    with pytest.raises(RunFolderError, match="another recipe"):
        build(other, config(), tmp_path)
