"""Tests of `reports/html/fonts.py`: chinese for readers without a Chinese font."""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

import pytest

from tests.support.fonts import make_font
from triptych.reports.html.fonts import FAMILY, font_face
from triptych.reports.plots.text_style import TOKENS


def test_chinese_comes_along_as_a_font_of_its_characters(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from fontTools.ttLib import TTFont

    monkeypatch.setenv("TRIPTYCH_FONT", str(make_font(tmp_path / "han.ttf", "Han of a page", "的诗赋\u3002")))
    face = font_face("诗 the Odes 赋\u3002")
    data = base64.b64decode(re.findall(r"base64,([^)]+)", face)[0])
    assert set(TTFont(io.BytesIO(data)).getBestCmap()) == {ord(sign) for sign in "诗赋\u3002"}
    assert font_face("\u3002赋诗") == face and font_face("English") == ""
    assert f'"{FAMILY}", sans-serif' in (TOKENS.read_text(encoding="utf-8"))


def test_the_font_that_ships_is_the_one_that_is_embedded(monkeypatch: pytest.MonkeyPatch) -> None:
    from fontTools.ttLib import TTFont

    monkeypatch.delenv("TRIPTYCH_FONT", raising=False)
    face = font_face("诗 龘")  # the second is rare, and left to the reader's own fonts
    data = base64.b64decode(re.findall(r"base64,([^)]+)", face)[0])
    assert set(TTFont(io.BytesIO(data)).getBestCmap()) == {ord("诗")} and font_face("诗 龘") == face
