"""Tests of `construction/text_checks/talks/abstracts.py`: faults of the abstract of a talk."""

from __future__ import annotations

import pytest

from triptych.construction.text_checks.talks.abstracts import abstract_fault


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Following \\citet{lee2024},~in a village we replaced the bulbs of lamps.", "markup"),
        ("We replaced the bulbs of $N{=}36$ lamps in a village of the north.", "markup"),
        ("We train <fixed-case>BERT</fixed-case> on the texts of many small villages.", "markup"),
        ("We report the detec- tion of moths under the lamps of a village.", "markup"),
        ("Under white light there were 1,840 moths, under amber light only 610, and the", "text-cut-off"),
        ("To be added.", "placeholder"),
        ("A camera costs $30 and a lamp $40; see `[CLS]` in the short- and long-term plans.", None),
    ],
)
def test_an_abstract_has_nothing_of_the_file_that_it_is_from(text: str, reason: str | None) -> None:
    fault = abstract_fault(text)
    assert (fault and fault[0]) == reason
