"""Chinese for readers without a Chinese font: a subset, with the page's characters, of Triptych's own font.

The variable TRIPTYCH_FONT names another font file, for instance one with rarer characters.
"""

from __future__ import annotations

import base64
import io
import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.reports.plots.text_style import cjk_family, cjk_font
from triptych.reports.tables import words

if TYPE_CHECKING:
    from fontTools.ttLib import TTFont

FAMILY = "Triptych CJK"  # the last of the families in tokens.css before the generic one: a system's own goes first
_CHINESE = re.compile(words.CHINESE)
_NEEDLESS = ["GSUB", "GPOS", "GDEF", "BASE", "vhea", "vmtx", "VORG", "DSIG", "FFTM"]


def font_face(text: str) -> str:
    """Return a CSS rule with a font of the text's Chinese characters; empty without such characters.

    Characters that the font lacks are left to the reader's own fonts. Raises SpecError if TRIPTYCH_FONT is not a font
    with Chinese characters.
    """
    signs = {ord(sign) for sign in _CHINESE.findall(text)}
    if not signs:
        return ""
    cjk_family()  # checks the font
    font = _subset(_face(cjk_font()), signs)
    return (
        f'@font-face{{font-family:"{FAMILY}";font-display:swap;'
        f"src:url(data:font/woff;base64,{base64.b64encode(font).decode()}) format('woff')}}"
    )


def _face(path: Path) -> TTFont:
    """Return the font of a file; of a collection, the face for simplified Chinese if one is marked so."""
    from fontTools.ttLib import TTCollection, TTFont

    if path.suffix.lower() != ".ttc":
        return TTFont(path, lazy=True)
    faces = TTCollection(path, lazy=True).fonts
    return next((face for face in faces if (face["name"].getDebugName(1) or "").endswith(" SC")), faces[0])


def _subset(font: TTFont, signs: set[int]) -> bytes:
    """Return the font with only these characters; the bytes are the same every time."""
    from fontTools import subset

    logging.getLogger("fontTools").setLevel(logging.ERROR)
    options: Any = subset.Options()
    options.layout_features, options.name_IDs, options.hinting, options.notdef_outline = [], [], False, False
    options.drop_tables += _NEEDLESS
    maker = subset.Subsetter(options)
    maker.populate(unicodes=signs)
    maker.subset(font)
    font.flavor = "woff"
    font["head"].modified = font["head"].created
    font.recalcTimestamp = False
    out = io.BytesIO()
    font.save(out)
    return out.getvalue()
