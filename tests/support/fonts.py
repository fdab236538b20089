"""A font made here, for tests of pages and figures that must not depend on the fonts of this machine."""

from __future__ import annotations

from pathlib import Path


def make_font(place: Path, family: str, characters: str) -> Path:
    """A TrueType font in which each of these characters is a square. Each test takes a family name of its own:
    matplotlib keeps the first font of a name for the rest of the process."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    pen.moveTo((100, 0))
    for corner in ((100, 800), (900, 800), (900, 0)):
        pen.lineTo(corner)
    pen.closePath()
    names = [".notdef", *(f"uni{ord(sign):04X}" for sign in characters)]
    font = FontBuilder(1000, isTTF=True)
    font.setupGlyphOrder(names)
    font.setupCharacterMap({ord(sign): name for sign, name in zip(characters, names[1:], strict=True)})
    font.setupGlyf(dict.fromkeys(names, pen.glyph()))
    font.setupHorizontalMetrics(dict.fromkeys(names, (1000, 100)))
    font.setupHorizontalHeader(ascent=800, descent=-200)
    font.setupNameTable({"familyName": family, "styleName": "Regular"})
    font.setupOS2()
    font.setupPost()
    font.save(place)
    return place
