"""Pictures of text: the right font for each character, no box for a missing one, lines, columns, noise, perspective."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from fontTools.pens.ttGlyphPen import TTGlyphPen
from hypothesis import given
from hypothesis import strategies as st

from triptych.errors import MediaError
from triptych.media.pictures import fonts
from triptych.media.pictures.fonts import SHIPPED_FONT, complete, faces
from triptych.media.pictures.text import TextStyle, drawn_look, text_picture, wrapped

# Pixels of ink of a character 100 pixels high, drawn with NotoSansCJK-Regular.ttc 2.004, face 2.
INK = {"一": 728, "国": 3449, "體": 4085, "鬱": 3655, "g": 1708, "8": 1454, "é": 1303, "Ж": 2140, "あ": 2393}


def _square(left: int, right: int) -> object:
    pen = TTGlyphPen(None)
    pen.moveTo((left, 0))
    for point in ((left, 700), (right, 700), (right, 0)):
        pen.lineTo(point)
    pen.closePath()
    return pen.glyph()


def test_a_character_that_leads_to_the_missing_glyph_is_not_had(font):
    face = font("One", "ab", boxed="c")
    assert [face.has_glyph(c) for c in "abc "] == [True, True, False, True]
    assert face.name == "One"


def test_a_character_that_no_font_has_is_an_error_and_never_a_box(font):
    with pytest.raises(MediaError, match="no font has the character 'z'") as error:
        text_picture("abz", [font("One", "ab")], TextStyle(), Random(1))
    assert "U+007A" in str(error.value) and "One" in str(error.value) and error.value.fix


def test_the_font_that_ships_draws_chinese_and_english_where_the_machine_has_no_font(monkeypatch):
    monkeypatch.setattr(fonts, "system_faces", lambda: ())
    text = "汉语诗词，漢語詩詞。“What a day!” – café, 北京 Běijīng: 5 × 3 ≤ 15 → ①"
    (own,) = faces()
    assert own.path == SHIPPED_FONT and complete(text, faces()) == [own]
    assert _inked(text_picture(text, faces(), TextStyle(), Random(1))).sum() > 2_000


def test_its_strokes_are_those_of_the_source():
    """A glyph lost on the way, or turned inside out, has another share of ink: counted in Noto Sans CJK SC itself."""
    drawn = {
        sign: _inked(text_picture(sign, faces([SHIPPED_FONT]), TextStyle(size=100), Random(1))).sum() for sign in INK
    }
    assert all(abs(drawn[sign] - ink) < 0.06 * ink for sign, ink in INK.items()), drawn


def _inked(image) -> np.ndarray:
    return np.asarray(image.convert("L")) < 100


def test_as_many_squares_are_drawn_as_the_text_has_letters(font):
    plain = TextStyle(size=20, width=100)
    image = text_picture("aba ab", [font("One", "ab")], plain, Random(1))
    rows = _inked(image).any(axis=0)
    assert int((np.diff(rows.astype(int)) == 1).sum()) == 5


def test_columns_run_from_right_to_left_without_punctuation(font):
    face = font("One", "ab,")
    image = text_picture("aba,bab", [face], TextStyle(size=20, width=8, columns=True), Random(1))
    ink = _inked(image)
    columns = np.flatnonzero(np.diff(ink.any(axis=0).astype(int)) == 1)
    assert len(columns) == 2
    heights = [int(ink[:, x + 1 : x + 16].any(axis=1).sum()) for x in columns]
    assert heights == sorted(heights), "the last, shorter column is on the left"
    assert (
        text_picture("aba,bab", [face], TextStyle(columns=True), Random(1)).size
        == text_picture("ababab", [face], TextStyle(columns=True), Random(1)).size
    )


def test_the_same_draw_gives_the_same_picture_and_another_one_another(font):
    face = font("One", "ab")
    look = drawn_look(Random(7), kinds=["handwritten"], sizes=(20, 20), tilt=0.1, noise=9)
    first, again, other = (text_picture("abba", [face], look, Random(seed)).tobytes() for seed in (1, 1, 2))
    assert first == again != other


def test_a_text_without_visible_characters_and_one_that_is_too_long_are_refused(font):
    face = font("One", "ab")
    for text in ("", " \n", "a" * 4001):
        with pytest.raises(MediaError):
            text_picture(text, [face], TextStyle(), Random(1))


@given(st.text(st.sampled_from("ab cdé,。今天，气 \n"), max_size=60), st.floats(3, 20))
def test_lines_hold_the_whole_text_within_the_width(text, most):
    lines = wrapped(text, most)
    assert "".join("".join(lines).split()) == "".join(text.split())
    if not set(text) & set(",。，"):  # a closing mark may be outside
        widths = [sum(1.0 if c in "今天气" else 0.55 for c in line) for line in lines]
        assert all(width <= most or " " not in line for width, line in zip(widths, lines, strict=True))


def test_no_line_begins_with_a_closing_mark():
    assert wrapped("今天天气，很好。", 4) == ["今天天气，", "很好。"]
