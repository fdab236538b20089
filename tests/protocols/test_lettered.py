"""Tests of `protocols/lettered.py`: options inside a question's text."""

from __future__ import annotations

import re

import pytest

from triptych.protocols.lettered import lettered_options

END = re.compile(r"\s*请直接回答.*$", re.DOTALL)


@pytest.mark.parametrize(
    ("question", "options"),
    [
        ("诗人是谁？A、李白 B、杜甫 C、王维 D、白居易", ["李白", "杜甫", "王维", "白居易"]),
        ("诗人是谁？\nA. 李白\nB. 杜甫\n请直接回答选项字母。", ["李白", "杜甫"]),
        ("Who? A: Li Bai. B: Du Fu。 C：Wang Wei。", ["Li Bai.", "Du Fu", "Wang Wei"]),
        ("A、一 C、三 B、二", ["一 C、三", "二"]),
        ("A、只有一个", []),
        ("B、二 C、三", []),
        ("他说：A B C", []),
        ("", []),
    ],
)
def test_options_in_their_order(question: str, options: list[str]) -> None:
    assert list(lettered_options(question, END).values()) == options


def test_letters_inside_words_and_after_the_last_one_are_text() -> None:
    read = lettered_options("哪个？A、DNA、RNA B、USB: 接口 C、无 D、有", END, letters=("A", "B", "C"))
    assert read == {"A": "DNA、RNA", "B": "USB: 接口", "C": "无 D、有"}
