"""The released list: what is read, what is refused, what may be missing; results in the same format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import triptych
from tests.benchmarks.mcs_bench.rows_for_tests import CHOICE, OCR, write
from triptych.benchmarks import load_benchmark
from triptych.benchmarks.mcs_bench.instructions import instructions, is_standard
from triptych.benchmarks.mcs_bench.rows import options
from triptych.conditions.condition import find_condition
from triptych.errors import DataError, MediaError
from triptych.media.payload import MediaReader
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


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"ID": None}, "no ID"),
        ({"Task_ID": 46}, "1 to 45"),
        ({"Task_ID": 0}, "1 to 45"),
        ({"Task_ID": None}, "1 to 45"),
        ({"Image": ""}, "Image"),
        ({"Question_Simplified": None}, "Question_Simplified"),
        ({"Answer_Simplified": "  "}, "Answer_Simplified"),
        ({"Image": ["a"]}, "can't be read"),
        ({"Task_ID": 36, "Answer_Simplified": "铜器"}, "letter from A to E"),
    ],
)
def test_a_row_that_cant_be_asked_is_reported_and_left_out(tmp_path: Path, change: dict[str, Any], fault: str) -> None:
    write(tmp_path, {**OCR, "ID": 0}, {**OCR, **change})
    problems: list[Problem] = []
    assert len(list(MCS.items(tmp_path, None, problems.append))) == 1
    assert [p.kind for p in problems] == ["malformed-row"]
    assert fault in problems[0].message
    with pytest.raises(DataError):
        list(MCS.items(tmp_path))


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


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../../etc/passwd", "https://example.org/a.jpg", "a\x00.jpg", "C:\\a.jpg"]
)
def test_a_hostile_path_is_never_opened(tmp_path: Path, path: str) -> None:
    write(tmp_path, {**OCR, "Image": path})
    (item,) = MCS.items(tmp_path)
    with pytest.raises(MediaError):
        MediaReader(tmp_path).resolve(item.parts[0])
    assert "unsafe-path" in {p.kind for p in MCS.check(tmp_path)} or "\x00" in path


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


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("问？A、甲 B、乙", {"A": "甲", "B": "乙"}),
        ("“承袭”一词？\nA、继承 B、承认 C、承担 D、承受。\n要求：请只输出", of("继承 承认 承担 承受")),
        ("体？A、篆书B、楷书C、隶书D、行书E、草书要求：只输出", of("篆书 楷书 隶书 行书 草书")),
        ("A、一", {}),
        ("没有选项", {}),
        ("B、乙 A、甲", {}),
    ],
)
def test_options_in_a_question(question: str, expected: dict[str, str]) -> None:
    assert options(question) == expected


def test_results_carry_their_own_questions(tmp_path: Path) -> None:
    path = write(
        tmp_path, {**OCR, "Response": "學而"}, {**CHOICE, "Response": None}, {**CHOICE, "ID": 8}, name="out.json"
    )
    outputs = MCS.outputs([path])
    assert {k: r.status for k, r in outputs.responses.items()} == {
        "mcs_bench/T1/1": "answered",
        "mcs_bench/T36/7": "failed",
        "mcs_bench/T36/8": "failed",
    }
    assert outputs.items["mcs_bench/T36/7"].target == "B"
    assert "2 of 3" in outputs.notes[0]
    scores = triptych.score("mcs_bench", predictions=[path])
    assert next(a for a in scores["official"] if (a.task, a.metric) == ("mcs_bench/T1", "cr")).value == 40.0


def test_results_without_questions_need_the_data(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    write(tmp_path / "data", OCR, {**OCR, "ID": 2})
    bare = write(tmp_path, {"ID": 1, "Task_ID": 1, "Response": "学而时习之"}, name="out.json")
    with pytest.raises(DataError):
        triptych.score("mcs_bench", predictions=[bare])
    scores = triptych.score("mcs_bench", predictions=[bare], data=tmp_path / "data")
    figure = next(a for a in scores["official"] if (a.task, a.metric) == ("mcs_bench/T1", "cr"))
    assert (figure.value, figure.counts) == (50.0, {"scored": 1, "missing": 1})


def test_two_answers_to_one_question_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="two answers"):
        MCS.outputs([write(tmp_path, {**OCR, "Response": "a"}, {**OCR, "Response": "b"})])


def test_written_results_are_read_back(tmp_path: Path) -> None:
    from triptych.benchmarks.mcs_bench.outputs import write_outputs

    path = write(tmp_path, {**OCR, "Response": "学"}, {**CHOICE, "Response": None})
    outputs = MCS.outputs([path])
    again = MCS.outputs(write_outputs(outputs.items.values(), outputs.responses.values(), tmp_path / "to"))
    assert {k: (r.status, r.text) for k, r in again.responses.items()} == {
        k: (r.status, r.text) for k, r in outputs.responses.items()
    }


def test_45_instructions_and_the_lengths_that_the_paper_counts() -> None:
    assert list(instructions()) == [f"T{n}" for n in range(1, 46)]
    counted = {"T2": 46, "T3": 45, "T4": 57, "T9": 15, "T15": 11, "T22": 13, "T30": 41, "T37": 39, "T39": 12}  # Table 5
    assert {task: len("".join(instructions()[task].split())) for task in counted} == counted


def test_the_mini_set_has_every_task_twice_in_its_standard_words() -> None:
    rows = json.loads((MCS.mini / "MCS-Bench.json").read_text(encoding="utf-8"))
    for number in range(1, 46):
        own = [row for row in rows if row["Task_ID"] == number]
        assert len(own) >= 2, number
        assert all(is_standard(f"T{number}", row["Question_Simplified"]) for row in own)
    assert not list(MCS.check(MCS.mini))
    assert {len(i.labels) for i in MCS.items(MCS.mini) if i.task.endswith("/T13")} == {5}
    assert {len(i.labels) for i in MCS.items(MCS.mini) if i.task.endswith("/T23")} == {3}
    assert sum(f.stat().st_size for f in MCS.mini.rglob("*") if f.is_file()) < 2_500_000
