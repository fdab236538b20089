"""Tests of `construction/choices.py`: questions with options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.construction.people.test_reviews import mcga_up_to_inspection, say
from tests.construction.recipes import test_mcga as mcga_material
from triptych.construction.answers import options_fault
from triptych.construction.build import build
from triptych.construction.choices import Limits, NoChoice, choice_fault, edited, places_of
from triptych.construction.wording import wording_fault


@pytest.mark.parametrize(
    ("options", "answers", "new", "answer", "right"),
    [
        (["a", "b", "c"], [0], None, "b", [1]),
        (["a", "b", "c"], [0], None, "C", [2]),
        (["a", "b", "c"], [0], ["a2", "b", "c"], None, [0]),
        (["a", "b", "c"], [0], ["b", "c", "a"], None, [2]),
        (["a", "b", "c", "d"], [0, 1], None, "a；d", [0, 3]),
        (["a", "b", "c", "d"], [0, 1], None, ["B", "c"], [1, 2]),
        (["因为雨", "因为雨；风", "雪"], [0], None, "因为雨；风", [1]),
    ],
)
def test_answer_and_options_are_one_value(options, answers, new, answer, right) -> None:  # type: ignore[no-untyped-def]
    assert list(edited(options, answers, new, answer).answers) == right


def test_a_letter_that_is_the_text_of_another_option_is_not_guessed() -> None:
    with pytest.raises(NoChoice, match="the letter of one option and the text of another"):
        places_of("B", ["B", "A", "C"])
    assert places_of("A", ["A", "B"]) == [0]


def test_every_field_of_every_task_is_shown_editable_and_checked(config_of_mcga: Path, tmp_path: Path) -> None:
    to = tmp_path / "b"
    mcga_up_to_inspection(config_of_mcga, to)
    say(to, "inspect", "R1", lambda task: {"score": 5})
    build("mcga", config_of_mcga, to)

    def expert(task: dict[str, Any]) -> dict[str, Any]:
        kind, shows = task["shows"]["task"], task["shows"]
        assert shows["answer"] and (shows["options"] if kind in ("su", "sr") else True)
        if kind == "s2tt":
            things = ", ".join(mcga_material.THINGS[: len(shows["text"]) // 2])  # about as long as the text
            return {"verdict": "edit", "answer": f"A better translation of {task['id']}: {things}."}
        if kind == "sqa":
            return {"verdict": "edit", "question": "改过的问题是什么？"}
        wrong = next(option for option in shows["options"] if option != shows["answer"])
        return {"verdict": "edit", "answer": wrong}

    say(to, "review", "R1", expert)

    def listener(task: dict[str, Any]) -> dict[str, Any]:  # every part of a caption
        if task["id"] != captions_first["id"]:
            return {"verdict": "edit", "sec_2": "改过的情感。"}
        other = "woman" if task["shows"]["gender"] == "man" else "man"
        sentences = task["shows"]["sec_3"].replace("喜悦", "忧伤")
        return {"verdict": "edit", "sec_2": "改过的情感。", "sec_3": sentences, "gender": other, "age": "old"}

    captions_first = json.loads((to / "tasks/review-sec.jsonl").read_text(encoding="utf-8").splitlines()[0])
    captions = say(to, "review-sec", "R1", listener)
    assert all("|" in task["shows"]["sec_3"] and task["shows"]["sec_2"] and task["shows"]["audio"] for task in captions)
    assert build("mcga", config_of_mcga, to).complete
    rows = {
        p.stem.split("_")[1]: [json.loads(x) for x in p.read_text(encoding="utf-8").splitlines()]
        for p in (to / "out").glob("MCGA_*")
    }
    assert all(row["s2tt"].startswith("A better translation of") for row in rows["s2tt"])
    assert {row["sqa"] for row in rows["sqa"]} == {"改过的问题是什么？"}
    assert {row["sec_2"] for row in rows["sec"]} == {"改过的情感。"}
    voice = {"man": "女性", "woman": "男性"}[captions_first["shows"]["gender"]]
    (edited,) = [row for row in rows["sec"] if row["sec_1"] == f"一位{voice}，老年。"]
    assert "忧伤" in edited["sec_3"] and "喜悦" not in edited["sec_3"]
    known = [json.loads(x) for x in (to / "out/recordings.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [each["age"] for each in known if each["audio"] == edited["audio"]] == ["old"]
    for row in rows["su"]:
        key = next(line[3:] for line in row["su"].split("\n") if line.startswith(f"{row['su_a']}. "))
        assert key in ("骏马", "高山", "明月")  # the reviewer's answer, not the maker's


@pytest.mark.parametrize(
    ("options", "refused"),
    [
        (["三天", "两到五天", "不足十天", "半个月"], True),
        (["5 km", "less than 10 km", "20 km", "30 km"], True),
        (["三人", "五人以上", "至少八人", "十到二十人"], False),
        (["三天", "五天", "七天", "九天"], False),
        (["2:1", "1:2", "3:2", "1:1"], False),
    ],
)
def test_a_range_that_holds_the_correct_amount_is_correct_too(options: list[str], refused: bool) -> None:
    fault = choice_fault("多少？", options, [0], Limits())
    assert (fault is not None and fault[0] == "options-not-exclusive") is refused


@pytest.mark.parametrize(
    "options",
    [
        ["8:30", "9:00", "9:30", "10:00"],
        ["1：30", "2：30", "3：30", "4：30"],
        ["3:2", "2:1", "1:0", "0:0"],
        ["1.5 km", "2.5 km", "3.5 km", "4.5 km"],
        ["1°C", "2°C", "3°C", "4°C"],
        ["①②", "②③", "①③"],
        ["一、二年级", "三、四年级", "五、六年级"],
        ["E♭ major", "F# minor", "C major", "A minor"],
    ],
)
def test_times_scores_amounts_and_choices_of_statements_have_no_letters_of_their_own(options: list[str]) -> None:
    assert wording_fault("是什么？", options) is None
    assert options_fault("是什么？", options, "zh" if options[0][0] in "①一" else "") is None
    assert choice_fault("是什么？", options, [1], Limits()) is None
