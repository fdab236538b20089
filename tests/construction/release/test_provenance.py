"""Tests of `construction/release/provenance.py`: the life of a record, and who made each field."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.construction import toy
from tests.construction.toy import config, questions
from triptych.construction.build import build
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.record import Outcome
from triptych.construction.release.provenance import life_of
from triptych.errors import DataError

pytestmark = pytest.mark.usefixtures("counting")


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


def test_why_answers_at_once_in_a_large_build(tmp_path: Path) -> None:
    """No parsing of every line: the record's own bytes are looked for."""
    from triptych.construction.engine.folder import DecisionLine

    folder = BuildFolder(tmp_path)
    lines = [DecisionLine(f"w{n}", "k", Outcome(fields={"whole": "x" * 200})) for n in range(100_000)]
    folder.write_lines(folder.stage("material", 0), lines)
    folder.write_json("funnel.json", [])
    assert life_of(folder, "w99999").steps[0].id == "w99999"
    assert folder.find("material", "w9999") is not None and folder.find("material", "9999") is None
