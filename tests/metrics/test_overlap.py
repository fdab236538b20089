"""What reply and reference share: by hand, against plain restatements, as properties."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.metrics.overlap import (
    METRICS,
    character_f1,
    character_set_overlap,
    counted_punctuation_overlap,
    entity_overlap,
    punctuation_overlap,
    punctuation_pairs,
    token_f1,
)

TEXTS = st.text("甲乙丙，。、 a", max_size=10)
LATIN = st.text("ab ,.", max_size=12)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("甲乙", "甲乙", (1, 1, 1)),
        ("甲乙", "乙乙乙甲", (1, 1, 1)),  # sets: neither order nor repetition counts
        ("甲乙丙", "甲丁", (1 / 2, 1 / 3, 2 / 5)),
        ("甲", "乙", (0, 0, 0)),
        ("甲", "", (0, 0, 0)),
        ("", "甲", (0, 0, 0)),
        ("", "", (0, 0, 0)),
    ],
)
def test_character_sets_by_hand(reference: str, hypothesis: str, expected: tuple[float, float, float]) -> None:
    assert character_set_overlap(reference, hypothesis) == pytest.approx(expected)


def test_pairs_are_the_mark_and_what_stands_before() -> None:
    assert punctuation_pairs("学而，乐乎？") == [("而", "，"), ("乎", "？")]
    assert punctuation_pairs("“学”") == [("”", "“"), ("学", "”")]  # before the first stands the last
    assert punctuation_pairs("aZ09龥") == []
    assert punctuation_pairs("龦 ") == [(" ", "龦"), ("龦", " ")]  # beyond U+9FA5, and a blank: marks both
    assert punctuation_pairs("") == []


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("学而，乐乎？", "学而，乐乎？", (1, 1, 1)),
        ("学而，乐乎？", "学而。乐乎？", (1 / 2, 1 / 2, 1 / 2)),
        ("学而，乐乎？", "学而乐乎", (0, 0, 0)),
        ("学而乐乎", "学而，", (0, 0, 0)),
        ("学而，", "学而，学而，学而，", (1, 3, 3 / 2)),  # each repetition counts: above 1
        ("", "", (0, 0, 0)),
    ],
)
def test_punctuation_by_hand(reference: str, hypothesis: str, expected: tuple[float, float, float]) -> None:
    assert punctuation_overlap(reference, hypothesis) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("孔子、颜回", "颜回、孔子", (1, 1, 1)),
        ("孔子、颜回", "孔子、孟子、孔子", (1 / 2, 1 / 2, 1 / 2)),
        ("孔子、颜回", "孔子，颜回", (0, 0, 0)),
        ("孔子", " 孔子", (0, 0, 0)),  # nothing is stripped
        ("孔子", "", (0, 0, 0)),
        ("", "", (1, 1, 1)),  # a set of one empty entity each
    ],
)
def test_entities_by_hand(reference: str, hypothesis: str, expected: tuple[float, float, float]) -> None:
    assert entity_overlap(reference, hypothesis) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("李白", "李白", 1),
        ("李白。", "作者是《李白》", 1),  # contained
        ("李白", "李 白", 1),  # contained once joined
        ("李白", "杜甫", 0),
        ("作者是李白", "李白", 0),  # contained the other way round: one token against another
        ("The cat sat", "a CAT, sat down", 2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3)),
        ("a a b", "b a", 2 * 1 * (2 / 3) / (1 + 2 / 3)),
        ("李白", "", 0),
        ("", "李白", 0),
        ("", "", 1),
        ("……", "。", 1),  # nothing but marks: both empty
    ],
)
def test_tokens_by_hand(reference: str, hypothesis: str, expected: float) -> None:
    assert token_f1(reference, hypothesis) == pytest.approx(expected)


@given(LATIN, LATIN)
def test_tokens_equal_the_usual_formula(reference: str, hypothesis: str) -> None:
    expected, got = ("".join(c for c in t if c not in ",.").split() for t in (reference, hypothesis))
    shared = sum((Counter(expected) & Counter(got)).values())
    if not expected or not got:
        assert token_f1(reference, hypothesis) == (not expected and not got)
    elif "".join(expected) in "".join(got):
        assert token_f1(reference, hypothesis) == 1
    else:
        assert token_f1(reference, hypothesis) == pytest.approx(2 * shared / (len(expected) + len(got)))


@given(TEXTS, TEXTS)
def test_bounds_and_symmetry(reference: str, hypothesis: str) -> None:
    for function in (character_set_overlap, entity_overlap):
        there, back = function(reference, hypothesis), function(hypothesis, reference)
        assert all(0 <= value <= 1 for value in there)
        assert (there.precision, there.recall) == (back.recall, back.precision)
        assert min(there[:2]) - 1e-12 <= there.f1 <= max(there[:2]) + 1e-12
    assert 0 <= punctuation_overlap(reference, hypothesis).precision <= 1
    assert 0 <= token_f1(reference, hypothesis) <= 1


@given(TEXTS)
def test_identity(text: str) -> None:
    assert character_set_overlap(text, text).f1 == bool(text)
    assert punctuation_overlap(text, text).f1 == bool(punctuation_pairs(text))
    assert entity_overlap(text, text).f1 == token_f1(text, text) == 1


def test_every_family_has_three_measures() -> None:
    assert {m.id for m in METRICS} == {"f1.token", "f1.characters"} | {
        f"{measure}.{kind}"
        for measure in ("f1", "precision", "recall")
        for kind in ("charset", "punctuation", "marks", "entity", "entities")
    }


def test_characters_by_hand() -> None:
    assert character_f1("赤壁赋", "前赤壁赋") == pytest.approx(2 * (3 / 4) / (3 / 4 + 1))
    assert character_f1("唐", "宋") == 0.0
    assert (character_f1("", ""), character_f1("唐", ""), character_f1("", "唐")) == (1.0, 0.0, 0.0)


def test_an_underscore_is_no_punctuation_for_tokens() -> None:
    assert token_f1("a_b c", "ab c") == 0.5
    assert token_f1("诗", "_诗_") == 1.0  # it stands in the reply


def test_counted_marks_are_met_once_each() -> None:
    found = counted_punctuation_overlap("学，习。", "学，学，习。")
    assert (found.precision, found.recall) == (2 / 3, 1.0)
    assert counted_punctuation_overlap("学", "习").f1 == 0.0
    assert punctuation_overlap("学，习。", "学，学，习。").recall == 1.5
