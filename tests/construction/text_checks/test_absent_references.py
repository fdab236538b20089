"""Tests of `construction/text_checks/absent_references.py`: questions that refer to what isn't there."""

from __future__ import annotations

import pytest

from triptych.construction.text_checks.absent_references import (
    quotation_fault,
    reference_fault,
    sentence_fault,
    time_fault,
)


@pytest.mark.parametrize(
    ("question", "seen"),
    [
        ("结合上一题的答案，他为什么走？", {}),
        ("根據前一題，他為什麼走？", {}),
        ("文中画线的句子表达了什么？", {}),
        ("加点的字是什么意思？", {}),
        ("Who is meant by the underlined word?", {}),
        ("What did he do in the previous question?", {}),
        ("画面中的报警器为什么会响？", {"sound": True}),
        ("影片里的男子为什么停下？", {"sound": True}),
        ("字幕显示他去哪里？", {"sound": True}),
        ("根据转写文本，男子为什么决定买两件衣服？", {"sound": True}),
        ("文字稿中谁先说话？", {"sound": True}),
        ("SPEAKER_00和SPEAKER_01是什么关系？", {"sound": True}),
        ("说话人1为什么停下？", {"sound": True}),
        ("第二幅图中的人头上戴着什么？", {"pictures": 1}),
        ("左图中的人是谁？", {"pictures": 1}),
        ("图二中有几只鸟？", {"pictures": 1}),
        ("两幅画有什么不同？", {"pictures": 1}),
        ("What is in the second picture?", {"pictures": 1}),
    ],
)
def test_questions_that_refer_to_what_is_not_there(question: str, seen: dict[str, int]) -> None:
    assert (reference_fault(question, **seen) or ("",))[0] == "refers-elsewhere"


@pytest.mark.parametrize(
    ("question", "seen"),
    [
        ("上面的问候是谁说的？", {}),
        ("他的上一句话是什么意思？", {"sound": True}),
        ("他动画面试结果如何？", {"sound": True}),
        ("她为什么要拍照？", {"sound": True}),
        ("女子在看的视频里有谁的声音？", {"sound": True}),
        ("图像中的人面朝左边还是右边？", {"pictures": 1}),
        ("图中第二个人手里拿着什么？", {"pictures": 1}),
        ("画的左上角写了什么？", {"pictures": 1}),
    ],
)
def test_questions_that_refer_to_what_is_there(question: str, seen: dict[str, int]) -> None:
    assert reference_fault(question, **seen) is None


def test_words_written_twice_and_two_questions_in_one() -> None:
    for question in (
        "男子为什么为什么要叫救护车？",
        "男子在在哪里？",
        "男子為什麼為什麼走？",
        "Why did the the man stop?",
    ):
        assert (sentence_fault(question) or ("",))[0] == "repeats-itself", question
    for question in ("这是哪里？敲门的人是谁？", "什么时候出发？谁去接他？", "Where is it? Who knocked?"):
        assert (sentence_fault(question) or ("",))[0] == "two-questions", question
        assert sentence_fault(question, one=False) is None
    sound = (
        "他为什么说“什么什么”？",
        "铃声响了，这暗示了什么？",
        "他们在商量商量什么？",
        "男子说“你是谁？”时是什么心情？",
        "目的的达成靠什么？",
    )
    assert not [question for question in sound if sentence_fault(question)]


def test_times_after_the_end_and_words_that_the_text_lacks() -> None:
    for text in (
        "在第75秒可以听到什么声音？",
        "第2分10秒处谁在说话？",
        "在40秒处发生了什么？",
        "What is heard at 75 seconds?",
    ):
        assert (time_fault(text, 10.4) or ("",))[0] == "time-beyond-recording", text
    for text in ("第5秒时谁在说话？", "他等了30分钟，为什么？", "会议8:30开始，谁迟到了？", "他跑了75秒，是第几名？"):
        assert time_fault(text, 10.4) is None, text
    work = "关关雎鸠，在河之洲。窈窕淑女，君子好逑。"
    assert quotation_fault("“青青子衿，悠悠我心”中的“子”指谁？", work)
    assert quotation_fault("「青青子衿」是什麼意思？", work)
    assert not quotation_fault("“窈窕淑女……好逑”写的是谁？", work) and not quotation_fault(
        "“關關雎鳩”是什麼聲音？", work
    )
    assert not quotation_fault("“今天天气真好”是谁说的？", "今天天器真好啊", exact=False)  # what a recogniser heard
    assert quotation_fault("“我要去火车站”是谁说的？", "今天天气真好啊我们出去玩吧", exact=False)


TRANSCRIPT = "老师：没关系，下次注意就好。学生：谢谢老师，我先回教室了。"


@pytest.mark.parametrize(
    "question",
    [
        "“老师说的‘没关系’，是对谁说的？”听完录音请回答。",
        "「老師說的『没关系』是對誰說的？」請聽錄音回答。",
        "请听录音回答：“学生接下来要去什么地方？”",
        '请回答："老师为什么说‘没关系’？"',
    ],
)
def test_quotation_marks_around_the_question(question: str) -> None:
    assert quotation_fault(question, TRANSCRIPT, exact=False) is None


@pytest.mark.parametrize(
    "question",
    ["“老师说的‘明天不用上课’是对谁说的？”请回答。", "“青青子衿”指谁？", "“谁偷走了我的钱包？”这句话是谁说的？"],
)
def test_quotations_that_nobody_said(question: str) -> None:
    fault = quotation_fault(question, TRANSCRIPT, exact=False)
    assert fault is not None and fault[0] == "quotation-not-in-text"
