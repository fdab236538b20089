"""Faults in other words and forms than those of the other modules, each in several forms; sound texts stay."""

from __future__ import annotations

import pytest

from tests.construction.single_stage import decide, decide_all
from triptych.construction.recipes import mcs_bench
from triptych.construction.stages.guessing import unguessable
from triptych.construction.stages.text import clean_text
from triptych.construction.text_checks.answers import question_fault, same_question
from triptych.construction.text_checks.makers.chatter import chatter_fault
from triptych.construction.text_checks.options.marks import about_others, own_letters

ASKED = "男子为什么要去车站？"
TEXTS = ["接朋友", "买车票", "送孩子", "看比赛"]


@pytest.mark.parametrize(
    "options",
    [
        ["1只猫", "2条狗", "3匹马", "4头牛"],
        ["A座", "B座", "C座", "D座"],
        ["一楼大厅", "二楼餐厅", "三楼教室", "四楼天台"],
        ["第一次见面", "第二次约会", "第三次吵架", "第四次道歉"],
        ["红楼梦（一）", "红楼梦（二）", "红楼梦（三）", "红楼梦（四）"],
        ["1:30", "2:30", "3:30", "4:30"],
        ["一、二班", "二、三班", "三、四班", "四、五班"],
        ["春，花开了", "夏，蝉叫了", "秋，叶落了", "冬，下雪了"],
        ["一问一答", "二话不说", "三心二意", "四平八稳"],
    ],
)
def test_options_that_count_or_name_are_no_list(options: list[str]) -> None:
    assert own_letters(options) == ""


@pytest.mark.parametrize(
    "option",
    [
        "全选",
        "全都是",
        "都是对的",
        "没有对的",
        "无正确选项",
        "此中无正解",
        "上述三点",
        "综上",
        "选项一和选项二",
        "其他",
        "其他原因",
        "同选项A",
        "三种可能都存在",
        "不止一个原因",
        "各项都不符合",
        "所有选项",
        "三者居其一",
        "以上两种情况同时存在",
    ],
)
def test_more_options_about_others(option: str) -> None:
    assert about_others(ASKED, [*TEXTS[:3], option]) == option


def test_what_people_say_about_themselves_and_points() -> None:
    for text in ("作为老师，我很骄傲。", "她得了满分（100分）。", "作为一名工程师，我每天都很忙。"):
        assert chatter_fault(text) is None, text
    for text in ("作为一名翻译家，我将逐句翻译。", "①指出他是邻居（2分）", "他走了。如需进一步分析，请随时告知。"):
        assert chatter_fault(text) is not None, text
    assert question_fault("谁先开口？谁后开口？", "zh", sound=True) is None
    assert question_fault("这是哪里？敲门的人是谁？", "zh", sound=True) is not None


def test_one_question_in_another_order() -> None:
    burnt = "因为饭烧糊了"
    assert same_question("为什么报警器会响？", "报警器响起的原因是什么？", burnt, burnt)
    assert not same_question("男子先做什么？", "男子最后做什么？", "吃饭", "吃饭")


@pytest.mark.parametrize("number", ["－12－", "·12·", "（第12页）", "第12页"])
def test_page_numbers_within_a_work(number: str) -> None:
    outcome = decide(clean_text, {"text": f"床前明月光，{number}疑是地上霜。"})
    assert outcome.fields["text"] == "床前明月光，疑是地上霜。"


def test_pages_that_show_a_check_are_not_read() -> None:
    wall = {"file": "a.html", "text": "正在检查您的浏览器…… 请完成安全验证 请求编号 8f2a" * 2}
    page = {
        "file": "b.html",
        "text": "《兰亭集序》是东晋王羲之所书，写修禊之会，行书二十八行，三百二十四字，后世推为第一。",
    }
    assert decide(mcs_bench.read_pages, {"pages": [wall]}).reason == "pages-empty"
    outcome = decide(mcs_bench.read_pages, {"pages": [wall, page]})
    assert "安全验证" not in outcome.fields["collected"] and "兰亭" in outcome.fields["collected"]


def _set(texts: list[tuple[str, str, list[str]]]) -> list[dict[str, object]]:
    return [
        {"question": question, "options": [right, *wrong], "answers": [0], "task": "t"}
        for question, right, wrong in texts
    ]


WORDS = [
    "松风",
    "江月",
    "归舟",
    "寒鸦",
    "落日",
    "晓钟",
    "远山",
    "孤灯",
    "白露",
    "秋声",
    "残雪",
    "春水",
    "渔火",
    "驿路",
    "秋千",
    "柳絮",
]


@pytest.mark.parametrize("rule", ["same-wrong", "ending", "question", "number"])
def test_sets_whose_options_tell_the_key(rule: str) -> None:
    rows = []
    for number, word in enumerate(WORDS):
        others = [WORDS[(number + step) % len(WORDS)] for step in (3, 5, 7)]
        if rule == "same-wrong":
            rows.append((f"第{number}问", word, ["甲地", "乙地", "丙地"]))
        elif rule == "ending":
            rows.append(
                (f"第{number}问", f"{word}之情", [f"{each}{end}" for each, end in zip(others, "上下中", strict=True)])
            )
        elif rule == "question":
            rows.append((f"{word}在哪里？", f"{word}边", [f"{each}边" for each in others]))
        else:
            rows.append(
                (f"第{number}问", f"{1900 + number}年", [f"{1000 + 7 * number + step}年" for step in (1, 2, 3)])
            )
    dropped = [each for each in decide_all(unguessable, _set(rows)) if each.reason == "guessable"]
    assert len(dropped) >= 6, dropped
