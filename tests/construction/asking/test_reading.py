"""A maker whose reply can't be used is sent the reason with what it is about: a note alone may be just a text."""

from __future__ import annotations

import pytest

from triptych.construction.asking.reading import PartlyUsable, Unreadable
from triptych.construction.asking.stage import _for_maker


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (Unreadable("清晨江边", "same-option-twice"), "same option twice: 清晨江边"),
        (
            Unreadable("translate the whole text", "translation-too-short"),
            "translation too short: translate the whole text",
        ),
        (Unreadable("no question", "no-question"), "no question"),
        (Unreadable("there is no JSON in the reply"), "there is no JSON in the reply"),
        (PartlyUsable(None, ["question 1 is asked twice"]), "question 1 is asked twice"),
    ],
)
def test_a_fault_is_named_with_what_it_is_about(error: Unreadable, text: str) -> None:
    assert _for_maker(error) == text
