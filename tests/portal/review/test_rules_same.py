"""One rule set: the same answers through a sheet, through the portal's form and through a build, for every queue."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from triptych.construction.asking.questions import Result
from triptych.construction.engine.context import Values
from triptych.construction.engine.folder import BuildFolder
from triptych.construction.people.sheets import all_tasks, take_sheet, write_sheet
from triptych.construction.people.stage import Task, distinct_texts, task_of, tidied, usable_results, write_tasks
from triptych.construction.recipe import load_recipe
from triptych.construction.stage import Stage
from triptych.portal.review.fields import Unfit, check_answer, fields_of, values_of

CONFIGS: dict[str, dict[str, Any]] = {
    "mcga": {"works": "w.csv", "year": 2026},
    "cmdar": {"recordings": "r.csv"},
    "mcs_bench": {"pictures": "p.csv"},
    "xmodbench": {"triplets": ["t.csv"], "review": True},
    "mcif": {
        "talks": "t.csv",
        "drafts": ["transcripts", "translations"],
        "write": True,
        "abstract_first": True,
        "second_expert": True,
        "native": True,
        "general": ["Who speaks?", "Where?", "What is it about?"],
    },
}
SOUND, OTHER = "media/ab/" + "a" * 64 + ".wav", "media/ab/" + "b" * 64 + ".wav"
POEM = "床前明月光，疑是地上霜。举头望明月，低头思故乡。"
CHOICE = {
    "question": "他为什么在车站停下来？",
    "options": ["因为火车还没有到", "因为外面下着雨", "因为有人在喊他", "因为灯突然灭了"],
    "answers": [0],
    "answer": "因为火车还没有到",
}
SEVERAL = {
    "question": "两段录音说明了什么？",
    "options": ["有人走进了屋里", "外面开始下大雨", "他们在等一个人", "火车已经开走了", "钟敲了三下"],
    "answers": [0, 2],
    "answer": "有人走进了屋里；他们在等一个人",
}
CMDAR = {"audio": SOUND, "begin": 0.0, "end": 20.0, "reviewed_by": "R0", "reasoning": "先听见钟声，后听见脚步声。"}
CMDAR_MAIN = {
    **CMDAR,
    **CHOICE,
    "task": "main",
    "category": "时间推理任务",
    "category_choices": ["时间推理任务", "场景定位任务"],
}
TALK = ["We count swifts by ear.", "They fly over the town in the evening."]
# A record for each queue, as the stages before it leave it; the second one of a queue is another record.
RECORDS: dict[str, dict[str, Any]] = {
    "mcga/inspect": {
        "title": "静夜思",
        "author": "李白",
        "text": POEM,
        "pinyin": "…",
        "audio": SOUND,
        "recording": "j/man",
        "speaker": "R0",
    },
    "mcga/gender": {"audio": SOUND, "gender": "man", "pitch_hz": 220.0, "recording": "j/man"},
    "mcga/review": {"task": "su", "text": POEM, "asked_about": "j/su", **CHOICE},
    "mcga/review s2tt": {
        "task": "s2tt",
        "text": POEM,
        "answer": "Before my bed the moon is bright; I took it for frost. I look up at the moon, and think of home.",
        "asked_about": "j/s2tt",
    },
    "mcga/review-sec": {
        "text": POEM,
        "sec_2": "思乡而宁静。",
        "sec_3": "床前明月光|宁静\n疑是地上霜|疑惑\n举头望明月|惆怅\n低头思故乡|思念",
        "gender": "man",
        "age": "young",
        "audio": SOUND,
        "asked_about": "j/sec",
    },
    "cmdar/scenes": {"audio": SOUND, "clip": "f/0", "begin": 0.0, "end": 20.0},
    "cmdar/confirm-pairs": {"audio": SOUND, "audio_other": OTHER, "pair": ["f/0", "f/1"]},
    "cmdar/review": CMDAR_MAIN,
    "cmdar/review multi": {
        **CMDAR,
        **SEVERAL,
        "task": "multi",
        "category": "连续场景推理任务",
        "audio_other": OTHER,
        "category_choices": ["连续场景推理任务", "情节发展推理任务"],
        "begin_other": 5.0,
        "end_other": 35.0,
    },
    "cmdar/review open": {
        **CMDAR,
        "task": "open",
        "question": "他为什么走开？",
        "answer": "因为听见了钟声。",
        "category": "事件推理类",
        "category_choices": ["事件推理类", "场景理解类"],
    },
    "cmdar/second-review": CMDAR_MAIN,
    "mcs_bench/review": {
        "image": "media/aa/p.png",
        "task": "T7",
        **CHOICE,
        "question": "这一页选自哪一部书？",
        "options": ["论语", "史记", "庄子", "孟子"],
        "answer": "论语",
    },
    "mcs_bench/review open": {
        "image": "media/aa/p.png",
        "task": "T21",
        "question": "画中有几只鸟？",
        "answer": "画中有三只鸟，都在树上。",
    },
    "mcs_bench/second-review": {
        "image": "media/aa/p.png",
        "task": "T21",
        "question": "画中有几只鸟？",
        "answer": "画中有三只鸟，都在树上。",
        "reviewed_by": "R0",
    },
    "mcif/listen": {"audio": SOUND},
    "mcif/second-expert": {
        "question": "What do they count?",
        "answer": "They count swifts.",
        "type": "A",
        "origin": "Abstract",
        "begin": 1.0,
        "end": 4.0,
        "seconds": 30.0,
        "audio": SOUND,
        "video": "media/ab/v.mp4",
        "asked_by": "R0",
    },
    "mcif/supervise": {
        "element": "talk",
        "language": "de",
        "language_name": "German",
        "source": TALK,
        "translated_by": "R0",
        "target": ["Wir zählen Mauersegler nach Gehör.", "Sie fliegen am Abend über die Stadt."],
    },
    "xmodbench/review-texts": {
        "subtask": "recognition",
        "text": "She had a bicycle.",
        "target_text": "She had a bicycle.",
        "wrong_options": ["She had a boat.", "She saw a bicycle.", "She sold a bicycle."],
        "language": "en",
    },
    "xmodbench/review-forms": {
        "subtask": "natures",
        "text": "waves at the sea",
        "target_text": "waves at the sea",
        "audio": SOUND,
        "vision": "media/aa/p.png",
    },
    "xmodbench/review": {
        "subtask": "natures",
        "text": "waves",
        "audio": SOUND,
        "vision": "media/aa/p.png",
        "candidates": [{"text": "a"}],
    },
    "xmodbench/review-again": {
        "subtask": "natures",
        "text": "waves",
        "audio": SOUND,
        "vision": "media/aa/p.png",
        "candidates": [{"text": "a"}],
        "replaced": True,
    },
}
TWIN = {
    "question": "这个人后来去了哪里？",
    "answer": "I look up at the moon, and down at the ground of home, for frost lies on it.",
}


def stage_of(queue: str) -> Stage:
    recipe, _, name = queue.partition(" ")[0].partition("/")
    loaded = load_recipe(recipe)
    return next(s for s in loaded.stages(msgspec.convert(CONFIGS[recipe], loaded.config)) if s.name == name)


def task(queue: str, id: str = "r1", **more: Any) -> Task:
    stage = stage_of(queue)
    fields = {**RECORDS[queue], **more}
    return msgspec.structs.replace(task_of(stage, Values(stage, id, fields)), id=id)


def twin_of(queue: str) -> Task:
    """Another record of the queue, about the same recording, picture or text."""
    names = ["answer"] if queue.endswith("s2tt") else ["question"] if "question" in RECORDS[queue] else []
    return task(queue, "r2", **{name: TWIN[name] for name in names})


ZH, EN = "他从什么时候开始等人？", "When did he start to wait?"
CASES: list[tuple[str, dict[str, Any], str]] = [
    ("mcga/inspect", {"score": 5}, ""),
    ("mcga/inspect", {"score": 4, "fault": "other", "why": "a click at the end"}, ""),
    ("mcga/inspect", {"score": 1, "fault": "noise"}, ""),
    ("mcga/inspect", {"score": 5, "fault": "noise"}, "with score 5"),
    ("mcga/inspect", {"score": 5, "fault": "other"}, "with score 5"),
    ("mcga/inspect", {"score": 3, "fault": "pronunciation"}, "with score 3"),
    ("mcga/inspect", {"score": 2}, "isn't used"),
    ("mcga/inspect", {"score": 6}, "1 to 5"),
    ("mcga/inspect", {"score": "good"}, "1 to 5"),
    ("mcga/gender", {"gender": "woman"}, ""),
    ("mcga/gender", {"gender": "child"}, "one of"),
    ("mcga/review", {"verdict": "edit", "question": EN}, "wrong-language"),
    ("mcga/review", {"verdict": "edit", "question": "這個人為什麼在車站停下來？"}, "wrong-script"),
    ("mcga/review", {"verdict": "edit", "question": "这题太简单，请换一道"}, "remark-in-text"),
    ("mcga/review", {"verdict": "edit", "question": "他在车站停下来"}, "question-not-asked"),
    ("mcga/review", {"verdict": "edit", "question": TWIN["question"]}, "has this text already"),
    ("mcga/review s2tt", {"verdict": "edit", "answer": "窗前有月光，好像地上的霜。"}, "wrong-language"),
    ("mcga/review s2tt", {"verdict": "edit", "answer": "The moon."}, "translation-too-short"),
    ("mcga/review s2tt", {"verdict": "edit", "answer": TWIN["answer"]}, "has this text already"),
    (
        "mcga/review s2tt",
        {
            "verdict": "edit",
            "answer": "Moonlight falls before my bed like frost. I raise my head to the moon, and think of home.",
        },
        "",
    ),
    ("mcga/review-sec", {"verdict": "edit", "gender": "woman"}, ""),
    ("mcga/review-sec", {"verdict": "edit", "sec_2": "同上"}, "remark-in-text"),
    ("mcga/review-sec", {"verdict": "edit", "sec_2": "sad and homesick"}, "wrong-language"),
    ("mcga/review-sec", {"verdict": "edit", "sec_3": "床前明月光|宁静"}, "caption-incomplete"),
    (
        "mcga/review-sec",
        {"verdict": "edit", "sec_3": "床前明月光|calm and quiet\n疑是地上霜|疑惑\n举头望明月|惆怅\n低头思故乡|思念"},
        "wrong-language",
    ),
    ("mcga/review-sec", {"verdict": "approve", "gender": "woman"}, "was changed"),
    ("cmdar/scenes", {"take": "yes"}, ""),
    ("cmdar/scenes", {"take": "no", "why": "太安静"}, ""),
    ("cmdar/scenes", {"take": "maybe"}, "one of"),
    ("cmdar/confirm-pairs", {"related": "no"}, ""),
    ("cmdar/review", {"verdict": "approve", "timestamps": "3-9; 12.5-14"}, ""),
    ("cmdar/review", {"verdict": "approve", "timestamps": "9-3"}, "times in seconds"),
    ("cmdar/review", {"verdict": "approve", "timestamps": "at the beginning"}, "times in seconds"),
    ("cmdar/review", {"verdict": "approve", "timestamps": "100-200"}, "not within the recording"),
    ("cmdar/review multi", {"verdict": "approve", "timestamps": "21-29"}, ""),
    ("cmdar/review multi", {"verdict": "edit", "answer": "B\nD"}, ""),
    ("cmdar/review multi", {"verdict": "edit", "answer": "B"}, "1 correct options in place of 2"),
    ("cmdar/review multi", {"verdict": "edit", "answer": "A\nB\nC\nD\nE"}, "number-of-right-options"),
    ("cmdar/review", {"verdict": "edit", "reasoning": "He hears the bell and then the steps."}, "wrong-language"),
    ("cmdar/review", {"verdict": "edit", "question": "视频里的人为什么停下来？"}, "screened-word"),
    ("cmdar/review", {"verdict": "edit", "category": "猜谜"}, "none of"),
    ("cmdar/review", {"verdict": "edit", "answer": "E"}, "is not an option"),
    ("cmdar/review", {"verdict": "edit", "answer": "因为地震"}, "is not an option"),
    (
        "cmdar/review",
        {"verdict": "edit", "options": [CHOICE["options"][0] * 4, *CHOICE["options"][1:]]},
        "option-length",
    ),
    ("cmdar/review", {"verdict": "edit", "options": [*CHOICE["options"][:3], "因为外面下着雨！"]}, "same"),
    (
        "cmdar/review",
        {"verdict": "edit", "options": [*CHOICE["options"][:3], "because the light went out"]},
        "wrong-language",
    ),
    ("cmdar/review", {"verdict": "edit", "options": [*CHOICE["options"][:3], "待定"]}, "placeholder"),
    (
        "cmdar/review",
        {"verdict": "edit", "options": ["A. 火车没到", "B. 外面下雨", "C. 有人喊他", "D. 灯突然灭"]},
        "option-letters",
    ),
    ("cmdar/review", {"verdict": "edit", "options": ["以上都不对", *CHOICE["options"][:3]]}, "refers"),
    ("cmdar/review", {"verdict": "edit", "question": "因为火车还没有到，他为什么停下来？"}, "answer-in-question"),
    ("cmdar/review open", {"verdict": "edit", "answer": "抱歉，我无法回答。"}, "apology"),
    ("cmdar/review open", {"verdict": "edit", "answer": "Because of the bell."}, "wrong-language"),
    ("mcs_bench/review", {"verdict": "revise", "options": ["论语", "史记", "庄子", "荀子"]}, ""),
    ("mcs_bench/review open", {"verdict": "revise", "answer": "画中有四只鸟，两只在树上。"}, ""),
    (
        "mcs_bench/review open",
        {"verdict": "revise", "answer": "There are four birds, two of them in the tree."},
        "wrong-",
    ),
    ("mcif/listen", {"voice": "human", "sound": "good"}, ""),
    ("mcif/listen", {"voice": "robot"}, "one of"),
    ("mcif/second-expert", {"verdict": "edit", "type": "AV"}, ""),
    ("mcif/second-expert", {"verdict": "edit", "begin": "0:20", "end": "0:10"}, "time-outside"),
    ("mcif/second-expert", {"verdict": "edit", "end": "9:00"}, "time-outside"),
    ("mcif/second-expert", {"verdict": "edit", "end": "soon"}, "time-unreadable"),
    (
        "mcif/second-expert",
        {"verdict": "edit", "question": "Was zählen die Leute denn da, und wie machen sie das?"},
        "wrong-language",
    ),
    ("mcif/second-expert", {"verdict": "approve", "type": "V"}, "was changed"),
    (
        "mcif/supervise",
        {"verdict": "edit", "target": ["Wir zählen Mauersegler.", "Sie fliegen abends über die Stadt."]},
        "",
    ),
    ("mcif/supervise", {"verdict": "edit", "target": ["Wir zählen Mauersegler."]}, "line-count"),
    (
        "mcif/supervise",
        {"verdict": "edit", "target": ["Es tut mir leid, aber ich kann das nicht.", "Sie fliegen."]},
        "apology",
    ),
    (
        "xmodbench/review-texts",
        {"verdict": "edit", "wrong_options": ["She had a boat.", "She had a boat!", "She sold a bicycle."]},
        "says the same",
    ),
    ("xmodbench/review-texts", {"verdict": "edit", "target_text": "她有一辆自行车。"}, "wrong-language"),
    (
        "xmodbench/review-texts",
        {"verdict": "edit", "wrong_options": ["She had a ship.", "She saw a bicycle.", "She sold a bicycle."]},
        "",
    ),
    ("xmodbench/review-forms", {"verdict": "edit", "text": "waves on a beach"}, ""),
    ("xmodbench/review-forms", {"verdict": "edit", "text": "海边的波浪"}, "wrong-script"),
    ("xmodbench/review", {"verdict": "approve", "also_right": ["B"]}, "a fault is named"),
    ("xmodbench/review", {"verdict": "reject", "also_right": ["B"]}, ""),
    ("xmodbench/review", {"verdict": "reject", "also_right": ["5"]}, "a list of"),
    ("xmodbench/review-again", {"verdict": "reject"}, "no reason"),
]


def generic() -> Iterator[tuple[str, dict[str, Any], str]]:
    """What every review must take or refuse, whatever it is about."""
    for queue in RECORDS:
        form, shows = task(queue).form, task(queue).shows
        verdicts = form.get("verdict")
        if not verdicts:
            continue
        edit = next((v for v in verdicts if v in ("edit", "revise")), "")
        refuse = verdicts[-1]
        yield queue, {"verdict": "approve"}, ""
        yield queue, {"verdict": "approve", "why": "clear"}, ""
        yield queue, {"verdict": "ok"}, "one of"
        yield queue, {"why": "no verdict"}, "filled in"
        yield queue, {"verdict": refuse}, "no reason"
        yield queue, {"verdict": refuse, "why": "not clear"}, ""
        for name in ("fault", "faults", "criterion", "also_right"):
            if name in form:
                listed = form[name]["items"]["enum"][:1] if isinstance(form[name], dict) else form[name][0]
                yield queue, {"verdict": refuse, name: listed}, ""
                yield queue, {"verdict": "approve", name: listed}, "a fault is named"
        if edit:
            yield queue, {"verdict": edit}, "nothing was changed"
        for name, kind in form.items():
            if edit and kind == "text" and isinstance(shows.get(name), str):
                own = shows[name]
                for text, told in (
                    (f"<b>{own}</b>", "markup"),
                    (f"{own}\u202e", "invisible"),
                    (f"\ufffd{own}", "damaged"),
                ):
                    if name not in ("begin", "end", "category") and not (name == "answer" and shows.get("options")):
                        yield queue, {"verdict": edit, name: text}, told
                yield queue, {"verdict": "approve", name: own + own}, "was changed"


def as_cell(value: Any) -> str:
    return "\n".join(value) if isinstance(value, list) else str(value)


def through_the_sheet(folder: Path, tasks: list[Task], values: Mapping[str, Any], person: str) -> str:
    (folder / "tasks").mkdir(exist_ok=True)
    write_tasks(folder / "tasks/q.jsonl", tasks)
    (folder / "results/q.jsonl").unlink(missing_ok=True)
    build = BuildFolder(folder)
    sheet = folder / "q.csv"
    write_sheet(all_tasks(build, "q"), sheet)
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for name, value in values.items():
        heading = next(h for h in rows[0] if h == f"your {name}" or h.startswith(f"your {name} ("))
        rows[0][heading] = as_cell(value)
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    taken = take_sheet(build, "q", sheet, person)
    assert taken.results + bool(taken.faults) == 1
    assert all(fault.startswith("row 1 (r1): ") for fault in taken.faults)
    return "; ".join(taken.faults)


def through_the_portal(tasks: list[Task], values: Mapping[str, Any], person: str) -> str:
    """As a browser sends it: every field of the form, with the proposed texts where nothing was changed."""
    body = json.loads(msgspec.json.encode(tasks[0]))
    fields = fields_of(body["form"], body["shows"])
    sent = {field.name: [] if field.kind == "several" else field.proposed or "" for field in fields} | {
        n: as_cell(v) for n, v in values.items()
    }
    several = {
        n: v
        for n, v in values.items()
        if isinstance(v, list) and next(f for f in fields if f.name == n).kind == "several"
    }
    try:
        check_answer(values_of(fields, sent | several), body, person, distinct_texts(tasks))
    except Unfit as error:
        return str(error)
    return ""


def through_the_build(tasks: list[Task], values: Mapping[str, Any], person: str) -> str:
    result = Result("r1", tasks[0].shown, person, tidied(values, tasks[0].form))
    return usable_results(tasks[0], [result], distinct_texts(tasks))[1]


@pytest.mark.parametrize(("queue", "values", "told"), [*CASES, *generic()], ids=lambda v: str(v)[:60])
def test_the_same_through_sheet_portal_and_build(queue: str, values: dict[str, Any], told: str, tmp_path: Path) -> None:
    tasks = [task(queue), twin_of(queue)]
    sheet = through_the_sheet(tmp_path, tasks, values, "R1")
    portal = through_the_portal(tasks, values, "R1")
    build = through_the_build(tasks, values, "R1")
    assert (bool(sheet), bool(portal), bool(build)) == (bool(told),) * 3, (sheet, portal, build)
    assert told in sheet and told in build, (sheet, build)


@pytest.mark.parametrize("queue", [q for q in RECORDS if task(q).checks.get("not_by")])
def test_nobody_checks_their_own_work(queue: str, tmp_path: Path) -> None:
    tasks = [task(queue), twin_of(queue)]
    values = {"score": 5} if "inspect" in queue else {"verdict": "approve"}
    for person, refused in (("R0", True), ("r0 ", True), ("R1", False)):
        told = [through_the_portal(tasks, values, person), through_the_build(tasks, values, person)]
        if person == person.strip():
            told.append(through_the_sheet(tmp_path, tasks, values, person))
        assert [bool(each) for each in told] == [refused] * len(told), (person, told)
