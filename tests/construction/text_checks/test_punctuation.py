"""Tests of `construction/text_checks/punctuation.py`: marks that don't belong together."""

from __future__ import annotations

import pytest

from triptych.construction.text_checks.punctuation import doubled_fault, pair_fault


@pytest.mark.parametrize(
    "text",
    [
        "因为女子说“外面下大雨了",
        "他来自《红楼梦",
        "他走了）。",
        "他说：”走吧“",
        "（他走了",
        '她说"走吧',
        "「走吧",
        "【走吧",
    ],
)
def test_marks_without_their_other_half(text: str) -> None:
    assert (pair_fault(text) or ("",))[0] == "marks-unpaired"


@pytest.mark.parametrize(
    "text",
    [
        "子曰：“赐也，始可与言《诗》已矣！‘如切如磋。’”",
        "1）他走了。2）她来了。",
        "理由：1）他走了。",
        "区间[0, 1)",
        "他说:)",
        '5" 屏',
        "（A)他",
    ],
)
def test_marks_in_pairs(text: str) -> None:
    assert pair_fault(text) is None


def test_marks_that_stand_together() -> None:
    for text in ("王曰，。叟", "他走了。。", "他走了，，她来了", "他走了？。", "He left,, and she came."):
        assert (doubled_fault(text) or ("",))[0] == "marks-doubled", text
    for text in ("他走了……她来了。", "真的？！", "“走！”，他说。", "U.S., he said", "。。。", "1,000.5"):
        assert doubled_fault(text) is None, text
