"""The released list: what is read, what is refused, what may be missing; results in the same format."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.mcs_bench.rows_for_tests import CHOICE, OCR, write
from triptych.benchmarks import load_benchmark
from triptych.conditions.condition import find_condition
from triptych.errors import DataError
from triptych.records import Item, Problem

MCS = load_benchmark("mcs_bench")


def test_a_row_becomes_an_item(tmp_path: Path) -> None:
    write(tmp_path, OCR, CHOICE)
    reading, choice = MCS.items(tmp_path)
    assert (reading.id, reading.task, reading.target, reading.answer) == (
        "mcs_bench/T1/1",
        "mcs_bench/T1",
        "学而时习之",
        "text",
    )
    assert [(p.kind, p.path, p.role) for p in reading.parts] == [
        ("image", "images/a.jpg", "content"),
        ("text", "", "question"),
    ]
    assert reading.facets == {"domain": "ACT", "format": "QA", "kind": "OCR"}
    assert choice.labels == ("A", "B", "C", "D")
    assert choice.option_texts() == ("雕塑、造像", "铜器", "瓷器", "档案文书")
    assert (choice.id, choice.target, choice.parts[0].path) == ("mcs_bench/T36/7", "B", "images/b.jpg")


def test_traditional_forms_may_be_missing_and_ids_may_not_come_twice(tmp_path: Path) -> None:
    bare = {k: v for k, v in OCR.items() if "Traditional" not in k}
    write(tmp_path, bare, {**bare, "Task_ID": 8}, bare)
    problems: list[Problem] = []
    left_out: list[Item] = []
    items = list(MCS.items(tmp_path, None, problems.append, left_out.append))
    assert [i.id for i in items] == ["mcs_bench/T1/1", "mcs_bench/T8/1"]
    assert [p.kind for p in problems] == ["id-doubled"] and left_out == items[:1]
    assert find_condition("traditional").apply(items[0]) == items[0]


def test_the_traditional_question_is_asked_on_demand(tmp_path: Path) -> None:
    write(tmp_path, OCR)
    (item,) = MCS.items(tmp_path)
    asked = find_condition("traditional").apply(item)
    assert [p.text for p in asked.parts if p.role == "question"] == [OCR["Question_Traditional"]]
    assert (asked.id, asked.target) == (item.id, item.target)


def test_the_true_text_of_a_picture_is_known_from_its_other_tasks(tmp_path: Path) -> None:
    same = {**OCR, "Question_Simplified": "译"}
    other = {**same, "Image": "c.jpg"}
    write(
        tmp_path,
        OCR,
        {**same, "Task_ID": 2},
        {**other, "Task_ID": 3, "Answer_Simplified": "学，而。"},
        {**other, "Task_ID": 4},
    )
    hidden = {i.task: i.hidden.get("true_text") for i in MCS.items(tmp_path)}
    assert hidden == {
        "mcs_bench/T1": None,
        "mcs_bench/T2": "学而时习之",
        "mcs_bench/T3": "学而",
        "mcs_bench/T4": "学而",
    }


def of(words: str) -> dict[str, str]:
    return dict(zip("ABCDE", words.split(), strict=False))


def test_two_answers_to_one_question_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="two answers"):
        MCS.outputs([write(tmp_path, {**OCR, "Response": "a"}, {**OCR, "Response": "b"})])
