"""Tests of `viewer/rendering.py`: templates."""

from __future__ import annotations

import pytest

from tests.viewer.runs import EVIL
from triptych.viewer.rendering import language, tone


@pytest.mark.parametrize(("words", "expected"), [("你好", "zh"), ("カメラの題", "ja"), ("hello", ""), (3, "")])
def test_languages_of_texts(words: object, expected: str) -> None:
    assert language(words) == expected


def test_tones_are_classes_and_nothing_else() -> None:
    assert {tone(name) for name in ("right", "wrong", "partly", "refused", "missing", EVIL)} == {
        "tone-right",
        "tone-wrong",
        "tone-unsure",
        "tone-lost",
        "tone-none",
    }
