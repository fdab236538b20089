"""Sessions of people as the authors' survey page stores them: read whole, or refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.xmodbench.test_outputs import GENERAL, ORDER, session
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.xmodbench.sessions import SessionQuestion, SessionScore, by_task, read_session
from triptych.errors import DataError

SPEC = load_benchmark("xmodbench").spec
PATH = Path("P1_session_ab12.json")


def stored(*asked: tuple[str, int, str, str], **more: Any) -> bytes:
    return json.dumps(session(*asked, **more), ensure_ascii=False).encode()


def test_a_session_has_its_answers_and_the_counts_of_the_page() -> None:
    found = read_session(stored((GENERAL, 90, "A", "B"), score={"correct": 0, "total": 1, "percentage": 0.0}))
    assert found is not None
    assert (found.session_id, found.score) == ("ab12", SessionScore(0, 1))
    (question,) = found.questions
    assert (question.position, question.user_answer, question.correct_answer) == (90, "A", "B")
    alone = read_session(stored())
    assert alone is not None and alone.score is None and alone.questions == []


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[]",
        b'{"session_id": 7, "questions": []}',
        b'{"session_id": "a"}',
        b'{"session_id": "a", "questions": [{"question_id": "x_1"}]}',
        b'{"session_id": "a", "questions": [',
        b'{"results": "\\"session_id\\""}',
        b'"session_id"\xff',
        b'{"session_id": ' + b"[" * 100_000,
    ],
)
def test_another_file_is_no_session(content: bytes) -> None:
    assert read_session(content) is None


def test_a_key_that_occurs_twice_is_refused() -> None:
    twice = stored((GENERAL, 90, "A", "A")).replace(b'"user_answer"', b'"user_answer": "C", "user_answer"')
    with pytest.raises(DataError, match="ambiguous") as refused:
        read_session(twice)
    assert "ab12" in str(refused.value.got) and "user_answer" in str(refused.value.got)
    assert refused.value.fix == "keep one of the values"


@pytest.mark.parametrize(
    ("question_id", "position"),
    [
        ("general_questions_90", 90),
        ("x_007", 7),
        ("7", 7),
        ("x_", None),
        ("x_-1", None),
        ("", None),
    ],
)
def test_the_position_is_the_end_of_the_id(question_id: str, position: int | None) -> None:
    assert SessionQuestion("tasks/a/b.json", question_id).position == position


def test_questions_are_sorted_by_task_and_position() -> None:
    found = read_session(stored((GENERAL, 90, "A", "A"), (ORDER, 3, "B", "C"), (GENERAL, 7, "D", "A")))
    assert found is not None
    tasks = dict(by_task(found, PATH, SPEC))
    assert list(tasks) == ["perception/general/audio_text", "temporal/order/vision_audio"]
    assert {position: one.user_answer for position, one in tasks["perception/general/audio_text"].items()} == {
        90: "A",
        7: "D",
    }


def test_a_file_of_windows_is_found_too() -> None:
    windows = stored((GENERAL, 90, "A", "A")).replace(
        f"/home/x/AudioBench/benchmark/tasks/{GENERAL}.json".encode(),
        ("D:\\\\AudioBench\\\\tasks\\\\" + GENERAL.replace("/", "\\\\") + ".json").encode(),
    )
    found = read_session(windows)
    assert found is not None and list(dict(by_task(found, PATH, SPEC))) == ["perception/general/audio_text"]


@pytest.mark.parametrize(
    ("asked", "problem"),
    [
        ([("no/such_file", 1, "A", "A")], "unknown question"),
        ([(GENERAL, -1, "A", "A")], "unknown question"),
        ([(GENERAL, 90, "A", "A"), (GENERAL, 90, "B", "A")], "two answers to one question"),
    ],
)
def test_unknown_and_repeated_questions_are_refused_with_the_file(
    asked: list[tuple[str, int, str, str]], problem: str
) -> None:
    found = read_session(stored(*asked))
    assert found is not None
    with pytest.raises(DataError, match=problem) as refused:
        list(by_task(found, PATH, SPEC))
    assert refused.value.where == str(PATH) and asked[-1][0].rpartition("/")[2] in str(refused.value.got)
