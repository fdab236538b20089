"""Tests of `media/pictures/fonts.py`: fonts."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

pytest.importorskip("fontTools", reason="fonttools comes with the extra [build]")


import pytest
from fontTools.fontBuilder import FontBuilder

from triptych.errors import MediaError
from triptych.media.pictures import fonts
from triptych.media.pictures.fonts import (
    SHIPPED_FONT,
    CodePoints,
    _of_groups,
    _of_table,
    complete,
    faces,
    plain_faces,
    read_faces,
    runs,
)


def font(codes: dict[int, str], path: Path) -> Path:
    from fontTools.ttLib.tables._g_l_y_f import Glyph

    made = FontBuilder(1000, isTTF=True)
    made.setupGlyphOrder([".notdef", "box", "ring"])
    made.setupCharacterMap(codes)
    made.setupGlyf({name: Glyph() for name in (".notdef", "box", "ring")})
    made.setupHorizontalMetrics(dict.fromkeys((".notdef", "box", "ring"), (500, 0)))
    made.setupHorizontalHeader()
    made.setupNameTable({"familyName": "Made", "fullName": "Made"})
    made.setupOS2()
    made.setupPost()
    made.save(path)
    return path


@pytest.mark.parametrize(
    ("codes", "grouped"),
    [
        ({0x41: "box", 0x42: "ring", 0x44: "box"}, False),  # a font of the basic plane has no groups
        ({0x4E00: "box", 0x4E01: ".notdef", 0x4E02: "box", 0x20000: "ring", 0x20001: "ring"}, True),
        ({0x41: ".notdef", 0x20000: "box"}, True),
        ({0x10FFFF: "box", 0x1F600: "box", 0x41: "box"}, True),
    ],
)
def test_groups_and_table_give_the_same_characters(codes: dict[int, str], grouped: bool, tmp_path: Path) -> None:
    from fontTools.ttLib import TTFont

    path = font(codes, tmp_path / "made.ttf")
    opened = TTFont(io.BytesIO(path.read_bytes()), lazy=True)
    expected = CodePoints.from_codes(code for code, glyph in codes.items() if glyph != ".notdef")
    assert _of_table(opened) == expected
    assert _of_groups(opened.reader["cmap"]) == (expected if grouped else None)
    assert read_faces(path)[0].characters == expected


def test_the_shipped_font_has_the_same_characters_by_its_table() -> None:
    from fontTools.ttLib import TTFont

    with TTFont(SHIPPED_FONT, lazy=True) as opened:
        assert read_faces(SHIPPED_FONT)[0].characters == _of_table(opened)


@pytest.mark.parametrize("cut", [1, 40, 400])
def test_a_font_whose_character_map_is_damaged_is_refused_or_read(cut: int, tmp_path: Path) -> None:
    path = font({0x4E00: "box", 0x20000: "ring"}, tmp_path / "made.ttf")
    content = bytearray(path.read_bytes())
    at = content.index(b"cmap")
    content[at + 8 : at + 12] = (len(content) - cut).to_bytes(4, "big")  # the table's offset
    path.write_bytes(bytes(content))
    try:
        assert read_faces(path)
    except MediaError as error:
        assert "not a valid font" in str(error)


def test_each_character_takes_the_first_font_that_has_it(font):
    one, two = font("One", "ab"), font("Two", "bcd")
    assert [(text, face.name) for text, face in runs("abcdab", [one, two])] == [
        ("ab", "One"),
        ("cd", "Two"),
        ("ab", "One"),
    ]
    assert complete("bc", [one, two]) == [two]


def test_what_is_no_font_is_refused(tmp_path):
    for content in (b"", b"ttcf", b"ttcf\0\1\0\0\xff\xff\xff\xff", b"\0\1\0\0" + b"\xff" * 40, b"%PDF-1.4"):
        (tmp_path / "bad.ttf").write_bytes(content)
        with pytest.raises(MediaError):
            read_faces(tmp_path / "bad.ttf")
    with pytest.raises(MediaError, match="can't be read"):
        faces([tmp_path / "none.ttf"])


def test_a_plain_text_is_drawn_alike_whatever_fonts_the_machine_has(font, monkeypatch):
    monkeypatch.setattr(fonts, "system_faces", lambda: (font("Other", "abc龘"),))
    assert [face.name for face in plain_faces("abc")] == ["Triptych CJK"]
    assert [face.name for face in plain_faces("abc龘")] == ["Triptych CJK", "Other"]


def test_the_font_that_ships_has_the_common_characters_and_its_licence_beside_it():
    """GB 2312 by the rows of its standard; as an oracle for traditional Chinese, characters of other standards."""
    (own,) = read_faces(SHIPPED_FONT)
    rows = [bytes([row, cell]) for row in range(0xB0, 0xF8) for cell in range(0xA1, 0xFF)]
    simplified = "".join(code.decode("gb2312", "ignore") for code in rows)
    assert len(simplified) == 6_763
    assert not [sign for sign in simplified + "龍鳳戲臺鐘樂禮壽鬱體國學這裏裡麼様気伝滝" if not own.has_glyph(sign)]
    assert not [sign for sign in "，。！？；：、“”‘’（）《》【】『』「」—…·～　" if not own.has_glyph(sign)]
    assert "SIL OPEN FONT LICENSE Version 1.1" in (SHIPPED_FONT.parent / "OFL.txt").read_text(encoding="utf-8")
    assert SHIPPED_FONT.stat().st_size < 3_500_000
