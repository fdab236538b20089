"""Error rates by hand, and against jiwer."""

from __future__ import annotations

from math import inf
from pathlib import Path

import jiwer
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.metrics.text.test_resegmentation import talks
from triptych.metrics.error_rate import (
    METRICS,
    character_errors,
    error_rate,
    ocr_rates,
    spaced_character_errors,
    word_errors,
)
from triptych.metrics.text.normalise import english

TEXTS = st.text("ab春风雨", max_size=12)
WORDS = st.lists(st.sampled_from(["a", "bc", "the", "The", "cat"]), max_size=10).map(" ".join)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("春眠不觉晓", "春眠不觉", (1, 5)),
        ("ab", "", (2, 2)),
        ("", "ab", (2, 0)),
        ("", "", (0, 0)),
        ("a b", "ab", (1, 3)),
    ],
)
def test_characters_by_hand(reference: str, hypothesis: str, expected: tuple[int, int]) -> None:
    assert character_errors(reference, hypothesis) == expected


def test_words_by_hand() -> None:
    assert word_errors("the cat sat", "the  cat\nsits down") == (2, 3)
    assert word_errors(["new york"], ["new york"]) == (0, 1)  # words that were split elsewhere
    assert word_errors("", "") == (0, 0)


def test_blanks_between_characters_halve_a_substitution() -> None:
    assert character_errors("春眠", "春风") == (1, 2)
    assert spaced_character_errors("春眠", "春风") == (1, 3)  # "春 眠", "春 风"
    assert spaced_character_errors("春眠", "春") == (2, 3)  # a character and its blank
    assert spaced_character_errors("", "春") == (1, 0)


@given(st.lists(st.tuples(TEXTS.filter(bool), TEXTS), min_size=1, max_size=5))
def test_pooled_character_errors_equal_jiwers(pairs: list[tuple[str, str]]) -> None:
    references, hypotheses = map(list, zip(*pairs, strict=True))
    for function, spread in ((character_errors, "".join), (spaced_character_errors, " ".join)):
        statistics = [function(*pair) for pair in pairs]
        ours = error_rate(sum(e for e, _ in statistics), sum(n for _, n in statistics))
        assert ours == pytest.approx(jiwer.cer([spread(r) for r in references], [spread(h) for h in hypotheses]))


@given(WORDS.filter(bool), WORDS)
def test_word_errors_equal_jiwers(reference: str, hypothesis: str) -> None:
    assert error_rate(*word_errors(reference, hypothesis)) == pytest.approx(jiwer.wer(reference, hypothesis))


def test_a_rate_without_a_reference() -> None:
    assert error_rate(0, 0) == 0
    assert error_rate(2, 0) == inf


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("天地玄黄", "天地玄黄", (1, 1)),
        ("天地玄黄", "天地", (1 / 2, 1 / 2)),
        ("天地玄黄", "天地玄黄宇宙", (1, 1 / 2)),
        ("天地玄黄", "天日玄", (1 / 2, 1 / 2)),
        ("王", "这个字是王字", (1, -4)),
        ("王", "", (0, 0)),
        ("", "王", (0, 0)),
        ("", "", (0, 0)),
        ("ab", "ba", (0, 0)),  # two substitutions; with rapidfuzz's ties it would be (1/2, 0)
    ],
)
def test_ocr_rates_by_hand(reference: str, hypothesis: str, expected: tuple[float, float]) -> None:
    assert ocr_rates(reference, hypothesis) == pytest.approx(expected)


@given(TEXTS, TEXTS)
def test_ocr_rates_have_bounds_and_order(reference: str, hypothesis: str) -> None:
    right, accurate = ocr_rates(reference, hypothesis)
    assert accurate <= right
    assert 0 <= right <= 1
    assert (accurate == 1) == (reference == hypothesis != "")
    if reference:
        assert accurate <= 1 - error_rate(*character_errors(reference, hypothesis)) + 1e-12


def test_the_registry_says_what_is_pooled() -> None:
    assert {m.id: m.statistics[1] for m in METRICS} == {
        "cer": "reference characters",
        "cer.spaced": "reference characters and blanks",
        "cer.mean": "units",
        "wer": "reference words",
        "cr": "units",
        "ar": "units",
    }


ENGLISH = ("audio_short_en_fixed_phi_multimodal_output.xml", "MCIFrecon.short.en.ref.xml", "ASR")


def test_the_published_word_error_rate_follows_from_the_released_output(shared_data: Path) -> None:
    found = talks(shared_data / "mcif", *ENGLISH)
    counts = [word_errors(english(" ".join(lines)), english(text)) for text, lines in found]
    rate = error_rate(sum(e for e, _ in counts), sum(n for _, n in counts))
    assert round(100 * rate, 1) == 6.8
