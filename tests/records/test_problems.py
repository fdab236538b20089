"""Tests of `records/problems.py`: what `check` finds in a benchmark's data."""

from __future__ import annotations

from pathlib import PurePosixPath

import msgspec
import pytest

from triptych.records.problems import Problem, first_few


@pytest.mark.parametrize(
    ("places", "text"),
    [
        ([], ""),
        (["mcga.json:3"], "mcga.json:3"),
        ([1, 2, 3, 4, 5], "1, 2, 3, 4, 5"),
        ([1, 2, 3, 4, 5, 6], "1, 2, 3, 4, 5, … 1 more"),
        (list(range(1000)), "0, 1, 2, 3, 4, … 995 more"),
        ([PurePosixPath("音频/1.wav")], "音频/1.wav"),
    ],
)
def test_the_first_five_places_and_how_many_more(places: list[object], text: str) -> None:
    assert first_few(places) == text


def test_fewer_places_on_request() -> None:
    assert first_few("abcd", 2) == "a, b, … 2 more" and first_few("ab", 2) == "a, b"


def test_a_problem_is_written_without_what_is_usual_and_its_severity_is_one_of_three() -> None:
    problem = Problem("error", "missing-media", "qa.json:17", "audio/17.wav is missing")
    line = msgspec.json.encode(problem)
    assert b"rows" not in line and msgspec.json.decode(line, type=Problem) == problem and problem.rows == 1
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**msgspec.to_builtins(problem), "severity": "fatal"}, Problem)
