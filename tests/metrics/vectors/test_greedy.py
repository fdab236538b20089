"""Greedy matching by hand, and its laws."""

from __future__ import annotations

import numpy as np
import pytest

from triptych.metrics.vectors.greedy import NOTHING, Match, cosine, greedy_match, rescale, unit_vectors

X, Y, MINUS = [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]


def match(mine: list[list[float]], theirs: list[list[float]], padded: tuple[bool, bool] = (False, False)) -> Match:
    a, b = np.array(mine, np.float32), np.array(theirs, np.float32)
    return greedy_match(a, b, (np.ones(len(a), bool), np.ones(len(b), bool)), padded)


def test_each_token_takes_its_best() -> None:
    assert match([X, Y], [X]) == Match(0.5, 1.0, pytest.approx(2 / 3))
    assert match([X], [X, Y]) == Match(1.0, 0.5, pytest.approx(2 / 3))


def test_what_resembles_nothing_counts_less_than_nothing_unless_padded() -> None:
    assert match([X], [MINUS]) == Match(-1, -1, -1)
    assert match([X], [MINUS], (True, True)) == NOTHING
    assert match([X], [MINUS], (False, True)) == Match(0, -1, 0)


def test_marks_can_be_matched_but_do_not_weigh() -> None:
    marks, texts = np.array([False, True]), np.array([Y, X], np.float32)
    assert greedy_match(texts, np.array([X, Y], np.float32), (marks, marks)) == Match(1, 1, 1)
    assert greedy_match(texts, texts, (marks, np.array([False, False]))) == NOTHING


def test_rescaling_keeps_1_and_moves_the_baseline_to_0() -> None:
    assert rescale(Match(1, 1, 1), (0.5, 0.6, 0.7)) == Match(1, 1, 1)
    assert rescale(Match(0.5, 0.6, 0.7), (0.5, 0.6, 0.7)) == NOTHING
    assert rescale(NOTHING, (0.5, 0.5, 0.8)) == Match(-1, -1, pytest.approx(-4))


def test_cosine() -> None:
    assert cosine(np.array([3.0, 4.0]), np.array([6.0, 8.0])) == pytest.approx(1)
    assert cosine(np.array([1.0, 0.0]), np.array([1.0, 1.0])) == pytest.approx(2**-0.5)
    assert cosine(np.zeros(2), np.ones(2)) == 0


def test_unit_vectors() -> None:
    assert np.linalg.norm(unit_vectors(np.array([[3, 4], [1, 0]], np.float32)), axis=1) == pytest.approx([1, 1])
