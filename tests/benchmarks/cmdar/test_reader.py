"""Files are told apart by their fields; what is malformed is told and left out; ids are stable."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.benchmarks.cmdar.rows_for_tests import MAIN, MULTI, OPEN, write
from triptych.benchmarks import load_benchmark
from triptych.errors import DataError
from triptych.experiment.planning import plan
from triptych.prompts.build import build_request
from triptych.records import Item, Problem, media, text

CMDAR = load_benchmark("cmdar")


def read(data: Path) -> tuple[list[Item], list[Problem]]:
    problems: list[Problem] = []
    return list(CMDAR.items(data, report=problems.append)), problems


def test_the_three_kinds_become_items(tmp_path: Path) -> None:
    for name, row in (("CMDAR-main_hf.json", MAIN), ("MDAR-multi.json", MULTI), ("anything.json", OPEN)):
        write(tmp_path, name, row)
    write(tmp_path, "other.json", {"question": "no answer"})
    (tmp_path / "MANIFEST.json").write_text("{}", encoding="utf-8")
    (main, multi, open_), problems = read(tmp_path)
    assert not problems
    assert main == Item(
        "cmdar/main/0000",
        "cmdar/main",
        (media("audio", "clips/1.wav", "content"), text("他们在哪里？", "question")),
        tuple((text(o),) for o in MAIN["chosens"]),
        (),
        "option",
        "学校，教室里",
        facets={"category": "SU", "subtask": "场景定位任务"},
    )
    assert [p.path for p in multi.parts[:2]] == ["clips/1.wav", "clips/2.wav"]
    assert (multi.answer, multi.target, multi.facets["category"]) == ("options", ("甲说谎", "乙在笑", "下着雨”"), "PDR")
    assert (open_.answer, open_.target, open_.options, open_.facets["category"]) == ("text", "因为下雨。", (), "ER")


def test_source_files_are_those_that_are_read(tmp_path: Path) -> None:
    first, second = write(tmp_path, "MDAR-main.json", MAIN), write(tmp_path, "MDAR-multi.json", MULTI)
    write(tmp_path, "AAA-main.json", {**MAIN, "model_output": "x"})
    assert CMDAR.source_files(tmp_path) == [first, second]


def test_json_lines_a_byte_order_mark_and_one_folder_down(tmp_path: Path) -> None:
    folder = tmp_path / "MDAR"
    folder.mkdir()
    lines = "\n".join(json.dumps({**MAIN, "id": str(n)}) for n in range(3))
    (folder / "main.jsonl").write_text("\ufeff" + lines, encoding="utf-8")
    assert [i.id for i in read(tmp_path)[0]] == ["cmdar/main/0", "cmdar/main/1", "cmdar/main/2"]


def test_only_the_tasks_asked_for_are_read(tmp_path: Path) -> None:
    write(tmp_path, "main.json", MAIN)
    (tmp_path / "multi.json").write_text('[{"audio_path_1": "x"}, broken', encoding="utf-8")
    assert [i.task for i in CMDAR.items(tmp_path, CMDAR.spec.select(["main"]))] == ["cmdar/main"]
    with pytest.raises(DataError, match="not a JSON list"):
        list(CMDAR.items(tmp_path, CMDAR.spec.select(["multi"])))


def test_a_doubled_id_is_told_and_a_missing_one_is_the_position(tmp_path: Path) -> None:
    without = {k: v for k, v in MAIN.items() if k != "id"}
    write(tmp_path, "main.json", MAIN, MAIN, without)
    items, problems = read(tmp_path)
    assert [i.id for i in items] == ["cmdar/main/0000", "cmdar/main/0002"]
    assert [p.kind for p in problems] == ["id-doubled"]


def test_items_that_are_not_asked_can_be_had(tmp_path: Path) -> None:
    """Those with a doubled id, and those of a second file of a kind."""
    write(tmp_path, "main.json", MAIN, MAIN)
    write(tmp_path, "other.json", {**MAIN, "id": 77})
    left_out: list[Item] = []
    asked = list(CMDAR.items(tmp_path, None, lambda problem: None, left_out.append))
    assert [i.id for i in (*asked, *left_out)] == ["cmdar/main/0000", "cmdar/main/0000", "cmdar/main/77"]


def test_a_folder_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no question file"):
        list(CMDAR.items(tmp_path))


@pytest.mark.parametrize("prompt", [None, "v1", "v2", "v3", "v4"])
def test_open_questions_are_asked_as_they_are_whichever_instruction_is_chosen(prompt: str | None) -> None:
    ready = plan("cmdar", "baseline/random", limit=1, prompt=prompt)
    asked = {}
    for item in ready.items():
        request = build_request(item, ready.prompts[ready.prompt_of[item.task]], settings={})
        asked[item.task] = (item.parts[-1].text, request.messages[-1].parts[-1].text)
    question, words = asked["cmdar/open"]
    assert words == question
    for task in ("cmdar/main", "cmdar/multi"):
        question, words = asked[task]
        assert question in words and "选" in words.replace(question, "")
