"""Normalisers: by hand, and against whisper-normalizer on made-up sentences and on real transcripts."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triptych.metrics.text.english_numbers import NUMBER_WORDS
from triptych.metrics.text.normalise import basic, chinese_transcript, english

# Rules that whisper-normalizer has had since 0.0.10; the released scorers use that one.
LATER = (r"\bkinda\b", r"\bsorta\b", r"\bdunno\b", r"\bcause\b")


@pytest.fixture(scope="module")
def whisper_english() -> Any:
    module = pytest.importorskip("whisper_normalizer.english", reason="whisper-normalizer is not installed")
    normaliser = module.EnglishTextNormalizer()
    for pattern in LATER:
        normaliser.replacers.pop(pattern, None)
    return normaliser


@pytest.fixture(scope="module")
def whisper_basic() -> Any:
    return pytest.importorskip("whisper_normalizer.basic", reason="whisper-normalizer is not installed")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He's paid twenty-five dollars, I'm told.", "he is paid $25 i am told"),
        ("Mr. Smith's favourite COLOUR", "mister smith is favorite color"),
        ("Um, we can't (laughs) won't [noise] stop", "we can not will not stop"),
        ("In the nineteen sixties, 1,234 people", "in the 1960s 1234 people"),
        ("ten percent of two point five million", "10% of 2500000"),
        ("one oh one", "101"),
        ("café œuvre naïve", "cafe oeuvre naive"),
        ("cause", "cause"),
        ("", ""),
    ],
)
def test_english_by_hand(text: str, expected: str) -> None:
    assert english(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("春眠，不覺曉。", "春眠 不覺曉 "),
        ("Ａ（旁白）Ｂ [x] <y>C", "a 旁白 b c"),  # full-width brackets are symbols, not brackets
        ("a (b) c", "a c"),
        ("e\u0301", "é"),
        ("", ""),
    ],
)
def test_basic_by_hand(text: str, expected: str) -> None:
    assert basic(text) == expected


PIECES = [
    *sorted(NUMBER_WORDS),
    "a",
    "half",
    "and a half",
    "cat",
    "5",
    "12",
    "100",
    "3.5",
    "2.0",
    "$5",
    "$0.5",
    "£3",
    "¢7",
    "0",
    "1",
    "1s",
    "20th",
    "1960s",
    "b2b",
    "x9",
    "%",
    "50%",
    "10.",
    "1.2.3",
    ".",
    "$",
    "'s",
    "he's",
    "don't",
    "(x)",
    "[y]",
    "colour",
    "mr.",
    "Dr",
    "café",
    "œuvre",
    "10,000",
    "-",
    "um",
    "٣",
    "７",
    "½",
    "…",
    "’s",
    "won't",
    "i'ma",
    "y'all",
    "'d been",
    "4th",
]


def test_english_equals_whispers_on_made_up_sentences(whisper_english: Any) -> None:
    draw = random.Random(2)
    for _ in range(4000):
        text = "".join(
            draw.choice(PIECES) + draw.choice(["  ", " ", "", " '", ", "]) for _ in range(draw.randint(1, 9))
        )
        assert english(text) == whisper_english(text), text


@settings(max_examples=300)
@given(text=st.text(max_size=30))
def test_english_equals_whispers_on_any_text(whisper_english: Any, text: str) -> None:
    assert english(text) == whisper_english(text)


@settings(max_examples=300)
@given(text=st.text(max_size=30))
def test_basic_equals_whispers_on_any_text(whisper_basic: Any, text: str) -> None:
    assert basic(text) == whisper_basic.BasicTextNormalizer()(text)


def test_both_equal_whispers_on_real_transcripts(whisper_english: Any, whisper_basic: Any, shared_data: Path) -> None:
    lines = [
        line
        for path in sorted((shared_data / "mcif").glob("*.xml"))
        for line in re.sub("<[^>]*>", "", path.read_text(encoding="utf-8", errors="replace")).splitlines()
        if line.strip()
    ][::3]
    assert len(lines) > 500
    for line in lines:
        assert english(line) == whisper_english(line)
        assert basic(line) == whisper_basic.BasicTextNormalizer()(line)


def test_a_chinese_transcript_keeps_its_characters_alone() -> None:
    pytest.importorskip("opencc", reason="opencc (extra zh) is not installed")
    assert chinese_transcript("春眠不覺曉， 處處聞啼鳥。\n") == "春眠不觉晓处处闻啼鸟"
    assert chinese_transcript("第３首（旁白）Ａ Ｂ") == "第3首旁白ab"
    assert chinese_transcript("……") == ""


@given(text=st.text("春眠不覺曉處聞鳥，。 Ａ3(", max_size=20))
def test_a_chinese_transcript_is_normal_once_normalised(text: str) -> None:
    pytest.importorskip("opencc", reason="opencc (extra zh) is not installed")
    once = chinese_transcript(text)
    assert chinese_transcript(once) == once
    assert not re.search(r"\s", once)
