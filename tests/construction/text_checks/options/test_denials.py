"""Tests of `construction/text_checks/options/denials.py`: texts of which one denies the other."""

from __future__ import annotations

from triptych.construction.text_checks.options.denials import denied


def test_texts_that_deny_each_other() -> None:
    for pair in (
        ["男子要去北京", "男子不要去北京"],
        ["她没有迟到", "她迟到了"],
        ["他未婚先走", "他走"],
        ["He can swim", "He can't swim"],
    ):
        assert bool(denied(pair)) == (pair[0] != "他未婚先走"), pair
    assert denied(["男子不仅迟到", "男子没去北京"]) is None
