"""Tests of `scoring/stored/lines.py`: Scores from the lines of a file."""

from __future__ import annotations

import msgspec
import pytest

from triptych.records import Score
from triptych.scoring.stored.lines import decode_scores

LINES = b"""\
{"unit":"u1","task":"b/t","metric":"accuracy","status":"scored","numerator":1.0,"denominator":1.0,"facets":{"language":"de"}}
{"unit":"u2","task":"b/t","metric":"accuracy","status":"scored","numerator":0,"denominator":1,"extraction":["A","C"],"repeat":2,"note":"x"}

{"unit":"u3","task":"b/t","metric":"cer","status":"failed","numerator":3.5,"denominator":7,"extraction":null,"instance":"i","facets":{"language":"de"}}
"""


def test_scores_are_those_of_decoding_line_by_line() -> None:
    expected = [msgspec.json.decode(line, type=Score) for line in LINES.splitlines() if line]
    assert decode_scores(LINES) == expected and len(expected) == 3
    assert decode_scores(b"") == []


def test_values_that_scores_share_are_one_object() -> None:
    first, _, third = decode_scores(LINES)
    assert first.task is third.task and first.facets is third.facets


@pytest.mark.parametrize("line", [b"{", b"[]", b'{"unit":"u"}', LINES.splitlines()[0][:-1] + b',"more":1}'])
def test_other_lines_are_refused(line: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_scores(LINES + line)
