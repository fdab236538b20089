"""Tests of `construction/people/spans.py`: spans of time that people note."""

from __future__ import annotations

import pytest

from triptych.construction.people.spans import spans_in, spans_outside


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("3.20-5.10; 8.00-9.50", [(3.2, 5.1), (8.0, 9.5)]),
        ("0-1", [(0.0, 1.0)]),
        (" 3 - 5 ;\n8-9; ", [(3.0, 5.0), (8.0, 9.0)]),
        ("３．２－５；８-９", [(3.2, 5.0), (8.0, 9.0)]),
        ("5-3", None),
        ("3-3", None),
        ("3-5, 8-9", None),
        ("-1-3", None),
        ("1:20-1:30", None),
        ("1e3-2e3", None),
        (";", None),
        ("", None),
    ],
)
def test_spans_by_hand(text: str, spans: list[tuple[float, float]] | None) -> None:
    assert spans_in(text) == spans


def test_spans_after_the_end_of_a_recording_are_named() -> None:
    form = {"noise": "spans", "text": "text"}
    values = {"noise": "1-2; 9.5-10.3; 11-12", "text": "11-12"}
    said = list(spans_outside(values, form, 10.0))
    assert len(said) == 2
    assert said[0].startswith("noise: 9.5-10.3 ") and "at most 10 s" in said[0]


@pytest.mark.parametrize(
    ("values", "seconds"), [({"noise": "9-10.04"}, 10.0), ({"noise": "9-99"}, None), ({"noise": ""}, 1.0), ({}, 1.0)]
)
def test_rounding_unknown_lengths_and_empty_cells_are_no_fault(values: dict[str, str], seconds: float | None) -> None:
    assert list(spans_outside(values, {"noise": "spans"}, seconds)) == []
