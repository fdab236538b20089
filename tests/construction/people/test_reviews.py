"""Nothing that a person says in a review is lost: edits reach the files, and disagreements wait."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.construction.recipes import test_cmdar as cmdar_material
from tests.construction.recipes import test_mcga as mcga_material
from triptych.construction.asking.questions import Result
from triptych.construction.build import build
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.people.reviews import faults_of
from triptych.construction.people.stage import check_result
from triptych.construction.recipes import cmdar, mcga, mcs_bench
from triptych.errors import DataError

SHOWN = {
    "question": "他为什么停下？",
    "options": ["因为到站", "因为下雨", "因为有人喊", "因为灯灭了"],
    "answer": "因为到站",
    "category": "时间推理任务",
    "category_choices": ["时间推理任务", "场景定位任务"],
}


@pytest.mark.parametrize("form", [cmdar.REVIEW.form, mcga.REVIEW.form])
@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"verdict": "approve", "answer": "B"}, "answer was changed"),
        ({"verdict": "edit"}, "nothing was changed"),
        ({"verdict": "edit", "answer": "E"}, "'E' is not an option"),
        ({"verdict": "edit", "answer": "因为地震"}, "is not an option"),
        ({"verdict": "edit", "options": ["因为到站"]}, "1 options in place of 4"),
        ({"verdict": "edit", "options": ["因为到站", "因为到站", "因为雪", "因为风"]}, "same"),
        ({"verdict": "edit", "question": "因为到站，他为什么停下？"}, "answer-in-question"),
        ({"verdict": "edit", "question": "他<b>为什么</b>停下？"}, "markup"),
        ({"verdict": "edit", "options": ["到站\u202e", "下雨", "有人喊", "灯灭了"]}, "invisible"),
        ({"verdict": "edit", "options": ["因为下雨", "因为有人喊", "因为灯灭了", "因为雪"]}, "no longer an option"),
    ],
)
def test_what_cannot_be_used_is_refused(form: dict[str, Any], values: dict[str, Any], told: str) -> None:
    assert told in " ".join(faults_of(values, form, SHOWN))
    with pytest.raises(DataError, match="P1"):
        check_result(Result("r", "s", "P1", values), form, SHOWN)


def test_a_category_of_another_task_and_an_edit_of_mcs_bench() -> None:
    assert "none of" in " ".join(faults_of({"verdict": "edit", "category": "猜谜"}, cmdar.REVIEW.form, SHOWN))
    assert not list(faults_of({"verdict": "edit", "category": "场景定位任务"}, cmdar.REVIEW.form, SHOWN))
    assert "not an option" in " ".join(faults_of({"verdict": "revise", "answer": "Z"}, mcs_bench.REVIEW.form, SHOWN))
    assert not list(faults_of({"verdict": "reject", "answer": "Z"}, cmdar.REVIEW.form, SHOWN))


config_of_cmdar, config_of_mcga = cmdar_material.config, mcga_material.config


def say(folder: Path, stage: str, person: str, said: Any, **more: Any) -> list[dict[str, Any]]:
    """A person returns `said(task)` about every task of the stage, open or done."""
    place = next((folder / "stages").glob(f"??-{stage}")) / "tasks.jsonl"
    tasks = [json.loads(line) for line in place.read_text(encoding="utf-8").splitlines()]
    (folder / "results").mkdir(exist_ok=True)
    with (folder / f"results/{stage}.jsonl").open("a", encoding="utf-8") as file:
        for task in tasks:
            if values := said(task):
                result = {"id": task["id"], "shown": task["shown"], "person": person, "values": values, **more}
                file.write(json.dumps(result, ensure_ascii=False) + "\n")
    return tasks


def cmdar_up_to_review(config: Path, to: Path) -> None:
    text = 'choose = "all"\nconfirm_pairs = false\nsecond_review = false\nblind = false\n'
    config.write_text(text + config.read_text(encoding="utf-8"), encoding="utf-8")
    build("cmdar", config, to)


def reasons(built: Any, stage: str) -> dict[str, int]:
    return dict(next(each.reasons for each in built.counts if each.stage == stage))


def test_corrected_answers_options_and_categories_are_released(config_of_cmdar: Path, tmp_path: Path) -> None:
    to = tmp_path / "b"
    cmdar_up_to_review(config_of_cmdar, to)

    def expert(task: dict[str, Any]) -> dict[str, Any]:
        kind, options = task["shows"]["task"], task["shows"]["options"]
        if kind == "main":
            told = {"question": "他们究竟为什么停下？", "reasoning": "钟声之后有人喊。", "timestamps": "3-9"}
            return {"verdict": "edit", "answer": "因为有人喊", "category": "场景定位任务", **told}
        if kind == "multi":
            wrong = [
                letter for letter, option in zip("ABCDE", options, strict=True) if option not in task["shows"]["answer"]
            ]
            return {"verdict": "edit", "answer": ", ".join(wrong[:2]), "options": [f"{o}啊" for o in options]}
        return {"verdict": "edit", "answer": "因为听见了雨声。"}

    say(to, "review", "E1", expert)
    done = build("cmdar", config_of_cmdar, to)
    assert done.complete and set(reasons(done, "review")) == {"revised: edited-in-review"}
    rows = {t: json.loads((to / f"out/MDAR-{t}.json").read_text(encoding="utf-8")) for t in ("main", "multi", "open")}
    assert {(row["answer"], row["category"]) for row in rows["main"]} == {("因为有人喊", "场景定位任务")}
    assert {row["question"] for row in rows["main"]} == {"他们究竟为什么停下？"}
    known = [json.loads(x) for x in (to / "out/questions.jsonl").read_text(encoding="utf-8").splitlines()]
    said = {(each.get("reasoning"), each.get("timestamps")) for each in known if each["item"].startswith("cmdar/main/")}
    assert said == {("钟声之后有人喊。", "3-9")}
    for row in rows["multi"]:
        assert set(row["answer"]) == {"情况2发生了啊", "情况4发生了啊"} and all(
            o.endswith("啊") for o in row["chosens"]
        )
    assert {row["answer"] for row in rows["open"]} == {"因为听见了雨声。"}


def test_a_faulty_edit_from_a_file_waits_with_its_reason(config_of_cmdar: Path, tmp_path: Path) -> None:
    to = tmp_path / "b"
    cmdar_up_to_review(config_of_cmdar, to)
    say(to, "review", "E1", lambda task: {"verdict": "edit", "answer": "E", "question": "视频里有谁？"})
    held = build("cmdar", config_of_cmdar, to)
    assert reasons(held, "review").keys() == {"pending: result-refused"}
    assert (to / "tasks/review.jsonl").is_file()  # so the sheet and the portal ask again
    notes = [line.outcome.note for line in BuildFolder(to).lines("review") if line.outcome.note]
    assert all("screened-word: '视频'" in note for note in notes)  # also those whose answer can be used


def test_two_who_disagree_wait_until_somebody_settles_it(config_of_cmdar: Path, tmp_path: Path) -> None:
    to = tmp_path / "b"
    cmdar_up_to_review(config_of_cmdar, to)
    tasks = say(to, "review", "E1", lambda task: {"verdict": "approve", "timestamps": "1.0-2.0"})
    assert build("cmdar", config_of_cmdar, to).complete
    rejected = tasks[0]["id"]
    later = {rejected: {"verdict": "reject", "criterion": ["wrong answer"]}}
    say(to, "review", "E2", lambda task: later.get(task["id"], {"verdict": "approve", "timestamps": "3.0-4.0"}))
    held = build("cmdar", config_of_cmdar, to)
    assert reasons(held, "review") == {"pending: disagreement": 1}
    line = BuildFolder(to).find("review", rejected)
    assert line is not None and "E1: approve" in line.outcome.note and "E2: reject" in line.outcome.note
    say(to, "review", "E3", lambda task: later.get(task["id"]), settles=True)
    assert reasons(build("cmdar", config_of_cmdar, to), "review") == {"dropped: rejected-in-review": 1}


def mcga_up_to_inspection(config: Path, to: Path) -> None:
    config.write_text(
        config.read_text(encoding="utf-8") + "[stages.split]\nshares = { test = 1.0 }\n", encoding="utf-8"
    )
    build("mcga", config, to)
    tasks = [json.loads(line) for line in (to / "tasks/record.jsonl").read_text(encoding="utf-8").splitlines()]
    mcga_material.TEXTS.update({task["id"]: task["shows"]["text"] for task in tasks})
    mcga_material.record_everything(to)
    build("mcga", config, to, ask=False)
    mcga_material.hear(to)
    build("mcga", config, to)


def test_a_rejected_recording_is_in_no_task_and_scores_are_released(config_of_mcga: Path, tmp_path: Path) -> None:
    to = tmp_path / "b"
    mcga_up_to_inspection(config_of_mcga, to)
    said = {
        "guanju/000/man": {"score": 1, "fault": "noise"},
        "guanju/000/woman": {"score": 2, "why": "two words are wrong"},
    }
    tasks = say(to, "inspect", "R1", lambda task: said.get(task["id"], {"score": 5}))
    assert len(tasks) == 8  # one a recording, not one a question
    build("mcga", config_of_mcga, to)
    reviews = say(to, "review", "R1", lambda task: {"verdict": "approve"})
    assert len({task["id"] for task in reviews}) == len(reviews)  # a question that two people read is reviewed once
    say(to, "review-sec", "R1", lambda task: {"verdict": "approve"})
    done = build("mcga", config_of_mcga, to)
    assert done.complete
    assert reasons(done, "inspect")["dropped: recording-rejected"] > 6  # all tasks of both recordings
    rows = [json.loads(x) for p in (to / "out").glob("MCGA_*") for x in p.read_text(encoding="utf-8").splitlines()]
    assert rows and not [row for row in rows if row["id"].startswith("guanju")]
    assert not list((to / "out/audio").glob("guanju*"))
    known = [json.loads(x) for x in (to / "out/recordings.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {each["score"] for each in known} == {5} and len(known) == 6


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


def test_a_sentence_of_another_poem_is_no_caption() -> None:
    lines = [("关关雎鸠", "喜悦"), ("在河之洲", "宁静")]
    assert mcga.caption_fault("关关雎鸠，在河之洲。", "欢快。", lines) is None
    assert mcga.caption_fault("关关雎鸠，在河之洲。", "欢快。", lines[:1])[0] == "caption-incomplete"
    assert (
        mcga.caption_fault("关关雎鸠，在河之洲。", "欢快。", [*lines, ("床前明月光", "思念")])[0]
        == "caption-of-another-text"
    )
    assert mcga.caption_fault("关关雎鸠，在河之洲。", "", lines)[0] == "malformed-caption"
