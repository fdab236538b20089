"""Tests of `metrics/replies/counted.py`: a number with what it counts."""

from __future__ import annotations

import pytest

from triptych.metrics.choice import read_letter, read_option
from triptych.metrics.replies.counted import counted

OPTIONS = ("2", "3", "4", "5")


@pytest.mark.parametrize(
    ("answer", "index"),
    [
        ("There are 3 speakers.", 1),
        ("5 people are talking.", 3),
        ("I can hear four distinct voices.", 2),
        ("三个人", 1),
        ("一共有4个", 2),
        ("There are 2 possible answers.", None),
        ("There are 3 or 4 speakers.", None),
        ("There are not 3 speakers.", None),
        ("At 3 seconds a door slams.", None),
        ("The clip lasts 3 seconds.", None),
        ("3 men and 2 women.", None),
        ("At least 3 people.", None),
        ("3.5 seconds", None),
        ("13 people", None),
    ],
)
def test_one_number_and_what_it_counts(answer: str, index: int | None) -> None:
    assert counted(answer, OPTIONS) == index


def test_options_that_are_no_numbers() -> None:
    assert counted("3 speakers", ["3 speakers", "4"]) is None


def test_readers_use_it() -> None:
    assert read_letter("There are 3 speakers.", "ABCD", OPTIONS) == "B"
    assert read_letter("There are 2 instruments.", "1234", ["violin", "trumpet", "piano", "drums"]) is None
    assert read_option("4,5 Sekunden", ["3.5", "4.5"]) == 1
