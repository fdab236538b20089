"""Tests of `models/local/describe.py`: media to words."""

from __future__ import annotations

import pytest

from triptych.models.local import describe


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ("床前明月光\n疑是地上霜", "床前明月光疑是地上霜"),
        ("two\n words ", "two words"),
        ("字\nword", "字 word"),
        ("\n\n", ""),
    ],
)
def test_lines_are_joined_as_the_script_wants(lines: str, line: str) -> None:
    assert describe.one_line(lines) == line
