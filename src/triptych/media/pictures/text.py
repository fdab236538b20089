"""Pictures of text, Chinese and English: printed or like handwriting, in lines or columns, with noise and perspective.

Each character is drawn with a font that has it (`triptych.media.pictures.fonts`); a text that no font can draw is an
error.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from triptych.errors import MediaError
from triptych.media.pictures.fonts import Face, complete, runs

if TYPE_CHECKING:
    from random import Random

    from PIL.Image import Image

MAX_CHARACTERS = 4_000
_LINE_HEIGHT = 1.35
_NOT_FIRST = set("，。！？；：、）】》」』”’,.!?;:)]}%")  # no line begins with one of these
Colour = tuple[int, int, int]


@dataclass(frozen=True)
class TextStyle:
    """How a text is drawn.

    size         height of the letters, pixels
    ink, paper   colours, RGB
    width        of a line, in letters of `size` (a Chinese character is one, an English letter about half)
    columns      from top to bottom, columns from right to left; punctuation is left out
    handwritten  letters vary in height, angle and size
    tilt         perspective: how far corners move, as a share of the picture's side
    noise        standard deviation of the brightness, of 255
    """

    size: int = 32
    ink: Colour = (27, 27, 27)
    paper: Colour = (251, 247, 238)
    width: float = 14.0
    columns: bool = False
    handwritten: bool = False
    tilt: float = 0.0
    noise: float = 0.0


_INKS: tuple[Colour, ...] = ((27, 27, 27), (24, 39, 102), (90, 22, 22), (20, 66, 40))
_PAPERS: tuple[Colour, ...] = ((255, 255, 255), (251, 247, 238), (238, 242, 248), (244, 236, 214))


def drawn_look(draw: Random, *, kinds: Sequence[str], sizes: tuple[int, int], tilt: float, noise: float) -> TextStyle:
    """A Look drawn at random: one of `kinds` (`printed`, `handwritten`, `columns`), at most this tilt and noise."""
    kind = draw.choice(list(kinds))
    return TextStyle(
        draw.randint(*sizes),
        draw.choice(_INKS),
        draw.choice(_PAPERS),
        draw.choice((11.0, 14.0, 18.0)),
        columns=kind == "columns",
        handwritten=kind == "handwritten",
        tilt=draw.uniform(0, tilt),
        noise=draw.uniform(0, noise),
    )


def text_picture(text: str, among: Sequence[Face], look: TextStyle, draw: Random) -> Image:
    """Draw the text; `draw` decides on the font and on everything that varies.

    The font is one of `among` that has all characters; if none has, each character takes the first font that has it.
    Raises MediaError for a text without visible characters or over 4,000 of them, and a character that no font has.
    """
    plain = unicodedata.normalize("NFC", text).strip()
    if look.columns:
        plain = "".join(c for c in plain if c.isalnum())
    if not plain:
        raise MediaError("a text without visible characters can't be drawn", got=repr(text[:80]))
    if len(plain) > MAX_CHARACTERS:
        raise MediaError("the text is too long for a picture", got=len(plain), expected=f"<= {MAX_CHARACTERS}")
    is_complete = complete(plain, among)
    fonts = [draw.choice(is_complete)] if is_complete else list(among)
    image = _columns(plain, fonts, look, draw) if look.columns else _lines(plain, fonts, look, draw)
    return _photographed(image, look, draw)


def wrapped(text: str, max_width: float) -> list[str]:
    """The text in lines of at most `max_width` widths: a wide (Chinese) character counts 1, any other 0.55.

    English is divided at spaces, Chinese between any two characters, but not before a closing mark.
    """
    lines: list[str] = []
    for paragraph in text.splitlines():
        line = ""
        for piece in _pieces(paragraph):
            fits = _breadth((line + piece).rstrip()) <= max_width
            if line and not fits and piece[0] not in _NOT_FIRST:
                lines.append(line.rstrip())
                line = piece.lstrip()
            else:
                line += piece
        lines.append(line.rstrip())
    return [line for line in lines if line] or [""]


def _pieces(paragraph: str) -> list[str]:
    """Words with the space behind them, and wide characters one by one."""
    return re.findall(
        r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+\s*|\s+", paragraph
    )


def _breadth(text: str) -> float:
    return sum(1.0 if unicodedata.east_asian_width(c) in "WF" else 0.55 for c in text)


def _lines(text: str, fonts: Sequence[Face], look: TextStyle, draw: Random) -> Image:
    from PIL import Image

    lines = wrapped(text, look.width)
    step, margin = round(look.size * _LINE_HEIGHT), look.size
    laid = [_line_pieces(line, fonts, look) for line in lines]
    width = max(sum(advance for *_, advance in line) for line in laid)
    image = Image.new("RGB", (round(width) + 2 * margin, step * len(laid) + 2 * margin), look.paper)
    for row, line in enumerate(laid):
        x, slope = float(margin), draw.uniform(-0.02, 0.02) if look.handwritten else 0.0
        for letters, face, advance in line:
            _draw_letters(image, letters, face, (x, margin + row * step + slope * x), look, draw)
            x += advance
    return image


def _line_pieces(line: str, fonts: Sequence[Face], look: TextStyle) -> list[tuple[str, Face, float]]:
    """The line in pieces with their fonts and widths: letters one by one if it is like handwriting."""
    pieces = [(piece, face) for run, face in runs(line, fonts) for piece in (list(run) if look.handwritten else [run])]
    return [(piece, face, float(face.sized_font(look.size).getlength(piece))) for piece, face in pieces]


def _columns(text: str, fonts: Sequence[Face], look: TextStyle, draw: Random) -> Image:
    from PIL import Image

    tall = -(-len(text) // -(-len(text) // max(2, round(look.width / 2))))
    columns = [text[i : i + tall] for i in range(0, len(text), tall)]
    cell, step, margin = round(look.size * 1.15), round(look.size * 1.6), look.size
    image = Image.new("RGB", (step * len(columns) + 2 * margin, cell * tall + 2 * margin), look.paper)
    for number, column in enumerate(columns):
        x = image.width - margin - (number + 1) * step + (step - look.size) / 2
        for row, (character, face) in enumerate((c, f) for run, f in runs(column, fonts) for c in run):
            _draw_letters(image, character, face, (x, margin + row * cell), look, draw)
    return image


def _draw_letters(
    image: Image, letters: str, face: Face, at: tuple[float, float], look: TextStyle, draw: Random
) -> None:
    from PIL import ImageDraw

    if not look.handwritten:
        ImageDraw.Draw(image).text(at, letters, look.ink, face.sized_font(look.size))
        return
    size = max(8, round(look.size * draw.uniform(0.9, 1.08)))
    x, y = at[0], at[1] + look.size * draw.uniform(-0.06, 0.06)
    stamp = _stamp(letters, face.sized_font(size), size, draw.uniform(-7, 7))
    image.paste(look.ink, (round(x - size / 2), round(y - size / 2)), stamp)


def _stamp(letter: str, font: Any, size: int, degrees: float) -> Image:
    """The letter's mask, turned about its middle, with half a letter of room on each side."""
    from PIL import Image, ImageDraw

    mask = Image.new("L", (2 * size + round(font.getlength(letter)), round(2.4 * size)))
    ImageDraw.Draw(mask).text((size / 2, size / 2), letter, 255, font)
    return mask.rotate(degrees, Image.Resampling.BICUBIC)


def _photographed(image: Image, look: TextStyle, draw: Random) -> Image:
    """The picture with perspective and noise."""
    if look.tilt > 0:
        image = _tilted(image, look, draw)
    if look.noise > 0:
        image = _noisy(image, look.noise, draw)
    return image


def _tilted(image: Image, look: TextStyle, draw: Random) -> Image:
    import numpy as np
    from PIL import Image

    width, height = image.size
    sheet = Image.new("RGB", (round(width * (1 + 2 * look.tilt)), round(height * (1 + 2 * look.tilt))), (120, 120, 120))
    left, top = (sheet.width - width) / 2, (sheet.height - height) / 2
    flat = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
    seen = [(left + x + draw.uniform(-left, left), top + y + draw.uniform(-top, top)) for x, y in flat]
    rows, wanted = [], []
    for (u, v), (x, y) in zip(flat, seen, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        wanted += [u, v]
    back = np.linalg.solve(np.array(rows, np.float64), np.array(wanted, np.float64))
    return image.transform(
        sheet.size,
        Image.Transform.PERSPECTIVE,
        [float(value) for value in back],
        Image.Resampling.BICUBIC,
        fillcolor=(120, 120, 120),
    )


def _noisy(image: Image, deviation: float, draw: Random) -> Image:
    import numpy as np
    from PIL import Image

    rng = np.random.default_rng(draw.getrandbits(64))
    grain = rng.standard_normal((image.height, image.width, 1), dtype=np.float32) * deviation
    return Image.fromarray(np.clip(np.asarray(image, np.float32) + grain, 0, 255).astype(np.uint8))
