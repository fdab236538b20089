"""Tests of `metrics/replies/conclusion.py`: the labels that a reply's statements conclude with."""

from __future__ import annotations

import pytest

from triptych.metrics.replies.conclusion import all_concluded, concluded
from triptych.metrics.replies.signs import signs


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("The answer is B.", "B"),
        ("B", "B"),
        ("I first thought A, but the answer is C.", "C"),
        ("A is wrong and B is wrong, so the answer is D.", "D"),
        ("The answer is not A.\nThe answer is B.", "B"),
        ("Answer: A\n\nWait, the clip is slower. Answer: C", "C"),
        ("Die Antwort ist B.", "B"),
        ("答案是C。", "C"),
        ("The options are A, B, C or D. The answer is A.", "A"),
        ("Either A or B.", None),
        ("The answer is A and B.", None),
        ("The answer is A, but", None),
        ("I cannot hear the clip.", None),
        ("", None),
    ],
)
def test_one_label_or_none(reply: str, label: str | None) -> None:
    chosen = concluded(signs(reply, "ABCD"), 4)
    assert (None if chosen is None else "ABCD"[chosen]) == label


@pytest.mark.parametrize(
    ("reply", "labels"),
    [
        ("The answers are A and C.", "AC"),
        ("Answer: B, D", "BD"),
        ("The answer is B.", "B"),
        ("None of them is right.", None),
    ],
)
def test_all_labels(reply: str, labels: str | None) -> None:
    chosen = all_concluded(signs(reply, "ABCD"))
    assert (None if chosen is None else "".join("ABCD"[number] for number in chosen)) == labels
