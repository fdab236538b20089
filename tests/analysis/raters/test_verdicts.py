"""What judges said: which mark counts, and whether a judge agrees with itself."""

from __future__ import annotations

import pytest

from triptych.analysis.raters.verdicts import repeated_verdicts, value_of
from triptych.judges.rubric import Order
from triptych.judges.verdicts import Verdict


def verdict(*values: float, order: Order = "straight", evaluation: int = 0, judge: str = "g") -> Verdict:
    return Verdict(judge, "score", "pair@1", order, evaluation, "given", values)


@pytest.mark.parametrize(("values", "expected"), [((4.0,), 4.0), ((9.0, 3.0), 1 / 3), ((0.0, 3.0), 0.0)])
def test_of_a_pair_the_replys_mark_counts(values: tuple[float, ...], expected: float) -> None:
    assert value_of(verdict(*values)) == pytest.approx(expected)


def test_a_judge_is_held_against_itself_again_and_swapped() -> None:
    said = [
        ("u1", verdict(1, order=order, evaluation=e), value)
        for order, e, value in (("straight", 0, 1.0), ("straight", 1, 2.0), ("swapped", 0, 3.0), ("swapped", 1, 4.0))
    ]
    assert dict(repeated_verdicts(said)) == {
        "judge g on score · itself, asked again": [("u1", 1.0, 2.0), ("u1", 3.0, 4.0)],
        "judge g on score · itself, with the places swapped": [("u1", 1.0, 3.0), ("u1", 2.0, 4.0)],
    }


def test_other_judges_and_other_replies_are_not_itself() -> None:
    said = [("u1", verdict(1), 1.0), ("u1", verdict(1, judge="h"), 1.0), ("u2", verdict(1, evaluation=1), 1.0)]
    assert list(repeated_verdicts(said)) == []
