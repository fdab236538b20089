"""Tests of `records/harmless.py`: text from outside made harmless."""

from __future__ import annotations

import pytest

from triptych.records.harmless import harmless, visible


def test_what_cannot_be_seen_is_made_visible() -> None:
    assert visible("a\u202ecod.exe\x00\x1b[31m\x7f\u2028") == "a⟨U+202E⟩cod.exe␀␛[31m␡⟨U+2028⟩"
    assert visible("as it is: 诗, שלום\n\tnext\u200d") == "as it is: 诗, שלום\n\tnext\u200d"


@pytest.mark.parametrize("character", ["\x1b", "\x07", "\x9b", "\u202e"])
def test_control_characters_in_csv_are_visible(character: str) -> None:
    assert character not in str(harmless(f"model{character}[31m"))
    assert harmless("GPT-4o") == "GPT-4o" and harmless(1.5) == 1.5
