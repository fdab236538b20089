"""Tests of `metrics/replies/markup.py`: replies without markup."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.metrics.replies.markup import ANSWER, BOLD, ENCLOSED, strip_markup


@pytest.mark.parametrize(
    "reply",
    [
        r"\boxed{C}",
        r"\fboxed{C}",
        "\x08oxed{C}",  # "\b" of an escaped string became a backspace
        "<answer>C</answer>",
        "<final_answer> C </final_answer>",
        "<|begin_of_box|>C<|end_of_box|>",
        "[BEGIN FINAL RESPONSE]C[END FINAL RESPONSE]",
        "$\\boxed{\\text{C}}$",
    ],
)
def test_boxes_and_tags_become_one_mark(reply: str) -> None:
    text = strip_markup(reply, "ABCD")
    assert text.count(ANSWER) == 1 and text.replace(ANSWER, "").replace(ENCLOSED, "").split() == ["C"]


@pytest.mark.parametrize("reply", ["(B)", "[B]", "「B」", "【B】", '"B"', "`B`", "(b)"])
def test_an_enclosed_label_is_marked(reply: str) -> None:
    assert strip_markup(reply, "ABCD").strip() in (f"B{ENCLOSED}", f"b{ENCLOSED}")
    assert strip_markup("**B**", "ABCD").strip() == f"B{BOLD}"


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("the third option", "C"),
        ("Option 2", "B"),
        ("option three", "C"),
        ("the last option", "D"),
        ("第二个选项", "B"),
        ("选项三", "C"),
        ("die zweite Option", "B"),
        ("la terza opzione", "C"),
        ("la deuxième proposition", "B"),
        ("la cuarta opción", "D"),
        ("3番目の選択肢", "C"),
        ("두 번째 선택지", "B"),
    ],
)
def test_an_ordinal_is_the_label_that_it_means(reply: str, label: str) -> None:
    assert f"{label}{ENCLOSED}" in strip_markup(reply, "ABCD")


@pytest.mark.parametrize(("sign", "label"), [("①", "A"), ("②", "B"), ("④", "D"), ("⑤", "5"), ("⑧", "8")])
def test_a_circled_number_is_the_label_of_that_place(sign: str, label: str) -> None:
    assert strip_markup(f"正解は{sign}です", "ABCD").replace(ENCLOSED, "").replace(" ", "") == f"正解は{label}です"
    assert (ENCLOSED in strip_markup(sign, "ABCD")) == (label in "ABCD")


@pytest.mark.parametrize(
    ("reply", "labels", "texts"),
    [
        ("Option 7", "ABCD", ()),  # there are four
        ("the fifth option", "ABCD", ()),
        ("⑧", "ABCD", ()),
        ("the third option", "ABCD", ("the third option", "the first one")),  # words of an option
        ("Option 2", "ABCD", ("2 birds", "3 birds")),
        ("Option 2", "1234", ()),  # the labels are digits themselves
        ("Option 2", "0123", ()),
        ("Option 2.5", "ABCD", ()),
    ],
)
def test_what_is_no_ordinal_of_an_option_stays(reply: str, labels: str, texts: tuple[str, ...]) -> None:
    assert ENCLOSED not in strip_markup(reply, labels, texts)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("~~A~~ B", "B"),
        ("> Which one?\nB", "B"),
        ("> B", "> B"),  # nothing but the quotation
        ("Ｂ．", "B."),
        ("B<|im_end|>", "B"),
        ("B</s>", "B"),
        ("B\u200b\ufeff", "B"),
        ("С.", "C."),  # Cyrillic
        ("a   b\t c", "a b c"),
        ("snake_case_name", "snake_case_name"),
        ("_B_ or __C__", "B or C"),
        ("Final: B", "Final answer: B"),
        ("", ""),
    ],
)
def test_signs_of_markup_are_left_out_and_words_stay(reply: str, text: str) -> None:
    assert strip_markup(reply, "ABCD").replace(ENCLOSED, "").strip() == text


@given(st.text("AB()[]{}①②\ue000\ue901~*> 第一个选项\n\\boxed", max_size=60))
def test_a_reply_has_no_marks_of_its_own(reply: str) -> None:
    read = strip_markup(f"{reply}\ue000{reply}", "ABCD")
    assert not any("\ue000" <= sign <= "\ue8ff" for sign in read)
    assert read == strip_markup(f"{reply}{reply}", "ABCD")


def test_a_long_reply_takes_time_in_proportion() -> None:
    begun = time.process_time()
    for unit in ("(", "**", "~~", "\\boxed{", "<answer", "[A", "> \n", "第一"):
        strip_markup(unit * (40_000 // len(unit)), "ABCD")
    assert time.process_time() - begun < 5
