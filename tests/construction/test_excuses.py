"""Messages of programs, requests and excuses in place of answers; sound answers pass."""

from __future__ import annotations

import pytest

from triptych.construction.answers import answer_fault
from triptych.construction.excuses import excuse_fault
from triptych.construction.recipes import mcga

ASKED = "男子为什么要去车站？"
EXCUSES = [
    "服务繁忙，请稍后再试。",
    "翻译失败。",
    "该内容无法翻译。",
    "因版权原因，无法翻译。",
    "请提供原文。",
    "您还没有提供文本。",
    "录音似乎没有上传成功。",
    "没有可供分析的内容。",
    "恕难从命。",
    "我对此无能为力。",
    "能力有限，译不出来。",
    "这个问题我答不上来。",
    "小助手还在学习中，暂时不会。",
    "内容已被屏蔽。",
    "（此处为空）",
    "Error 500",
]


@pytest.mark.parametrize("text", EXCUSES)
def test_excuses_in_place_of_an_answer(text: str) -> None:
    assert excuse_fault(text) is not None
    fault = answer_fault(ASKED, text, "zh")
    assert fault is not None and fault[0] in ("apology", "no-answer", "placeholder"), fault
    assert mcga.caption_fault("去日苦多。", text, [("去日苦多。", "悲凉")]) is not None


@pytest.mark.parametrize(
    "text",
    [
        "我认为他无法回家，因为雨太大了。",
        "他请服务员稍后再来。",
        "系统的警报声让大家离开了大楼。",
        "请求帮助的人是女子。",
        "因为上传的照片不见了，他很着急。",
        "无法释怀的悲伤",
        "表达了诗人有家难归、请缨无路的悲愤。",
    ],
)
def test_sound_answers(text: str) -> None:
    assert excuse_fault(text) is None
