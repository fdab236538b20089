"""Agreement of annotations: by hand, by shapely's polygons and intervals, and as nominal alpha where both apply."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triptych.metrics.raters.annotated import (
    box_iou,
    boxes_difference,
    difference_alpha,
    mean_difference,
    spans_difference,
    text_difference,
)
from triptych.metrics.raters.nominal import nominal_alpha, observed_agreement

SPAN = st.tuples(st.integers(0, 20), st.integers(1, 9)).map(lambda each: (float(each[0]), float(each[0] + each[1])))
BOX = st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 9), st.integers(1, 9))
LABELS = st.sampled_from(["a", "b", "c", None])


@given(st.lists(SPAN, max_size=5), st.lists(SPAN, max_size=5))
def test_spans_are_compared_second_by_second(
    first: list[tuple[float, float]], second: list[tuple[float, float]]
) -> None:
    one, other = ({second for a, b in own for second in range(int(a), int(b))} for own in (first, second))
    expected = 1 - len(one & other) / len(one | other) if one | other else 0.0
    assert spans_difference(first, second) == pytest.approx(expected, abs=1e-12)


@given(BOX, BOX)
def test_boxes_are_compared_cell_by_cell(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    one, other = (
        {(column, row) for column in range(x, x + width) for row in range(y, y + height)}
        for x, y, width, height in (first, second)
    )
    assert box_iou(first, second) == pytest.approx(len(one & other) / len(one | other), abs=1e-12)


def test_sets_of_boxes_by_hand() -> None:
    near, far, moved = (0, 0, 10, 10), (50, 50, 10, 10), (5, 0, 10, 10)  # near and moved: 50 of 150
    assert boxes_difference([near, far], [far, near]) == 0
    assert boxes_difference([near, far], [moved]) == pytest.approx(1 - 2 * (1 / 3) / 3)
    assert boxes_difference([near], [near, moved]) == pytest.approx(1 - 2 / 3)  # the exact match first
    assert (boxes_difference([], []), boxes_difference([near], [])) == (0, 1)


@given(st.lists(st.lists(LABELS, min_size=3, max_size=3), max_size=12))
def test_for_labels_alpha_is_the_nominal_one(units: list[list[str | None]]) -> None:
    found = difference_alpha(units, lambda x, y: float(x != y))
    expected = nominal_alpha(units)
    assert found is None if expected is None else found == pytest.approx(expected, abs=1e-12)
    equal, other = observed_agreement(units), mean_difference(units, text_difference)
    assert (equal is None) == (other is None)
    assert equal is None or other == pytest.approx(1 - equal, abs=1e-12)


def test_alpha_of_texts_by_hand() -> None:
    """Differences 1/4 and 0 within; of all six pairs of the four texts 1/4, 0 and four times 1."""
    units = [["abcd", "abcx"], ["zzzz", "zzzz"], ["alone", None]]
    assert mean_difference(units, text_difference) == pytest.approx(1 / 8)
    assert difference_alpha(units, text_difference) == pytest.approx(1 - (1 / 8) / ((1 / 4 + 4) / 6))


def test_of_many_annotations_some_are_drawn() -> None:
    units = [[str(number % 7), str(number % 7 if number % 3 else (number + 1) % 7)] for number in range(700)]
    whole = nominal_alpha(units)  # texts of one character are labels
    assert difference_alpha(units, text_difference, max_annotations=1400) == pytest.approx(whole, abs=1e-12)
    assert difference_alpha(units, text_difference) == pytest.approx(whole, abs=0.02)


def test_nothing_shared_or_nothing_that_differs_is_undefined() -> None:
    for units in ([], [["a", None]], [["a", "a"], ["a", "a"]]):
        assert difference_alpha(units, text_difference) is None
    assert mean_difference([["a"]], text_difference) is None
