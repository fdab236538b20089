"""Tests of `metrics/text/language.py`: the language of a text, guessed from its script and its most common words."""

from __future__ import annotations

import pytest

from triptych.metrics.text.language import guess_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The talk is about machine translation.", "en"),
        ("Der Vortrag handelt von maschineller Übersetzung und ist sehr gut.", "de"),
        ("Il discorso è sulla traduzione automatica e sui modelli.", "it"),
        ("我们用BERT模型做了NLP实验", "zh"),
        ("これは日本語です", "ja"),
        ("New York", None),
        ("B", None),
        ("", None),
    ],
)
def test_languages(text: str, language: str | None) -> None:
    assert guess_language(text) == language
