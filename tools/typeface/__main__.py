"""Make the font: `python -m tools.typeface NotoSansCJK-Regular.ttc [FILE]`."""

from __future__ import annotations

import hashlib
import logging
import sys
from pathlib import Path
from typing import Any

from triptych.errors import TriptychError
from triptych.media.pictures.fonts import SHIPPED_FONT

SOURCE = "2.004"  # of the font; its digest below is that of Debian's file
SHA256 = "b76b0433203017ca80401b2ee0dd69350349871c4b19d504c34dbdd80541690a"
FAMILY = "Triptych CJK"
FACE = "Noto Sans CJK SC"
# Latin with its accents, phonetic signs, Greek, Cyrillic, pinyin, punctuation, currencies, arrows, mathematics,
# numbers in circles, lines and blocks, shapes, Chinese punctuation, bopomofo, full-width forms.
RANGES = (
    (0x20, 0x7E),
    (0xA0, 0x24F),
    (0x250, 0x2FF),
    (0x300, 0x36F),
    (0x370, 0x3FF),
    (0x400, 0x45F),
    (0x1E00, 0x1EFF),
    (0x2000, 0x206F),
    (0x2070, 0x209C),
    (0x20A0, 0x20BF),
    (0x2100, 0x214F),
    (0x2150, 0x218B),
    (0x2190, 0x21FF),
    (0x2200, 0x22FF),
    (0x2460, 0x24FF),
    (0x2500, 0x257F),
    (0x2580, 0x259F),
    (0x25A0, 0x25FF),
    (0x2600, 0x2667),
    (0x2713, 0x2717),
    (0x3000, 0x303F),
    (0x3041, 0x30FF),
    (0x3105, 0x312F),
    (0xFF01, 0xFFEE),
)
LINE = (960, -240)  # the source's is 1160 and -288: a picture of one line would have more room above than below
ERROR = 1.5  # how far a curve may move, in units of 1,000 of a letter's height


def characters() -> set[int]:
    """The code points that the font has, where the source has them."""
    common = {code for first, last in RANGES for code in range(first, last + 1)}
    simplified = coded("gb2312", range(0xA1, 0xF8))
    return (
        common
        | simplified
        | traditional(simplified)
        | coded("big5", range(0xA1, 0xC7))
        | coded("euc_jp", range(0xA1, 0xD0))
    )


def traditional(simplified: set[int]) -> set[int]:
    """The traditional forms of simplified characters: those of the tables in general, of Taiwan and of Hong Kong."""
    from opencc import OpenCC

    text = "".join(map(chr, sorted(simplified)))
    return {ord(sign) for table in ("s2t", "s2tw", "s2hk") for sign in OpenCC(table).convert(text)}


def coded(encoding: str, rows: range) -> set[int]:
    """The code points of some rows of an encoding with two bytes."""
    found = (bytes([row, cell]).decode(encoding, "ignore") for row in rows for cell in range(0x40, 0xFF))
    return {ord(sign) for text in found for sign in text if ord(sign) > 0x7F}


def made(source: Path) -> Any:
    """The subset of the source's face, with TrueType's outlines and a name of its own."""
    from fontTools import subset
    from fontTools.ttLib import TTCollection

    logging.getLogger("fontTools").setLevel(logging.ERROR)
    (font,) = (face for face in TTCollection(source).fonts if face["name"].getDebugName(4) == FACE)
    options = subset.Options(
        layout_features=[],
        hinting=False,
        notdef_outline=True,
        name_IDs=[0, 1, 2, 4, 5, 6, 13, 14],
    )
    options.drop_tables += ["BASE", "GSUB", "GPOS", "GDEF", "VORG", "vhea", "vmtx", "DSIG"]
    maker = subset.Subsetter(options)
    maker.populate(unicodes=characters())
    maker.subset(font)
    to_truetype(font)
    name(font)
    font["hhea"].ascent, font["hhea"].descent = LINE
    return font


def to_truetype(font: Any) -> None:
    """Replace cubic outlines by quadratic ones."""
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib import newTable

    glyphs, order = font.getGlyphSet(), font.getGlyphOrder()
    drawn = {}
    for glyph in order:
        pen = TTGlyphPen(glyphs)
        glyphs[glyph].draw(Cu2QuPen(pen, ERROR * font["head"].unitsPerEm / 1000, reverse_direction=True))
        drawn[glyph] = pen.glyph()
    font["loca"], font["glyf"] = newTable("loca"), newTable("glyf")
    font["glyf"].glyphOrder, font["glyf"].glyphs = order, drawn
    del font["CFF "]
    for glyph in order:
        width, _ = font["hmtx"][glyph]
        drawn[glyph].recalcBounds(font["glyf"])
        font["hmtx"][glyph] = (width, getattr(drawn[glyph], "xMin", 0))
    font["maxp"].tableVersion = 0x00010000
    for field in (
        "maxZones",
        "maxTwilightPoints",
        "maxStorage",
        "maxFunctionDefs",
        "maxInstructionDefs",
        "maxStackElements",
        "maxSizeOfInstructions",
        "maxComponentElements",
    ):
        setattr(font["maxp"], field, 0)
    font["maxp"].maxZones = 1
    font["post"].formatType = 3.0
    font.sfntVersion = "\000\001\000\000"


def name(font: Any) -> None:
    """Give the font its own name; copyright and licence stay."""
    kept = {number: font["name"].getDebugName(number) for number in (0, 5, 13, 14)}
    font["name"].names = []
    own = {1: FAMILY, 2: "Regular", 4: FAMILY, 6: FAMILY.replace(" ", "") + "-Regular"}
    for number, text in sorted((kept | own).items()):
        font["name"].setName(text, number, 3, 1, 0x409)


def main(arguments: list[str]) -> None:
    source, to = Path(arguments[0]), Path(arguments[1]) if arguments[1:] else SHIPPED_FONT
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    if digest != SHA256:
        raise TriptychError(
            "another source than the one this font was made from", got=digest, expected=SHA256, where=source
        )
    font = made(source)
    font.recalcTimestamp = False  # the same bytes every time
    font.save(to)
    print(f"{to}: {to.stat().st_size:,} bytes, {len(font.getBestCmap()):,} characters")


if __name__ == "__main__":
    main(sys.argv[1:])
