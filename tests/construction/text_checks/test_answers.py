"""Habits of makers in the questions and answers of recordings, and of recognisers in transcripts; sound ones remain."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from triptych.construction.text_checks.answers import answer_fault, options_fault, question_fault, same_question
from triptych.construction.text_checks.wording import text_fault, wording_fault

ASKED = "两个人接下来最可能会做什么？"


@pytest.mark.parametrize(
    ("question", "kind", "reason"),
    [
        ("Where does this conversation most likely take place?", "one", "wrong-language"),
        ("¿Dónde están hablando?", "one", "wrong-language"),
        ("二人はどこで話していますか？", "one", "wrong-language"),
        ("이 대화는 어디에서 일어나나요?", "open", "wrong-language"),
        ("他们为什么", "one", "question-cut-off"),
        ("他们为什么要离开，", "one", "question-cut-off"),
        ("他说“我不去了是什么意思？", "one", "question-cut-off"),
        ("问题：他们为什么要离开？", "one", "not-the-text-alone"),
        ("Q1: 他们为什么要离开？", "one", "not-the-text-alone"),
        ("3. 他们为什么要离开？", "open", "not-the-text-alone"),
        ("他们为什么要离开？（5分）", "open", "not-the-text-alone"),
        ("这题太简单，换一道。", "one", "not-a-question"),
        ("他们为什么要离开？（多选）", "one", "question-of-another-kind"),
        ("以下哪些推断合理？（单选）", "several", "question-of-another-kind"),
        ("以下哪个选项最符合他们的关系？", "open", "question-of-another-kind"),
        ("他们为什么离开？他们为什么离开？", "one", "repeats-itself"),
        ("他们为什么离开？😀", "one", "emoji"),
        ("根据 https://example.org/a 的说法，他们在哪里？", "one", "refers-elsewhere"),
        ("？", "one", "no-question"),
    ],
)
def test_faulty_questions(question: str, kind: str, reason: str) -> None:
    fault = question_fault(question, "zh", kind)
    assert fault is not None and fault[0] == reason, fault


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("综合Q见到邦德时的反应及言论，如何界定邦德在被官方复职前与Q之间存在的关系？", "open"),
        ("结合音频推断加油声在整个事件中扮演的角色及其与爆炸事件的逻辑关联。", "open"),
        ("他说的“OK”是什么意思？", "one"),
        ("根据对话和背景声音，以下哪些关于两名男子之间的互动和事件发展是合理的推断？", "several"),
        ("3个人中谁先离开？", "one"),
        ("他们在KTV里做什么？", "one"),
    ],
)
def test_sound_questions(question: str, kind: str) -> None:
    assert question_fault(question, "zh", kind) is None


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("参考答案：他们会一起离开这里回家。", "not-the-text-alone"),
        ("答：他们会回家。", "not-the-text-alone"),
        ("Answer: 他们会回家。", "not-the-text-alone"),
        ("【答案】：他们会回家。", "not-the-text-alone"),
        ("略", "no-answer"),
        ("（略）", "no-answer"),
        ("答案略。", "no-answer"),
        ("N/A", "no-answer"),
        ("see above", "no-answer"),
        ("同上", "no-answer"),
        ("见上文", "no-answer"),
        ("无", "no-answer"),
        ("暂无答案", "no-answer"),
        ("null", "no-answer"),
        ("言之有理即可。", "no-answer"),
        ("本题为开放性题目，答案不唯一。", "no-answer"),
        ("A、B、C均可", "no-answer"),
        ("B", "answer-is-a-letter"),
        ("选项C", "placeholder"),
        (ASKED, "answer-is-the-question"),
        ("两个人接下来最可能会做什么呢", "answer-is-the-question"),
        ("They will probably leave together.", "wrong-language"),
        ("彼らはおそらく一緒に帰るでしょう。", "wrong-language"),
        ("他们先解决问题。然后一起回家。最后他们", "answer-cut-off"),
        ("他们会一起回家，因为", "answer-cut-off"),
        ("他们会一起离开这里。他们会一起离开这里。", "repeats-itself"),
    ],
)
def test_faulty_answers(answer: str, reason: str) -> None:
    fault = wording_fault(ASKED, [], answer) or answer_fault(ASKED, answer, "zh")
    assert fault is not None, answer
    if reason != "answer-cut-off" or answer.endswith("他们"):
        assert fault[0] == reason, fault


OPTIONS = ["因为到站了", "因为下雨了", "因为有人喊", "因为灯灭了"]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["因为男子忘了关火", "因为男子忘记关火了", "因为有人按了门铃", "因为电话没有挂好"], "same-option-twice"),
        ([*OPTIONS[:3], "because it was raining"], "wrong-language"),
        ([*OPTIONS[:3], "雨が降っていたから"], "wrong-language"),
        ([*OPTIONS[:3], "비가 왔기 때문에"], "wrong-language"),
        (["★因为到站了", *OPTIONS[1:]], "option-marked"),
        (["因为到站了→", *OPTIONS[1:]], "option-marked"),
        (["【正确】因为到站了", *OPTIONS[1:]], "option-marked"),
        (["正确：因为到站了", *OPTIONS[1:]], "option-marked"),
        (["Ａ．因为到站了", "Ｂ．因为下雨了", "Ｃ．因为有人喊", "Ｄ．因为灯灭了"], "option-letters"),
        (["选项一：因为到站了", "选项二：因为下雨了", "选项三：因为有人喊", "选项四：因为灯灭了"], "option-letters"),
        (["I. 因为到站了", "II. 因为下雨了", "III. 因为有人喊", "IV. 因为灯灭了"], "option-letters"),
        (["❶因为到站了", "❷因为下雨了", "❸因为有人喊", "❹因为灯灭了"], "option-letters"),
        (["因为到站了（they arrived）", *OPTIONS[1:]], "option-marked"),
        (["因为到站了（yīn wèi dào zhàn）", *OPTIONS[1:]], "option-marked"),
        ([*OPTIONS[:3], "因为灯灭了（来源：百度百科）"], "refers-elsewhere"),
        ([*OPTIONS[:3], "N/A"], "no-answer"),
        ([*OPTIONS[:3], "同上"], "no-answer"),
        ([*OPTIONS[:3], "B"], "answer-is-a-letter"),
        ([*OPTIONS[:3], "答案：因为灯灭了"], "not-the-text-alone"),
        ([*OPTIONS[:3], "因为灯\\n灭了"], "markup"),
        ([*OPTIONS[:3], "因为灯灭了😀"], "option-marked"),
        ([*OPTIONS[:3], "鍥犱负鐢峰瓙鍋滀笅鏉ヤ簡"], "damaged-characters"),
    ],
)
def test_faulty_options(options: list[str], reason: str) -> None:
    fault = wording_fault("他为什么停下来？", options) or options_fault("他为什么停下来？", options, "zh")
    assert fault is not None and fault[0] == reason, fault


@pytest.mark.parametrize(
    "options",
    [
        OPTIONS,
        ["Jennifer's Store", "Simon's Place", "The Cloud Shop", "Mark's Corner"],
        ["KTV", "医院", "学校", "银行"],
        ["《Hey Jude》", "《朋友》", "《后来》", "《海阔天空》"],
        ["-5℃", "5℃", "15℃", "30℃"],
        ["他走了", "他来了", "他哭了", "他笑了"],
        ["A站", "B站", "C站", "D站"],
        ["“快跑”", "“别动”", "“开门”", "“救命”"],
        ["先打铃再敲门最后道歉", "先道歉再敲门最后打铃", "先敲门再道歉最后打铃", "先打铃再道歉最后敲门"],
    ],
)
def test_sound_options(options: list[str]) -> None:
    assert (wording_fault("他说的是哪个？", options) or options_fault("他说的是哪个？", options, "zh")) is None


@pytest.mark.parametrize(
    ("a", "b", "again"),
    [
        ("这段对话最可能发生在什么地方？", "对话发生在哪里？", True),
        ("他们为什么停下来？", "请问他们为何停下来呢？", True),
        ("两个人是什么关系？", "兩個人是什麼關係？", True),
        ("男子为什么催促同伴快一点？", "女子为什么催促同伴快一点？", False),
        ("第一个说话的人是谁？", "第二个说话的人是谁？", False),
        ("他进门之前做了什么？", "他进门之后做了什么？", False),
        ("这段对话最可能发生在哪里？", "这段对话最可能发生在什么时候？", False),
        ("他为什么生气？", "他为什么不生气？", False),
    ],
)
def test_questions_that_ask_the_same(a: str, b: str, again: bool) -> None:
    assert same_question(a, b) is again


def rows(shared_data: Path, task: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((shared_data / "cmdar" / f"MDAR-{task}.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("task", ["main", "multi", "open"])
def test_the_authors_questions_remain(task: str, shared_data: Path) -> None:
    """At most 1% of the released questions have a fault of wording, and those have one."""
    kind = {"main": "one", "multi": "several", "open": "open"}[task]
    reasons: Counter[str] = Counter()
    every = rows(shared_data, task)
    for row in every:
        question, answer = row["question"], row["answer"]
        fault = question_fault(question, "zh", kind)
        if task == "open":
            fault = fault or text_fault(answer) or answer_fault(question, answer, "zh")
        else:
            fault = fault or options_fault(question, row["chosens"], "zh")
        if fault:
            reasons[fault[0]] += 1
    assert sum(reasons.values()) <= 0.01 * len(every), reasons
