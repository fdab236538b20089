"""Released files -> Items in speech and in text; odd rows, doubled ones, paths, facets."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.mcga.rows_for_tests import ROW, write
from tests.benchmarks.mcga.test_mcga_asking import sent
from triptych.benchmarks import load_benchmark
from triptych.records import Item, Problem

MCGA = load_benchmark("mcga")


def items(data: Path, *tasks: str) -> dict[str, Item]:
    return {item.id: item for item in MCGA.items(data, MCGA.spec.select(tasks))}


def test_options_are_read_out_of_either_layout(released: Path) -> None:
    found = items(released, "su", "sr")
    assert found["mcga/su/upload/a/1"].option_texts() == ("太阳", "月光", "大海", "高山")
    assert found["mcga/sr/upload/a/1"].option_texts() == ("夜里", "早上", "中午", "黄昏")
    assert found["mcga/sr/upload/a/1"].labels == ("A", "B", "C", "D")


def test_a_caption_is_one_text_of_three_parts(released: Path, tmp_path: Path) -> None:
    (item,) = items(released, "sec").values()
    assert item.target == "一位男性，青年。\n全诗清冷。\n床前明月光，|清冷\n疑是地上霜。|恍惚"
    listed = ROW | {"sec_1": "一位\n男性", "sec_3": ["甲|一", "乙|二"]}
    write(tmp_path / "x", "MCGA_sec_test.jsonl", listed)
    (item,) = items(tmp_path / "x", "sec").values()
    assert item.target == "一位 男性\n全诗清冷。\n甲|一\n乙|二"


def test_paths_are_relative_to_the_file_and_ids_dont_care_where_it_lies(tmp_path: Path) -> None:
    write(tmp_path, "hub/test/MCGA_asr_test.jsonl", ROW | {"audio": "./upload/a/1.wav"})
    (item,) = items(tmp_path, "asr").values()
    assert (item.id, item.parts[0].path) == ("mcga/asr/upload/a/1", "hub/test/upload/a/1.wav")


def test_the_split_is_the_rows_own_else_the_files(tmp_path: Path) -> None:
    write(tmp_path, "MCGA_asr_val.jsonl", ROW | {"split": None}, ROW | {"audio": "2.wav", "split": "train"})
    write(tmp_path, "MCGA_asr.jsonl", ROW | {"audio": "3.wav", "split": None})
    assert [i.facets["split"] for i in items(tmp_path, "asr").values()] == ["unknown", "val", "train"]


def test_several_questions_about_a_clip_are_told_apart_and_a_clip_in_two_files_is_reported(tmp_path: Path) -> None:
    write(tmp_path, "MCGA_sqa_test.jsonl", ROW, ROW | {"sqa": "体裁？", "sqa_a": "诗"})
    assert list(items(tmp_path, "sqa")) == ["mcga/sqa/upload/a/1", "mcga/sqa/upload/a/1#2"]
    write(tmp_path, "more/MCGA_sqa_train.jsonl", ROW)
    found: list[Problem] = []
    kept = list(MCGA.items(tmp_path, MCGA.spec.select(["sqa"]), found.append))
    assert len(kept) == 2
    assert [p.kind for p in found] == ["id-doubled"]


def test_a_file_of_any_name_is_known_by_its_fields_unless_a_model_answered_in_it(tmp_path: Path) -> None:
    write(tmp_path, "questions.jsonl", {k: v for k, v in ROW.items() if not k.startswith(("sec", "sqa", "sr", "s2"))})
    write(tmp_path, "answered.jsonl", ROW | {"su_r": "B"})
    assert [file.name for file in MCGA.source_files(tmp_path)] == ["questions.jsonl"]
    assert list(items(tmp_path, "su")) == ["mcga/su/upload/a/1"]


def test_hostile_lines_are_reported(tmp_path: Path) -> None:
    path = write(tmp_path, "MCGA_asr_test.jsonl", ROW)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes() + b'\n\n[1]\n{"audio": "\xff"}\n{"a"\nnull\n' + b"[" * 9999)
    found: list[Problem] = []
    assert len(list(MCGA.items(tmp_path, MCGA.spec.select(["asr"]), found.append))) == 1
    assert [p.where.rpartition(":")[2] for p in found] == ["4", "5", "6", "7", "8"]


def test_options_that_cant_be_read_leave_all_four_letters(tmp_path: Path) -> None:
    write(tmp_path, "MCGA_su_test.jsonl", ROW | {"su": "选哪个？甲乙丙丁"})
    (item,) = items(tmp_path, "su").values()
    assert (item.options, item.labels) == ((), ("A", "B", "C", "D"))


def test_audio_first_then_the_text() -> None:
    texts, name = sent("su")
    assert texts[0] == "audio/guanju-000.ogg" and "问题：" in texts[1] and texts[1].startswith("根据这段朗诵")
    assert name == "su"
    (text,), name = sent("lu")
    assert text.startswith("原文：关关雎鸠") and "问题：" in text
    assert name == "lu"
