"""Tests of `benchmarks/questions`: outputs."""

from __future__ import annotations

from pathlib import Path

import pytest

import triptych
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
