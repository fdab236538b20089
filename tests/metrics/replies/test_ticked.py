"""Tests of `metrics/replies/ticked.py`: boxes that are ticked or empty."""

from __future__ import annotations

import pytest

from triptych.metrics.choice import read_letter
from triptych.metrics.replies.ticked import without_boxes


@pytest.mark.parametrize(
    ("reply", "choice"),
    [
        ("[x] B", "B"),
        ("[ ] A\n[X] B\n[ ] C", "B"),
        ("- [ ] A\n- [x] C", "C"),
        ("☐ A\n☑ B", "B"),
        ("( ) A\n(✓) B", "B"),
        ("[x] A\n[x] B\n[ ] C", None),
        ("[ ] A [ ] B [ ] C", None),
        ("[x] A is wrong", None),
        ("See [x] for details. C", "C"),
    ],
)
def test_a_ticked_box_chooses(reply: str, choice: str | None) -> None:
    assert read_letter(reply, "ABC") == choice


def test_an_empty_box_alone_means_nothing() -> None:
    assert without_boxes("the word ( ) is [ ] A", "AB") == "the word ( ) is [ ] A"


def test_a_label_x_is_no_box() -> None:
    assert without_boxes("[X] is right", "XYZ") == "[X] is right"
