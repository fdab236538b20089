"""Tests of `construction/recipes/_xmodbench_asking.py`: questions of the recipe `xmodbench` to models and people."""

from __future__ import annotations

import pytest

from tests.construction.recipes.test_xmodbench import said
from triptych.construction.recipes._xmodbench_asking import changed_count
from triptych.models import speech


@pytest.fixture(autouse=True)
def speaker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speech.Speaker, "speak", lambda self, text, voice: said(text + voice))


@pytest.mark.parametrize(
    ("text", "other", "count"),
    [
        ("He has two red cars.", "he has two red cars", 0),
        ("He has two red cars.", "He has two cars.", 1),
        ("He has two red cars.", "She has two blue cars.", 2),
        ("我喜欢喝咖啡。", "我喜欢喝热茶。", 2),
        ("It's late.", "It’s late.", 1),
    ],
)
def test_changed_words_are_counted(text, other, count):
    assert changed_count(text, other) == count
