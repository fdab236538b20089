"""Tests of `metrics/text/damage.py`: what is wrong with the characters of a text."""

from __future__ import annotations

import pytest

from tests.metrics.text.test_misread import REAL
from triptych.metrics.text.damage import damages


def kinds(text: str, *, compared: bool = False) -> list[str]:
    return [damage.kind for damage in damages(text, compared=compared)]


@pytest.mark.parametrize("text", [*REAL, "", "plain\ttext\nin lines\r\n", "a\u0085b"])
def test_real_text_is_not_damaged(text: str) -> None:
    assert kinds(text, compared=True) == []


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("the \ufffd\ufffd sound", "undecodable", "'the \ufffd\ufffd sound'"),
        ("这是锟斤拷吗", "mojibake", "UTF-8 that was read as GBK"),
        ("Gr\u00c3\u00b6\u00c3\u0178e", "mojibake", "is probably 'Größe'"),
        ("file\u202egnp.exe", "text-direction", "U+202E"),
        ("a \u2067b", "text-direction", "U+2067"),
        ("a \u2067b\nc\u2069", "text-direction", "U+2067"),
        ("a \u202cb", "text-direction", "U+202C"),
        ("a \u2067b\u202c", "text-direction", "U+202C"),
        ("be\x08ll", "control-character", "U+0008 at its character 3"),
        ("é\x90", "control-character", "U+0090"),
        ("a\ufffe", "control-character", "U+FFFE"),
        ("字\ue863", "private-use", "U+E863 at its character 2"),
        ("\u0301e", "combining-mark", "COMBINING ACUTE ACCENT (U+0301)"),
        (" \u05b0שלום", "combining-mark", "HEBREW POINT SHEVA"),
    ],
)
def test_damage_is_named(text: str, kind: str, words: str) -> None:
    (damage,) = damages(text, compared=True)
    assert damage.kind == kind and words in damage.message


@pytest.mark.parametrize(
    "text", ["\u202aabc\u202c", "א \u2067ב\u2069 ג", "\u2068a\u202bb\u202c\u2069", "\u200eabc\u200f"]
)
def test_balanced_controls_of_direction_are_in_order(text: str) -> None:
    assert kinds(text) == []


@pytest.mark.parametrize("text", ["do\u200bg", "dog\ufeff", "a\u2060b", "do\u200dg", "do\u200cg", "狗\u200b"])
def test_signs_without_width_count_where_texts_are_compared(text: str) -> None:
    assert kinds(text, compared=True) == ["zero-width"] and kinds(text) == []


def test_several_kinds_are_all_named() -> None:
    assert kinds("\u0301\ufffd\ue000\u202e") == ["undecodable", "text-direction", "private-use", "combining-mark"]
