"""The sentence on a comparison states only what is known."""

from __future__ import annotations

import pytest

from triptych.analysis.comparing.verdict import Pair, _doubling_note
from triptych.records import Estimate


def pair(value: float, detectable: float | None) -> Pair:
    """An undecided pair of 40 Instances."""
    return Pair(Estimate("difference", value, "points", 40, runs=("a", "b"), p_value=0.3), detectable, 40)


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([], ""),
        ([pair(4.0, None)], ""),
        ([pair(0.0, 10.0), pair(4.0, None)], ""),
        ([pair(4.0, 10.0), pair(4.0, None)], "; twice as many Instances would decide no further pair"),
        ([pair(9.0, 10.0), pair(4.0, None)], "; twice as many Instances would decide about 1 more"),
    ],
)
def test_what_twice_as_many_instances_decide_is_said_if_it_is_known(pairs: list[Pair], said: str) -> None:
    assert _doubling_note(pairs) == said
