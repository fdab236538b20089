"""Tests of `benchmarks/questions`: outputs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import triptych
from triptych.benchmarks import own_questions
from triptych.errors import DataError, TwoAnswersError

CAPITALS = {"France": "Paris", "Italy": "Rome", "Norway": "Oslo", "Switzerland": "Bern"}


def accuracy(questions: str, replies: Path) -> tuple[float | None, dict[str, int]]:
    (figure,) = triptych.score(questions, predictions=[replies])["standard"]
    return figure.value, {status: n for status, n in figure.counts.items() if n}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "a.jsonl",
            '{"id": 1, "reply": "A"}\n{"id": 2, "reply": "B"}\n{"id": 3, "reply": "D"}\n{"id": 4, "reply": "D"}\n',
        ),
        (
            "a.json",
            '[{"qid": 1, "prediction": "A"}, {"qid": 2, "prediction": "B"}, {"qid": 3, "prediction": "D"},'
            ' {"qid": 4, "prediction": "D"}]',
        ),
        ("a.csv", "question_id,Model Output,answer\n1,A,A\n2,The answer is B,B\n3,(D),C\n4,D,D\n"),
        ("a.tsv", "index\tgenerated_text\n4\tD\n3\tD\n2\tB\n1\tA\n"),
        ("b.csv", "id,question,answer\n1,Capital of France?,A\n2,?,B\n3,?,D\n4,?,D\n"),
    ],
)
def test_usual_names_of_columns_are_read(name: str, content: str, questions: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(content, encoding="utf-8")
    assert accuracy(questions, file) == (75.0, {"scored": 4})


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("id,output,response\n1,A,B\n", "several columns can be the reply"),
        ("id,question\n1,A\n", "no column is the reply"),
        ("name,reply\n1,A\n", "no column is the id"),
        ("id,reply\n9,A\n", "no reply is to one of the questions"),
    ],
)
def test_what_is_ambiguous_is_refused(content: str, words: str, questions: str, tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=words):
        triptych.score(questions, predictions=[file])
    with pytest.raises(DataError, match=words):
        triptych.audit_run([file], benchmark=questions)


def test_two_replies_to_one_question_are_refused(questions: str, tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    file.write_text("id,reply\n1,A\n1,B\n", encoding="utf-8")
    with pytest.raises(TwoAnswersError):
        triptych.score(questions, predictions=[file])
    assert [one.kind for one in triptych.audit_run([file], benchmark=questions)] == ["duplicate"]


def notes_of(questions: str, replies: Path) -> tuple[str, ...]:
    bench = own_questions(questions)
    assert bench is not None and bench.home
    return bench.outputs([replies], {item.id: item for item in bench.items(bench.home)}).notes


def test_replies_to_unknown_questions_are_counted_in_a_note(questions: str, tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    file.write_text("id,reply\n1,A\n2,B\n98,C\n99,D\n", encoding="utf-8")
    (note,) = notes_of(questions, file)
    assert note.startswith("2 of 4 replies are to none of the questions") and "'98'" in note


@pytest.mark.parametrize(
    ("stated", "noted"),
    [
        ("Capital of {land}?", False),
        ("Capital of  {land} ?\nA. Paris B. Rome\nAnswer with a letter.", False),
        ("Which animal barks in {land}?", True),
    ],
)
def test_rows_that_state_other_questions_are_noted(stated: str, noted: bool, questions: str, tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    rows = [{"id": n, "question": stated.format(land=land), "reply": "A"} for n, land in enumerate(CAPITALS, 1)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert [("another question" in note) for note in notes_of(questions, file)] == [True] * noted


@pytest.mark.parametrize(
    ("name", "content"), [("a.csv", "id,reply\n"), ("a.jsonl", ""), ("a.json", "[]"), ("b.csv", "")]
)
def test_an_empty_table_has_no_replies(name: str, content: str, questions: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match="the file has no replies"):
        triptych.score(questions, predictions=[tmp_path / name])
