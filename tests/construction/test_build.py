"""The core: keys, what is done again and what isn't, the funnel, the life of a record, withdrawal, people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.construction import toy
from triptych.construction.build import build
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.record import Outcome
from triptych.construction.release.provenance import life_of
from triptych.construction.release.withdrawal import add_withdrawn
from triptych.construction.stage import Stage, stage
from triptych.errors import DataError, RunFolderError, SpecError
from triptych.models import registry

TEXTS = {
    "a": "One fish swims. Two fish swim. One fish swims",
    "b": "Bad weather comes. Late trains stop. x",
    "c": "Two fish swim. Ten birds fly",
}


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    monkeypatch.setitem(registry.ADAPTERS, "toy", ("tests.construction.toy", ""))
    toy.Counting.asked = []
    return toy.Counting.asked


def config(**more: Any) -> dict[str, Any]:
    return {"texts": TEXTS, "models": {"maker": {"model": "toy/counting"}}, **more}


def output(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted((folder / "out").rglob("*")) if p.is_file()
    }


def questions(folder: Path) -> list[str]:
    return [row["id"] for row in json.loads((folder / "out/questions.json").read_text())]


def asked_about(asked: list[Any]) -> list[str]:
    return [request.id for request in asked]


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


def test_typed_again_nothing_is_asked_or_changed(tmp_path: Path, counting: list[Any]) -> None:
    build(toy.RECIPE, config(), tmp_path)
    before, asked = output(tmp_path), len(counting)
    build(toy.RECIPE, config(), tmp_path)
    assert len(counting) == asked and output(tmp_path) == before


def test_a_prompt_changed_and_changed_back(tmp_path: Path, counting: list[Any]) -> None:
    build(toy.RECIPE, config(), tmp_path)
    first = output(tmp_path)
    counting.clear()
    build(toy.RECIPE, config(prompt="Please ask about: {text}"), tmp_path)
    assert len(counting) == 7  # five records, two of them twice; upstream nothing is asked
    counting.clear()
    build(toy.RECIPE, config(), tmp_path)
    assert not counting and output(tmp_path) == first


def test_one_text_changed_asks_about_its_sentences_alone(tmp_path: Path, counting: list[Any]) -> None:
    build(toy.RECIPE, config(), tmp_path)
    counting.clear()
    build(toy.RECIPE, config(texts={**TEXTS, "c": "Two fish swim. Six birds fly"}), tmp_path)
    assert asked_about(counting) == ["c/1"]


def test_a_parser_changed_asks_nobody(tmp_path: Path, counting: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    build(toy.RECIPE, config(), tmp_path)
    counting.clear()

    def none_pass(replies: Any, values: Any, context: Any) -> Outcome:
        return Outcome("dropped", "changed")

    def changed(config: toy.Config) -> list[Stage]:
        *before, _ = toy.stages(config)
        asking = toy.Ask(toy.Prompt("question", config.prompt), none_pass, toy.Question)
        return [*before, toy.ask("question", asking, version=2, reads=["text"], writes=["question", "answer"])]

    recipe = toy.Recipe("toy", 1, "", toy.Config, toy.start, changed, toy.write, {"maker": ""})
    built = build(recipe, config(), tmp_path)
    assert not counting and built.written == 0
    assert built.counts[-1].reasons == {"dropped: changed": 4, "dropped: unreadable-reply": 1}


def test_the_life_of_a_record(tmp_path: Path) -> None:
    build(toy.RECIPE, config(), tmp_path)
    folder = BuildFolder(tmp_path)
    life = life_of(folder, "c/0")
    assert life.sources == ("text:c",)
    assert [(s.stage, s.decision, s.reason) for s in life.steps] == [
        ("material", "kept", ""),
        ("sentences", "kept", ""),
        ("doubles", "dropped", "duplicate"),
    ]
    assert life.steps[-1].note == "the same as a/1"
    made = {k: m for s in life_of(folder, "a/0").steps for k, m in s.wrote.items()}
    assert (made["whole"].kind, made["text"].kind, made["question"].kind) == ("source", "code", "model")
    assert made["question"].name == "toy/counting" and made["question"].prompt.startswith("question#")
    journal, _, entry = made["question"].at.partition("#")
    replies = (folder.stage("question") / "replies" / journal).read_text()
    assert entry.split("/")[2] in replies
    with pytest.raises(DataError, match="has no record with this id"):
        life_of(folder, "a/9")


def test_provenance_names_who_made_each_field(tmp_path: Path) -> None:
    build(toy.RECIPE, config(), tmp_path)
    lines = [json.loads(line) for line in (tmp_path / "out/provenance.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == questions(tmp_path)
    assert {k: m["kind"] for k, m in lines[0]["makers"].items()} == {
        "whole": "source",
        "text": "code",
        "question": "model",
        "answer": "model",
    }


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


@pytest.mark.parametrize("texts", [{}, {"a": ""}, {"a": "One fish swims"}])
def test_none_and_one_record(tmp_path: Path, texts: dict[str, str]) -> None:
    built = build(toy.RECIPE, config(texts=texts), tmp_path)
    assert built.complete and built.written == (1 if texts.get("a") else 0)


def test_a_stage_sees_only_what_it_declares(tmp_path: Path) -> None:
    @stage("peek", version=1, reads=["whole"])
    def peek(values: Any, context: Any) -> Outcome:
        return Outcome("dropped", values["other"])

    @stage("writes", version=1, reads=["whole"])
    def writes(values: Any, context: Any) -> Outcome:
        return Outcome(fields={"undeclared": 1})

    for wrong, words in ((peek, "isn't declared"), (writes, "doesn't declare")):
        recipe = toy.Recipe("toy", 1, "", toy.Config, toy.start, lambda c, w=wrong: [w], toy.write, {"maker": ""})
        with pytest.raises(SpecError, match=words):
            build(recipe, config(), tmp_path)


@settings(max_examples=25, deadline=None)
@given(st.dictionaries(st.text("abc", min_size=1, max_size=3), st.text("ab .", max_size=20), max_size=5))
def test_every_record_is_accounted_for(tmp_path_factory: pytest.TempPathFactory, texts: dict[str, str]) -> None:
    built = build(toy.RECIPE, config(texts=texts), tmp_path_factory.mktemp("build"))
    came = len(texts)
    for each in built.counts:
        assert each.came + each.passed_by == came and each.came == sum(each.decisions.values())
        came = each.went + each.passed_by
    assert came == built.written


def test_why_answers_at_once_in_a_large_build(tmp_path: Path) -> None:
    """No parsing of every line: the record's own bytes are looked for."""
    from triptych.construction.engine.folder import DecisionLine

    folder = BuildFolder(tmp_path)
    lines = [DecisionLine(f"w{n}", "k", Outcome(fields={"whole": "x" * 200})) for n in range(100_000)]
    folder.write_lines(folder.stage("material", 0), lines)
    folder.write_json("funnel.json", [])
    assert life_of(folder, "w99999").steps[0].id == "w99999"
    assert folder.find("material", "w9999") is not None and folder.find("material", "9999") is None
