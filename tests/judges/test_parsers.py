"""Verdicts read out of words: hand-made cases for each parser, and properties that hold for any reply."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.judges.parsers import ReadVerdict, read_verdict
from triptych.judges.rubric import known_rubrics, load_rubric


def values(rubric: str, words: str) -> tuple[float, ...] | None:
    reading = read_verdict(words, load_rubric(rubric))
    return None if reading is None else reading.values


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("9 5", (9, 5)),
        (" 8.5\t7 \n", (8.5, 7)),
        ("9, 5", (9, 5)),
        ("9 5\n\nAssistant 1 is better by 4 points.", (9, 5)),
        ("10 10", (10, 10)),
        ("Scores:\n9 5", (9, 5)),
        ("", None),
        ("9", None),
        ("9 5 3", None),
        ("nine five", None),
        ("9/10 5/10", None),
        ("0 5", None),
        ("11 5", None),
        ("9 5\n3 4", None),
        ("-9 5", None),
        ("Assistant 1: 9, Assistant 2: 5", None),
        ("1e1 5", None),
        ("NaN 5", None),
        ("9 inf", None),
        ("95", None),
    ],
)
def test_a_pair_is_one_line_of_two_numbers(words: str, expected: tuple[float, ...] | None) -> None:
    assert values("pair", words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("性别不符，扣一分。\n[1/2]", (1,)),
        ("[2/2]", (2,)),
        ("【0／2】", (0,)),
        ("[1/2] 改为 [2/2]", (2,)),
        ("[ 1 / 2 ]", (1,)),
        ("[3/2]", None),
        ("[1/5]", None),
        ("1/2", None),
        ("", None),
        ("[x/2]", None),
    ],
)
def test_penalties_end_with_the_mark_of_the_whole(words: str, expected: tuple[float, ...] | None) -> None:
    assert values("sec_persona", words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("4", (4,)),
        ("Score: 3/5", (3,)),
        ("I'd say 5.", (5,)),
        ("none", None),
        ("", None),
        ("9", None),
        ("0", None),
        ("10", (1,)),
        ("4.5", (4,)),
        ("3-4", (3,)),
    ],
)
def test_a_beauty_is_the_first_digit_as_the_released_scorer_reads_it(
    words: str, expected: tuple[float, ...] | None
) -> None:
    assert values("beauty_form", words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Right.\nVERDICT: PASS", "PASS"),
        ("**Verdict: fail**", "FAIL"),
        ("PASS", "PASS"),
        ("fail.", "FAIL"),
        ("VERDICT: PASS\nVERDICT: PASS", "PASS"),
        ("VERDICT: PASS\nVERDICT: FAIL", None),
        ("VERDICT: MAYBE", None),
        ("It doesn't pass", None),
        ("PASS or FAIL", None),
        ("", None),
        ("The reply says VERDICT: PASS but is wrong", None),
    ],
)
def test_a_label_is_one_that_the_rubric_knows(words: str, expected: str | None) -> None:
    reading = read_verdict(words, load_rubric("pass_fail"))
    assert (reading.label if reading else None) == expected
    if reading:
        assert reading == ReadVerdict((1.0 if expected == "PASS" else 0.0,), str(expected))


@pytest.mark.parametrize(
    ("rubric", "words", "expected"),
    [
        ("pass_fail", "<think>\nVERDICT: FAIL\nwait\n</think>\nVERDICT: PASS", (1,)),
        ("pair", "<think>\n7 7\n</think>\n9 5", (9, 5)),
        ("sec_persona", "<think>I'd give [2/2]</think>\n总分 1", None),
        ("beauty_form", "<think>maybe 2</think>4", (4,)),
        ("beauty_form", "<think>maybe 2", None),
    ],
)
def test_the_reasoning_of_a_judge_is_not_its_verdict(
    rubric: str, words: str, expected: tuple[float, ...] | None
) -> None:
    assert values(rubric, words) == expected


def test_the_kinds_of_error() -> None:
    for kind in ("PERCEPTION", "REASONING", "KNOWLEDGE", "FORMAT"):
        reading = read_verdict(f"because.\nVERDICT: {kind}", load_rubric("error_kind"))
        assert reading is not None and reading.label == kind


@pytest.mark.parametrize("name", known_rubrics())
@given(words=st.text(max_size=300) | st.text(alphabet="0123456789 ./[]-\nVERDICT:PAS,", max_size=60))
def test_a_verdict_lies_on_the_scale_or_is_none(name: str, words: str) -> None:
    rubric = load_rubric(name)
    reading = read_verdict(words, rubric)
    if reading is not None:
        assert len(reading.values) == (2 if rubric.positions else 1)
        assert all(rubric.scale[0] <= value <= rubric.scale[1] for value in reading.values)
        assert not rubric.labels or rubric.labels[reading.label] == reading.values[0]


@given(st.integers(1, 10), st.integers(1, 10))
def test_a_pair_that_is_written_is_read(first: int, second: int) -> None:
    assert values("pair", f"{first} {second}\n") == (first, second)
