"""Pictures: words on paper (lines, or columns from right to left), small icons, scenes, faces."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from triptych.errors import TriptychError

# Only needed to draw Chinese; Debian: fonts-wqy-microhei or fonts-noto-cjk. The mini sets' pictures are pinned by hash
# and were drawn with the first of these: the package's own font (triptych.media.pictures.fonts) would draw other bytes.
CHINESE_FONTS = (
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
)
PAPER, INK = "#fbf7ee", "#1b1b1b"
COLOURS = {"red": "#d62828", "blue": "#1d4ed8", "green": "#15803d", "yellow": "#facc15"}


def words(text: str, size: tuple[int, int] = (384, 192)) -> Image.Image:
    """English words, large and centred."""
    picture, pen = _sheet(size)
    lines = "\n".join(textwrap.wrap(text, 18))
    middle = (size[0] / 2, size[1] / 2)
    pen.multiline_text(middle, lines, INK, latin_font(36), anchor="mm", align="center", spacing=10)
    return picture


def chinese_lines(text: str) -> Image.Image:
    """Chinese in one or two lines."""
    picture, pen = _sheet((448, 160))
    half = text if len(text) <= 9 else text[: (len(text) + 1) // 2] + "\n" + text[(len(text) + 1) // 2 :]
    pen.multiline_text((224, 80), half, INK, chinese_font(44), anchor="mm", spacing=12)
    return picture


def chinese_columns(text: str, most: int = 6) -> Image.Image:
    """Chinese top to bottom in columns from right to left, as even as can be; punctuation is left out."""
    kept = "".join(c for c in text if c.isalnum())
    tall = -(-len(kept) // -(-len(kept) // most))
    columns = [kept[i : i + tall] for i in range(0, len(kept), tall)]
    cell, margin = 52, 24
    picture, pen = _sheet((max(160, len(columns) * (cell + 22) + 2 * margin), tall * cell + 2 * margin))
    for column, characters in enumerate(columns):
        x = picture.width - margin - (column + 0.5) * (cell + 22)
        for row, character in enumerate(characters):
            pen.text((x, margin + (row + 0.5) * cell), character, INK, chinese_font(44), anchor="mm")
    return picture


def shape(colour: str, kind: str) -> Image.Image:
    """One plain shape in the middle."""
    picture, pen = _sheet((192, 192))
    fill = COLOURS[colour]
    match kind:
        case "circle":
            pen.ellipse((40, 40, 152, 152), fill=fill)
        case "square":
            pen.rectangle((44, 44, 148, 148), fill=fill)
        case "triangle":
            pen.regular_polygon((96, 106, 70), 3, fill=fill)
        case "star":
            pen.polygon(_star(96, 98, 70, 28), fill=fill)
        case _:
            raise TriptychError("no such shape", got=kind, where=__name__)
    return picture


def icon(name: str, size: int = 160) -> Image.Image:
    """One of the small drawings: bell, rain, engine, knocks, whistle."""
    picture, pen = _sheet((160, 160))
    _ICONS[name](pen)
    return picture.resize((size, size))


def row_of_icons(names: Sequence[str]) -> Image.Image:
    """Icons side by side, in the order given from left to right."""
    strip = Image.new("RGB", (128 * len(names), 128), PAPER)
    for place, name in enumerate(names):
        strip.paste(icon(name, 128), (128 * place, 0))
    return strip


def pitch_curve(start: float, end: float) -> Image.Image:
    """A line over time; height (0 low, 1 high) is pitch."""
    picture, pen = _sheet((192, 144))
    pen.line((20, 10, 20, 128, 182, 128), fill="#777777", width=2)
    pen.line((28, 120 - 100 * start, 176, 120 - 100 * end), fill=COLOURS["blue"], width=8)
    return picture


def cover(title: str, colour: str) -> Image.Image:
    """A record sleeve or a poster: a title over a plain ground."""
    picture = Image.new("RGB", (256, 256), colour)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((12, 12, 243, 243), outline="white", width=3)
    lines = "\n".join(textwrap.wrap(title, 13))
    pen.multiline_text((128, 128), lines, "white", latin_font(34), anchor="mm", align="center", spacing=12)
    return picture


def face(mouth: float, brows: float, caption: str, shift: int = 0) -> Image.Image:
    """A face with what it says below. mouth: -1 sad to 1 glad; brows: 1 angry (inner ends down) to -1 afraid."""
    picture, pen = _sheet((256, 208))
    x, y = 128, 70 + shift
    pen.ellipse((x - 58, y - 58, x + 58, y + 58), fill="#f6d27a", outline=INK, width=3)
    for side in (-1, 1):
        pen.ellipse((x + side * 22 - 6, y - 14, x + side * 22 + 6, y - 2), fill=INK)
        inner, outer = (x + side * 12, y - 26 + 8 * brows), (x + side * 36, y - 26 - 8 * brows)
        pen.line((*inner, *outer), fill=INK, width=5)
    curve = [(x + dx, y + 28 + mouth * 14 * (1 - (dx / 30) ** 2)) for dx in range(-30, 31, 5)]
    pen.line(curve, fill=INK, width=5)
    lines = "\n".join(textwrap.wrap(caption, 22))
    pen.multiline_text((128, 172), lines, INK, latin_font(22), anchor="mm", align="center")
    return picture


def slide(lines: Sequence[str], number: int) -> Image.Image:
    """A slide of a talk: the first line as its title, the others below, the number in the corner."""
    picture, pen = _sheet((384, 216))
    pen.rectangle((0, 0, 384, 56), fill=COLOURS["blue"])
    pen.text((16, 28), lines[0], "white", latin_font(22), anchor="lm")
    for row, line in enumerate(lines[1:]):
        pen.text((16, 88 + 34 * row), line, INK, latin_font(20), anchor="lm")
    pen.text((370, 200), str(number), "#777777", latin_font(14), anchor="rm")
    return picture


def flash(on: bool) -> Image.Image:
    """A lamp, lit or dark."""
    picture = Image.new("RGB", (96, 96), "#101010")
    ImageDraw.Draw(picture).ellipse((24, 24, 72, 72), fill="#ffe45c" if on else "#2a2a2a")
    return picture


def car(position: float, size: float) -> Image.Image:
    """A street with one car. position: 0 left edge to 1 right edge; size: 1 is near."""
    picture = Image.new("RGB", (192, 112), "#b9d7ea")
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 70, 192, 112), fill="#6b6b6b")
    x, y, s = 192 * position, 84.0, 30 * size
    pen.rectangle((x - s, y - 0.5 * s, x + s, y), fill=COLOURS["red"])
    pen.rectangle((x - 0.55 * s, y - s, x + 0.55 * s, y - 0.5 * s), fill="#8f1d1d")
    for wheel in (-0.55, 0.55):
        centre = x + wheel * s
        pen.ellipse((centre - 0.24 * s, y - 0.24 * s, centre + 0.24 * s, y + 0.24 * s), fill="black")
    return picture


@cache
def latin_font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The font that Pillow carries: the same on every machine."""
    return ImageFont.load_default(size)


@cache
def chinese_font(size: int) -> ImageFont.FreeTypeFont:
    """The first Chinese font found."""
    for file in CHINESE_FONTS:
        if Path(file).exists():
            return ImageFont.truetype(file, size)
    fix = "apt-get install fonts-wqy-microhei"
    raise TriptychError("no Chinese font found", expected=" or ".join(CHINESE_FONTS), fix=fix)


def _sheet(size: tuple[int, int]) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    picture = Image.new("RGB", size, PAPER)
    return picture, ImageDraw.Draw(picture)


def _star(x: float, y: float, outer: float, inner: float) -> list[tuple[float, float]]:
    from math import cos, pi, sin

    radii = [outer if i % 2 == 0 else inner for i in range(10)]
    return [(x + r * sin(i * pi / 5), y - r * cos(i * pi / 5)) for i, r in enumerate(radii)]


def _bell(pen: ImageDraw.ImageDraw) -> None:
    pen.pieslice((40, 30, 120, 130), 180, 360, fill="#caa21c")
    pen.polygon([(40, 80), (120, 80), (134, 112), (26, 112)], fill="#caa21c")
    pen.ellipse((68, 106, 92, 130), fill="#7a5f0d")


def _rain(pen: ImageDraw.ImageDraw) -> None:
    for x, y in ((30, 40), (60, 26), (88, 38)):
        pen.ellipse((x, y, x + 50, y + 44), fill="#8a99a8")
    for x in range(40, 130, 18):
        pen.line((x, 92, x - 10, 130), fill=COLOURS["blue"], width=4)


def _engine(pen: ImageDraw.ImageDraw) -> None:
    pen.rectangle((18, 74, 142, 108), fill=COLOURS["red"])
    pen.polygon([(44, 74), (58, 44), (104, 44), (120, 74)], fill="#8f1d1d")
    for x in (34, 98):
        pen.ellipse((x, 94, x + 30, 124), fill="black")


def _knocks(pen: ImageDraw.ImageDraw) -> None:
    pen.rectangle((42, 12, 118, 148), fill="#8b5a2b", outline=INK, width=3)
    pen.rectangle((54, 26, 106, 70), outline=INK, width=2)
    pen.rectangle((54, 84, 106, 136), outline=INK, width=2)
    pen.ellipse((100, 74, 112, 86), fill="#facc15")


def _whistle(pen: ImageDraw.ImageDraw) -> None:
    pen.ellipse((24, 56, 96, 128), fill="#9aa4ad", outline=INK, width=3)
    pen.rectangle((60, 56, 142, 82), fill="#9aa4ad", outline=INK, width=3)
    pen.ellipse((48, 80, 72, 104), fill=INK)


_ICONS = {"bell": _bell, "rain": _rain, "engine": _engine, "knocks": _knocks, "whistle": _whistle}
