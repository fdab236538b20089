"""Tests of `metrics/replies/dense_labels.py`: labels that are syllables of most sentences, too."""

from __future__ import annotations

import pytest

from triptych.metrics.choice import read_letter
from triptych.metrics.replies.dense_labels import latin

KOREAN = {"가": "개 짖는 소리", "나": "자동차 시동 소리", "다": "빗소리", "라": "문 닫히는 소리"}
THAI = {"ก": "เสียงหมาเห่า", "ข": "เสียงสตาร์ทรถ", "ค": "เสียงฝนตก", "ง": "เสียงปิดประตู"}


@pytest.mark.parametrize(
    ("reply", "choice"),
    [
        ("정답은 다입니다.", "다"),
        ("정답: 라", "라"),
        ("나", "나"),
        ("(라)", "라"),
        ("나. 자동차 시동 소리", "나"),
        ("나번이 정답입니다.", "나"),
        ("자동차 시동 소리", "나"),
        ("정답은 다가 아닙니다.", None),
        ("다 맞습니다.", None),
        ("나는 알 수 없다.", None),
        ("남자가 문을 닫는다.", None),
        ("무엇이 들리는가.", None),
        ("가, 나", None),
    ],
)
def test_korean(reply: str, choice: str | None) -> None:
    assert read_letter(reply, list(KOREAN), list(KOREAN.values())) == choice


@pytest.mark.parametrize(
    ("reply", "choice"),
    [("คำตอบที่ถูกต้องคือ ค", "ค"), ("ข้อ ง", "ง"), ("ง. เสียงปิดประตู", "ง"), ("ไม่ใช่ข้อ ง", None)],
)
def test_thai(reply: str, choice: str | None) -> None:
    assert read_letter(reply, list(THAI), list(THAI.values())) == choice


def test_other_labels_stay() -> None:
    assert latin("答案是丙。", "甲乙丙丁") == ("答案是丙。", "甲乙丙丁")
    assert latin("B", "AB") == ("B", "AB")


def test_a_letter_that_the_reply_uses_stands_for_no_label() -> None:
    assert latin("정답은 가입니다. B", "가나") == ("정답은  C 입니다. B", "CD")
