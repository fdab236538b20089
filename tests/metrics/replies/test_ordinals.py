"""Tests of `metrics/replies/ordinals.py`: ordinals and numbers as the labels that they mean."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.metrics.replies import ordinals
from triptych.metrics.replies.ordinals import with_labels, without_case

WORDS = """
first second THIRD fourth fifth sixth 1st 4th erste zweiten dritter vierte fünfte première deuxième
troisième quatrième primera segunda tercera cuarta prima seconda terza quarta primeira terceira last option
choice answer one alternative item statement clip audio recording image picture photo video sound sentence
text antwort möglichkeit réponse proposition opción respuesta opzione risposta alternativa opção resposta
number no. # 3 two the The a LAST optıon fİrst ımage 第 一 三 个 选项 項 番目の選択肢 번째 두 선택지 最后一 . ! , 选 B
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The THIRD option", "The  C! "),
        ("it must be the first.", "it must be  A! ."),
        ("the first optıon", "the  A! "),  # a Turkish ı is an i to a pattern without case
        ("option number two", " B! "),
        ("at last, a blast", "at last, a blast"),
        ("option B", "option B"),
        ("第二项 second option", " B!   B! "),
        ("2番目の選択肢", " B! "),
    ],
)
def test_an_ordinal_becomes_the_label(text: str, expected: str) -> None:
    assert with_labels(text, "ABCD", (), "!") == expected


@given(st.lists(st.sampled_from(WORDS.split()), max_size=9), st.sampled_from([" ", "", "\n"]))
def test_a_text_that_is_not_searched_has_no_ordinal(words: list[str], between: str) -> None:
    text = between.join(words)
    folded = without_case(text)
    if not ordinals._may_number(folded):
        assert ordinals._NUMBERED.search(text) is None
    if not ordinals._may_order(folded):
        assert ordinals._ORDINALS.search(text) is None
