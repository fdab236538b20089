"""The characters of a font: its groups, read directly, and fontTools' table say the same."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

pytest.importorskip("fontTools", reason="fonttools comes with the extra [build]")

from triptych.errors import MediaError
from triptych.media.fonts import SHIPPED_FONT, CodePoints, _of_groups, _of_table, read_faces


def font(codes: dict[int, str], path: Path) -> Path:
    from fontTools.fontBuilder import FontBuilder
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
    expected = CodePoints.of(code for code, glyph in codes.items() if glyph != ".notdef")
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
