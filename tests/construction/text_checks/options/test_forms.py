"""Tests of `construction/text_checks/options/forms.py`: options whose form shows which is correct."""

from __future__ import annotations

import pytest

from triptych.construction.text_checks.options.forms import form_fault


@pytest.mark.parametrize(
    "options",
    [
        ["可能是医院", "学校食堂", "中心小学", "人民银行"],
        ["医院吧", "学校", "小学", "银行"],
        ["Probably a hospital", "A canteen", "A school", "A bank"],
        ["《孟子》", "论语", "史记", "庄子"],
        ["孟子", "《论语》", "《史记》", "《庄子》"],
        ["朝露（早晨的露水）", "深秋的落花", "东去的流水", "天上的浮云"],
        ["朝露", "落花（秋天的花）", "流水（东去的水）", "浮云（天上的云）"],
        ["這裡不是他的故鄉", "因為下雨了", "因為他病了", "因為路太遠"],
        ["因为他病了", "下雨了", "路太远", "没有船"],
        ["采菊", "饮酒；读书", "下棋；钓鱼", "抚琴；练剑"],
        ["采菊、饮酒", "读书", "下棋", "抚琴"],
        ["“孟子”一书", "论语一书", "史记一书", "庄子一书"],
        ["请他坐下", "让他走开", "叫他回家", "给他开门"],
        ["他走了！", "他来了", "他病了", "他笑了"],
        ["他从来不喝酒", "他有时喝酒", "他在家喝酒", "他爱喝酒"],
        ["3个人", "四个人", "五个人", "六个人"],
        ["三", "四个人", "五个人", "六个人"],
        ["because it rained", "the bus was late", "his leg hurt", "the shop was shut"],
        ["a dog", "cat", "bird", "horse"],
    ],
)
def test_the_form_of_the_correct_option_is_another(options: list[str]) -> None:
    assert form_fault(options, [0])


@pytest.mark.parametrize(
    "options",
    [
        ["可能是医院", "可能是学校", "银行", "商店"],
        ["《孟子》", "《论语》", "史记", "庄子"],
        ["因为他病了", "因为下雨了", "路太远", "没有船"],
        ["三天", "五天", "半个月", "一年"],
        ["他觉得“那件事”过去了", "他忘了", "他没听见", "他不在家"],
        ["he ran", "she slept", "it rained", "they left"],
        ["Paris", "a village", "a farm", "the coast"],
        ["一项重大的、充满挑战的行动", "一次散步", "一场婚礼", "一顿晚饭"],
    ],
)
def test_forms_that_show_nothing(options: list[str]) -> None:
    assert not form_fault(options, [0])
