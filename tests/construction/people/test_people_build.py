"""A role that people fill in place of a model: tasks go out, and what they return is read as a reply."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.construction import toy
from triptych.construction.build import Built, build
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.release.provenance import life_of

TEXTS = {"a": "Cats sleep. Dogs bark.", "b": "Birds sing."}


def go(to: Path, texts: dict[str, str] = TEXTS) -> Built:
    return build(toy.RECIPE, {"texts": texts, "models": {"maker": {"model": "human/authors"}}}, to)


def tasks(to: Path) -> list[dict[str, Any]]:
    path = to / "tasks/question.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def give(to: Path, task: dict[str, Any], **values: Any) -> None:
    (to / "results").mkdir(exist_ok=True)
    result = {"id": task["id"], "shown": task["shown"], "person": "P1", "values": values}
    with (to / "results/question.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(result) + "\n")


def test_people_make_questions_in_place_of_a_model(tmp_path: Path) -> None:
    assert go(tmp_path).waiting == 3
    first, *others = tasks(tmp_path)
    assert first["form"] == {"question": "text", "answer": "text", "declined": "text"}
    assert first["shows"] == {"text": "Cats sleep"}
    assert first["guide"] == "Ask something about: Cats sleep"
    for task in [first, *others]:
        give(tmp_path, task, question="Who?", answer=task["shows"]["text"].split()[0])
    built = go(tmp_path)
    assert built.complete and built.written == 3 and not tasks(tmp_path)
    made = life_of(BuildFolder(tmp_path), "a/0").steps[-1].wrote["question"]
    assert (made.kind, made.name, made.prompt.partition("#")[0]) == ("person", "P1", "question")


def test_a_result_about_an_older_text_is_not_used(tmp_path: Path) -> None:
    go(tmp_path)
    for task in tasks(tmp_path):
        give(tmp_path, task, question="Who?", answer=task["shows"]["text"].split()[0])
    assert go(tmp_path, {**TEXTS, "b": "Birds sang."}).waiting == 1


def test_what_does_not_fit_fails_until_it_is_corrected(tmp_path: Path) -> None:
    go(tmp_path)
    for task in tasks(tmp_path):
        give(tmp_path, task, question="Who?", wrong_field="x")
    failed = go(tmp_path)
    assert failed.waiting == 3 and failed.counts[-1].decisions == {"failed": 3}
    assert not tasks(tmp_path)  # it was returned: a corrected result is wanted, no second opinion
    for line in (tmp_path / "results/question.jsonl").read_text(encoding="utf-8").splitlines():
        give(tmp_path, json.loads(line), question="Who?", answer="bark")
    done = go(tmp_path)
    assert done.complete and done.counts[-1].decisions == {"kept": 1, "dropped": 2}


def test_who_can_make_nothing_of_a_record_says_so(tmp_path: Path) -> None:
    go(tmp_path)
    for task in tasks(tmp_path):
        give(tmp_path, task, declined="there is nothing to ask")
    done = go(tmp_path)
    assert done.complete and done.counts[-1].reasons == {"dropped: declined": 3}
