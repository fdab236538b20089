"""Messages of programs, requests and excuses in place of answers; sound answers pass."""

from __future__ import annotations

import pytest

from tests.construction.single_stage import decide
from triptych.construction.recipes import mcga, mcs_bench
from triptych.construction.text_checks.answers import answer_fault
from triptych.construction.text_checks.makers.excuses import excuse_fault

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


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("女士让男士做什么？", "请您把窗户关上"),
        ("服务员怎么说？", "请您稍候"),
        ("大夫建议什么？", "建议您多喝水"),
        ("她建议对方做什么？", "建议咨询医生"),
        ("为什么不能登录？", "系统维护"),
        ("打印机怎么了？", "网络连接失败"),
        ("他说自己怎样？", "我才疏学浅"),
    ],
)
def test_people_ask_and_machines_fail_in_recordings(question: str, answer: str) -> None:
    assert answer_fault(question, answer, "zh") is None
    assert answer_fault(ASKED, answer, "zh") is not None


def test_a_sentence_about_a_law_is_no_excuse_whatever_was_asked() -> None:
    for question in (ASKED, "根据对话，合同为什么无效？"):
        assert answer_fault(question, "根据国家法律规定，未成年人签的合同无效", "zh") is None
    assert answer_fault(ASKED, "根据国家法律规定，无法为您提供该内容", "zh") is not None
    fields = {
        "task": "T2",
        "question": "请将图中文字翻译成现代汉语。",
        "answer": "根据国家的法律，他应当被处死。",
        "wrong": None,
    }
    assert decide(mcs_bench.wording, {**fields, "true_text": "以法當斬，不敢奉诏" * 3}).decision == "kept"


@pytest.mark.parametrize(
    "text", ["请您提供原文。", "服务繁忙，请稍后再试。", "该内容无法翻译。", "小助手还在学习中，暂时不会。"]
)
def test_an_excuse_remains_one_where_people_are_quoted(text: str) -> None:
    assert answer_fault("服务员怎么说？", text, "zh") is not None
    assert excuse_fault(text, quoted=True) is not None


@pytest.mark.parametrize(
    "text",
    [
        "我不愿为五斗米折腰，向乡里小人低头。",
        "请您收下这匹马，不要推辞。",
        "我没有能力侍奉大王，请允许我告老还乡。",
        "我才疏学浅，不配做您的老师。",
        "我拒绝了秦王的要求，回到了赵国。",
        "您似乎忘记了先王的教诲。",
        "请把粮食发给受灾的百姓。",
        "恕我直言，大王的做法不对。",
    ],
)
def test_people_decline_in_translations(text: str) -> None:
    fields = {"task": "T2", "question": "请将图中文字翻译成现代汉语。", "answer": text, "wrong": None}
    assert decide(mcs_bench.wording, {**fields, "true_text": "臣不敢奉诏"}).decision == "kept"
    assert decide(mcs_bench.wording, {**fields, "true_text": "臣不敢奉诏，" * 9}).reason == "apology"


def test_rules_are_an_excuse_with_nothing_after_them_or_with_content_that_is_hidden() -> None:
    """Why a bridge was closed may be answered by `因为安全问题`."""
    for text in (
        "由于内容安全策略的限制",
        "根据相关法律法规和政策",
        "根据相关法律法规，该内容已被屏蔽",
        "根据相关法律法规和政策，部分内容不予显示",
        "根据相关规定，此问题不在回答范围内",
        "由于相关政策，我们不讨论此话题",
        "由于平台规定，恕不回答",
        "根据内容政策要求，我拒绝翻译",
        "由于版权问题，请您查阅原文",
        "因政策原因，敬请谅解",
    ):
        assert excuse_fault(text), text
    for text in (
        "因为安全问题",
        "因为国家",
        "根据法律，他被拒绝入境",
        "由于政策原因，书店请他离开",
        "根据国家法律，未成年人不得饮酒",
    ):
        assert excuse_fault(text) is None, text


def test_a_number_of_characters_is_not_a_character() -> None:
    assert answer_fault("文中有几个字？", "无", "zh") is not None
    assert answer_fault("诗眼是哪一个字？", "无", "zh") is None
