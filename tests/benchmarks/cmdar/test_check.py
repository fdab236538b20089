"""`check` names every planted fault, and nothing where all is well."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.cmdar.rows_for_tests import MAIN, MULTI, OPEN, write
from triptych.benchmarks import load_benchmark
from triptych.errors import DataError

CMDAR = load_benchmark("cmdar")
EXPECTED = {"count", "file-missing"}  # a handful of rows is no release


def findings(folder: Path) -> set[tuple[str, str]]:
    return {(p.severity, p.kind) for p in CMDAR.check(folder) if p.kind not in EXPECTED}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "clips").mkdir()
    for n in (1, 2, 3):
        (tmp_path / "clips" / f"{n}.wav").write_bytes(b"RIFF")
    return tmp_path


def test_sound_data_has_no_findings(data: Path) -> None:
    answers = [{**MAIN, "id": str(n), "question": f"{n}", "answer": MAIN["chosens"][n]} for n in range(4)]
    write(data, "main.json", *answers)
    write(data, "open.json", OPEN)
    assert findings(data) <= {("note", "key-length")}


@pytest.mark.parametrize(
    ("row", "changes", "expected"),
    [
        (MAIN, {"answer": "图书馆"}, ("error", "target-not-an-option")),
        (MAIN, {"answer": "银行 "}, ("warning", "target-blank")),
        (MAIN, {"chosens": ["学校，教室里", "银行", "银行 ", "医院"]}, ("warning", "option-doubled")),
        (MAIN, {"chosens": ["学校，教室里", "教室里，学校", "银行", "医院"]}, ("warning", "option-same-words")),
        (MAIN, {"chosens": ["学校，教室里", "", "银行", "医院"]}, ("warning", "option-empty")),
        (MAIN, {"category": "天气"}, ("warning", "category-unknown")),
        (MAIN, {"audio_path": "clips/9.wav"}, ("error", "missing-media")),
        (MAIN, {"audio_path": "/etc/passwd"}, ("error", "unsafe-path")),
        (MAIN, {"audio_path": "../outside.wav"}, ("error", "unsafe-path")),
        (MAIN, {"answer": ""}, ("error", "malformed-row")),
        (MAIN, {"chosens": ["学校，教室里", "银行", "医院"]}, ("warning", "option-count")),
        (MULTI, {"answer": ["甲说谎", "甲说谎"]}, ("warning", "answer-doubled")),
        (MULTI, {"answer": ["甲说谎", "丁"]}, ("error", "target-not-an-option")),
        (MULTI, {"chosens": ["甲说谎；乙在笑", "丙走了"], "answer": ["丙走了"]}, ("warning", "option-separator")),
        (MULTI, {"audio_path_2": "clips/1.wav"}, ("warning", "audio-doubled")),
    ],
)
def test_a_planted_fault_is_found(
    data: Path, row: dict[str, Any], changes: dict[str, Any], expected: tuple[str, str]
) -> None:
    write(data, "questions.json", row)
    before = findings(data)
    write(data, "questions.json", {**row, **changes})
    assert expected not in before
    assert expected in findings(data)


def test_doubled_ids_doubled_questions_and_a_second_file(data: Path) -> None:
    write(data, "a.json", MAIN, MAIN, {**MAIN, "id": "0001"})
    write(data, "b.json", MAIN)
    assert {("error", "id-doubled"), ("warning", "question-doubled"), ("note", "file-doubled")} <= findings(data)


def test_what_is_missing_is_told(data: Path) -> None:
    write(data, "main.json", MAIN)
    kinds = [(p.kind, p.task, p.rows) for p in CMDAR.check(data)]
    assert ("file-missing", "cmdar/multi", 1) in kinds
    assert ("file-missing", "cmdar/open", 1) in kinds
    assert ("count", "cmdar/main", 1499) in kinds


def test_a_damaged_first_row_costs_that_row_alone(data: Path) -> None:
    broken = {key: value for key, value in MAIN.items() if key not in ("answer", "chosens")}
    write(data, "main.json", broken, {**MAIN, "id": "0001"})
    found = [p for p in CMDAR.check(data) if p.task == "cmdar/main"]
    assert [p.where.endswith("main.json[0]") for p in found if p.kind == "malformed-row"] == [True]
    assert not [p for p in found if p.kind == "file-missing"]


def test_a_file_that_is_cut_off_or_no_json_is_told_and_the_others_are_checked(data: Path) -> None:
    whole = write(data, "main.json", *(dict(MAIN, id=f"{n:04d}") for n in range(9))).read_bytes()
    (data / "main.json").write_bytes(whole[: len(whole) // 2])
    (data / "notes.json").write_bytes(b"\x00\x01")
    write(data, "open.json", OPEN, OPEN)
    found = {(p.severity, p.kind) for p in CMDAR.check(data)}
    assert {("error", "malformed-file"), ("note", "file-unknown"), ("error", "id-doubled")} <= found


def test_no_question_file_at_all(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no question file"):
        list(CMDAR.check(tmp_path))


def test_the_embedded_set_has_no_errors() -> None:
    assert not [p for p in CMDAR.check(CMDAR.mini) if p.severity != "note"]
