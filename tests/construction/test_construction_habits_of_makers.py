"""Forms of options, words about a reply, marks, references to what isn't there: habits of people and models that write
questions, in simplified and traditional Chinese and in English. Sound texts that look like them stay."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from tests.construction.single_stage import decide, decide_all
from triptych.construction.recipes import mcs_bench
from triptych.construction.recipes.mcs_bench import answer_fault_of
from triptych.construction.text_checks.answers import no_information
from triptych.media.pictures.changes import decode_picture


def test_answers_that_say_that_there_is_none() -> None:
    for answer in (
        "文中没有提到这一点，因此无法判断。",
        "根据录音无法确定他的身份。",
        "信息不足，无法回答。",
        "無法判斷。",
        "The text does not mention it.",
        "It is unclear from the recording.",
    ):
        assert (no_information(answer) or ("",))[0] == "no-answer", answer
    for answer in (
        "他没有提到自己的病，因为怕母亲担心。",
        "君子并没有因为别人不了解自己而生气。",
        "她无法判断谁在说谎。",
    ):
        assert no_information(answer) is None, answer


@pytest.mark.parametrize(
    ("task", "question", "answer", "text", "reason"),
    [
        ("T28", "", "山或火", "", "answer-not-as-asked"),
        ("T28", "", "山/火", "", "answer-not-as-asked"),
        ("T28", "", "这个字是山", "", "answer-not-as-asked"),
        ("T1", "", "第一列：春眠不觉晓 第二列：处处闻啼鸟", "", "not-the-text-alone"),
        ("T8", "", "正文：春眠不觉晓 落款：米芾", "", "not-the-text-alone"),
        ("T4", "", "廉颇、赵、廉颇、齐", "", "repeats-itself"),
        ("T4", "", "孟子、秦昭王", "孟子见梁惠王", "entity-not-in-text"),
        ("T5", "拜", "授予官职", "孟子见梁惠王", "quotation-not-in-text"),
        ("T6", "“不耻下问”是谁说的？", "孔子说的。", "孟子见梁惠王", "quotation-not-in-text"),
        ("T3", "", "王曰：“叟！曰：“王！”", "王曰叟曰王", "marks-unpaired"),
        ("T3", "", "王曰，。叟！", "王曰叟", "marks-doubled"),
        (
            "T2",
            "",
            "廉颇是赵国优秀的将领。他去攻打齐国，大破之，取阳晋，拜为上卿，以勇气闻于诸侯。蔺相如者，赵人也。",
            "",
            "not-translated",
        ),
    ],
)
def test_answers_by_task(task: str, question: str, answer: str, text: str, reason: str) -> None:
    assert (answer_fault_of(task, question, answer, text or None) or ("",))[0] == reason


@pytest.mark.parametrize(
    ("task", "answer", "text"),
    [
        ("T28", "龢", ""),
        ("T28", "上甲", ""),
        ("T4", "孟子、梁惠王", "孟子見梁惠王"),
        ("T3", "王曰：“叟！不远千里而来", "王曰叟不远千里而来"),  # the page ends within a quotation
        ("T2", "廉颇是赵国优秀的将领，他攻打齐国，大败齐军，夺取了阳晋，被任命为上卿，凭勇气闻名于诸侯各国。", ""),
        ("T2", "孔子说：“学而时习之，不亦说乎？”意思是学习以后要时常温习，这是快乐的。", ""),
    ],
)
def test_sound_answers_by_task(task: str, answer: str, text: str) -> None:
    assert answer_fault_of(task, "", answer, text or None) is None


def test_one_question_about_one_picture_and_one_answer_for_many(tmp_path: Path) -> None:
    row = {"task": "T19", "question": "", "answer": "明", "wrong": ["唐", "元", "清"], "picture_cluster": "T19:a"}
    said = {"task": "T45", "question": "图像中有什么？", "answer": "图像中有一位站着的老人。", "picture_cluster": ""}
    rows = [
        row,
        row | {"answer": "清", "wrong": ["唐", "元", "明"]},
        row | {"picture_cluster": "T19:b"},
        *(said | {"picture_cluster": f"T45:{name}"} for name in "abc"),
    ]
    outcomes = decide_all(mcs_bench.one_question_each, rows, tmp_path)
    assert [each.decision for each in outcomes] == ["kept", "dropped", "kept", "kept", "dropped", "dropped"]


@pytest.mark.parametrize("form", ["PNG", "TIFF"])
@pytest.mark.parametrize("top", [65_000, 4_000])
def test_pictures_of_sixteen_bits(form: str, top: int) -> None:
    from PIL import Image

    pixels = (np.linspace(0, 1, 64)[None, :] * np.ones((64, 1)) * top).astype(np.uint16)
    data = io.BytesIO()
    Image.fromarray(pixels).save(data, form)
    image, _ = decode_picture(data.getvalue())
    levels = np.asarray(image.convert("L"))
    assert levels.min() == 0 and levels.max() > 245 and 110 < levels.mean() < 140


def test_a_sound_row_of_a_table_stays(tmp_path: Path) -> None:
    row = {"task": "T45", "question": "图像中的人面朝左边还是右边？", "answer": "左边"}
    assert decide(mcs_bench.wording, row, tmp_path).decision == "kept"
