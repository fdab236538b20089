"""Pictures in the manner of Chinese classical studies, drawn by us: pages of old books, scrolls, seals, oracle bones,
paintings, vessels, woodcuts. Text runs from top to bottom, in columns from right to left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from tools.mini.pictures import chinese_font

# Where a style's font may lie (Debian: fonts-arphic-ukai, fonts-arphic-uming). Without it any Chinese font will do.
FONT_FOLDER = Path("/usr/share/fonts/truetype/arphic")
FONTS = {"kai": "ukai.ttc", "ming": "uming.ttc"}
PAPER, SILK, INK, RED, BONE = "#f3e9d2", "#d8c49a", "#1c1712", "#b3261e", "#e9dcc0"
Pen = ImageDraw.ImageDraw


@cache
def font(style: str, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The font of a style, or any Chinese font."""
    file = FONT_FOLDER / FONTS[style]
    return ImageFont.truetype(str(file), size) if file.exists() else chinese_font(size)


def columns_of(text: str, tall: int) -> list[str]:
    """The text in columns of so many characters; a line end starts a new one."""
    return [line[i : i + tall] for line in text.split("\n") for i in range(0, len(line), tall)]


def page(text: str, margin: str) -> Image.Image:
    """A page of a printed book: ruled columns in a double frame, the title in the margin at the right."""
    columns = columns_of(text, 12)
    width, height, cell = 70 + 44 * len(columns), 470, 33
    picture, pen = _sheet((width + 30, height))
    pen.rectangle((14, 14, width - 14, height - 14), outline=INK, width=4)
    pen.rectangle((21, 21, width - 21, height - 21), outline=INK, width=1)
    for n, column in enumerate(columns):
        x = width - 35 - 44 * n
        if n:
            pen.line((x, 21, x, height - 21), fill=INK, width=1)
        _column(pen, column, x - 22, 30, cell, "ming", 30)
    _column(pen, margin, width + 6, 60, 24, "ming", 20)
    return picture


def scroll(text: str, colophon: str, ground: str = "paper") -> Image.Image:
    """Writing with a brush font, a small colophon at its left and a red stamp below; `rubbing`: white on black."""
    back, ink = {"paper": (PAPER, INK), "silk": (SILK, INK), "rubbing": ("#181818", "#e8e4da")}[ground]
    columns = columns_of(text, 7)
    width, height = 110 + 74 * len(columns), 500
    picture, pen = _sheet((width, height), back)
    for n, column in enumerate(columns):
        _column(pen, column, width - 58 - 74 * n, 24, 66, "kai", 60, ink)
    _column(pen, colophon, 34, 90, 30, "kai", 27, ink)
    if colophon and ground != "rubbing":
        pen.rectangle((20, 100 + 30 * len(colophon), 48, 128 + 30 * len(colophon)), fill=RED)
    return picture


def seal(text: str, relief: bool) -> Image.Image:
    """A square stamp of four characters, right column first: red on paper (`relief`), or white out of red."""
    picture, pen = _sheet((260, 260), "#fbf6ea")
    pen.rounded_rectangle((20, 20, 240, 240), 12, fill=None if relief else RED, outline=RED, width=9)
    for character, (x, y) in zip(text, ((181, 79), (181, 181), (79, 79), (79, 181)), strict=True):
        pen.text((x, y), character, RED if relief else "#fbf6ea", font("kai", 92), anchor="mm", stroke_width=1)
    return picture


def oracle(name: str) -> Image.Image:
    """An oracle bone character in scratched strokes."""
    picture, pen = _sheet((200, 200), BONE)
    for stroke in _GLYPHS[name]:
        pen.line([(100 + 80 * x, 100 + 80 * y) for x, y in stroke], fill="#3a2a1a", width=7, joint="curve")
    return picture


def seal_script(names: Sequence[str]) -> Image.Image:
    """Seal script: the same shapes in even, round strokes, in one column on paper."""
    picture, pen = _sheet((220, 60 + 150 * len(names)))
    for n, name in enumerate(names):
        for stroke in _GLYPHS[name]:
            points = [(110 + 62 * x, 100 + 150 * n + 62 * y) for x, y in stroke]
            pen.line(points, fill=INK, width=11, joint="curve")
            for x, y in (points[0], points[-1]):
                pen.ellipse((x - 5, y - 5, x + 5, y + 5), fill=INK)
    return picture


def scene(name: str, colophon: str) -> Image.Image:
    """A painting on paper or silk with its inscription at the upper right."""
    picture, pen = _sheet((420, 520), SILK if name in ("lotus", "birds") else PAPER)
    _SCENES[name](pen)
    for n, column in enumerate(columns_of(colophon, 9)):
        _column(pen, column, 394 - 30 * n, 20, 27, "kai", 24)
    pen.rectangle((386, 280, 404, 298), fill=RED)
    return picture


def relic(name: str, label: str) -> Image.Image:
    """A vessel or a ring on grey, with a museum's label below."""
    picture, pen = _sheet((360, 380), "#c9cdd0")
    _RELICS[name](pen)
    pen.rectangle((20, 316, 340, 366), fill="white", outline="#666666")
    pen.text((180, 341), label, INK, font("kai", 22), anchor="mm")
    return picture


def woodcut(name: str, caption: str, book: str = "") -> Image.Image:
    """A book's illustration in black lines, captioned at the upper right, the book's title in the margin."""
    picture, pen = _sheet((380, 460))
    pen.rectangle((12, 12, 340, 448), outline=INK, width=3)
    _WOODCUTS[name](pen)
    for n, column in enumerate(columns_of(caption, 8)):
        _column(pen, column, 318 - 30 * n, 24, 28, "ming", 25)
    _column(pen, book, 360, 40, 24, "ming", 20)
    return picture


def _sheet(size: tuple[int, int], ground: str = PAPER) -> tuple[Image.Image, Pen]:
    picture = Image.new("RGB", size, ground)
    return picture, ImageDraw.Draw(picture)


def _column(pen: Pen, text: str, x: float, top: float, cell: float, style: str, size: int, ink: str = INK) -> None:
    for n, character in enumerate(text):
        pen.text((x, top + cell * (n + 0.5)), character, ink, font(style, size), anchor="mm")


def _circle(radius: float, steps: int = 24) -> list[tuple[float, float]]:
    from math import cos, pi, sin

    return [(radius * cos(2 * pi * n / steps), radius * sin(2 * pi * n / steps)) for n in range(steps + 1)]


_GLYPHS: dict[str, list[list[tuple[float, float]]]] = {
    "日": [_circle(0.75), [(-0.15, 0.0), (0.15, 0.0)]],
    "月": [
        [(-0.3, -0.9), (0.45, -0.5), (0.6, 0.1), (0.25, 0.8), (-0.35, 0.9)],
        [(-0.3, -0.9), (0.1, 0.0), (-0.35, 0.9)],
    ],
    "山": [[(-0.9, 0.7), (-0.6, 0.0), (-0.3, 0.7), (0.0, -0.8), (0.3, 0.7), (0.6, 0.0), (0.9, 0.7), (-0.9, 0.7)]],
    "水": [
        [(0.1, -0.9), (-0.2, -0.4), (0.15, 0.1), (-0.15, 0.5), (0.1, 0.9)],
        [(-0.6, -0.6), (-0.5, -0.2)],
        [(-0.6, 0.2), (-0.5, 0.6)],
        [(0.55, -0.6), (0.65, -0.2)],
        [(0.55, 0.2), (0.65, 0.6)],
    ],
    "木": [[(0.0, -0.9), (0.0, 0.9)], [(-0.7, -0.7), (0.0, -0.1), (0.7, -0.7)], [(-0.6, 0.9), (0.0, 0.3), (0.6, 0.9)]],
    "田": [
        [(-0.7, -0.7), (0.7, -0.7), (0.7, 0.7), (-0.7, 0.7), (-0.7, -0.7)],
        [(0.0, -0.7), (0.0, 0.7)],
        [(-0.7, 0.0), (0.7, 0.0)],
    ],
}


def _mountains(pen: Pen) -> None:
    pen.polygon(
        [(0, 330), (90, 150), (150, 260), (230, 110), (330, 300), (420, 220), (420, 340), (0, 340)], fill="#8c8f88"
    )
    pen.polygon([(0, 350), (60, 250), (140, 340)], fill="#5d625b")
    pen.rectangle((0, 340, 420, 520), fill="#dfd9c4")
    for y in (370, 410, 455, 490):
        pen.line((30, y, 390, y - 4), fill="#b5b19e", width=2)
    pen.polygon([(150, 430), (270, 430), (250, 452), (170, 452)], fill=INK)
    pen.line((210, 430, 210, 385), fill=INK, width=4)
    pen.ellipse((203, 372, 217, 386), fill=INK)


def _bird(pen: Pen, x: float, y: float) -> None:
    pen.ellipse((x - 22, y - 14, x + 18, y + 12), fill="#6b3f1d")
    pen.ellipse((x + 10, y - 24, x + 32, y - 4), fill="#6b3f1d")
    pen.polygon([(x + 31, y - 16), (x + 42, y - 12), (x + 31, y - 9)], fill="#d8a31a")
    pen.polygon([(x - 20, y - 4), (x - 46, y - 14), (x - 40, y + 6)], fill="#4a2b12")
    pen.ellipse((x + 20, y - 18, x + 24, y - 14), fill="white")


def _birds(pen: Pen) -> None:
    pen.line((0, 420, 120, 360, 330, 330, 420, 250), fill="#4d3a26", width=12)
    pen.line((200, 348, 250, 440, 300, 470), fill="#4d3a26", width=8)
    for x, y in ((90, 350), (190, 325), (290, 310), (255, 415), (120, 180)):
        _bird(pen, x, y)


def _lotus(pen: Pen) -> None:
    for x, y, r in ((120, 400, 80), (300, 430, 70)):
        pen.line((x, y, x + 10, 520), fill="#2f5d34", width=6)
        pen.ellipse((x - r, y - r / 2, x + r, y + r / 2), fill="#3f7d45", outline="#214a27", width=3)
    for x, y in ((180, 230), (290, 300)):
        pen.line((x, y, x, 520), fill="#2f5d34", width=5)
        for dx in (-42, -20, 0, 20, 42):
            pen.polygon(
                [(x, y + 20), (x + dx - 14, y - 26), (x + dx * 1.3, y - 64), (x + dx + 14, y - 26)],
                fill="#e58fa6",
                outline="#a83c5c",
            )


def _bamboo(pen: Pen) -> None:
    for x in (110, 180, 260):
        for y in range(500, 60, -70):
            pen.line((x, y, x + 4, y - 64), fill=INK, width=10)
    for x, y in ((110, 220), (180, 150), (260, 260), (190, 340), (265, 120)):
        for dx, dy in ((60, 34), (70, 8), (-58, 34), (-66, 6)):
            pen.polygon(
                [(x, y), (x + dx / 2, y + dy / 2 - 8), (x + dx, y + dy), (x + dx / 2, y + dy / 2 + 8)], fill=INK
            )


def _ding(pen: Pen) -> None:
    for x in (120, 180, 240):
        pen.rectangle((x - 12, 210, x + 12, 296), fill="#4f6b54")
    pen.pieslice((80, 60, 280, 270), 0, 180, fill="#5f7f66")
    pen.rectangle((76, 140, 284, 172), fill="#5f7f66")
    for x in (92, 240):
        pen.rectangle((x, 84, x + 30, 144), outline="#4f6b54", width=9)
    for x in range(100, 270, 28):
        pen.rectangle((x, 182, x + 16, 198), outline="#2f4636", width=3)


def _ring(pen: Pen) -> None:
    pen.ellipse((70, 50, 290, 270), fill="#9dbf9a", outline="#55775a", width=4)
    pen.ellipse((140, 120, 220, 200), fill="#c9cdd0", outline="#55775a", width=4)
    for x, y in ((180, 86), (106, 160), (254, 160), (180, 234), (126, 108), (234, 108), (126, 212), (234, 212)):
        pen.arc((x - 11, y - 11, x + 11, y + 11), 40, 320, fill="#55775a", width=3)


def _vase(pen: Pen) -> None:
    pen.polygon(
        [(150, 40), (210, 40), (204, 110), (256, 180), (226, 296), (134, 296), (104, 180), (156, 110)], fill="#f7f8fb"
    )
    pen.line((128, 150, 232, 150), fill="#27479a", width=5)
    pen.line((134, 270, 226, 270), fill="#27479a", width=5)
    for x in (140, 180, 220):
        pen.ellipse((x - 16, 190, x + 16, 222), outline="#27479a", width=5)


def _hut(pen: Pen) -> None:
    pen.line((12, 360, 120, 330, 340, 372), fill=INK, width=3)
    pen.polygon([(50, 260), (110, 190), (170, 260)], outline=INK, width=3)
    pen.rectangle((66, 260, 154, 332), outline=INK, width=3)
    pen.rectangle((98, 286, 124, 332), outline=INK, width=2)
    for x in (200, 236):
        pen.line((x, 345, x, 240), fill=INK, width=5)
        for dy in (0, 24, 48):
            pen.arc((x - 36, 205 + dy, x + 36, 262 + dy), 180, 360, fill=INK, width=3)
    for y in (390, 410, 430):
        pen.line((30, y, 320, y), fill=INK, width=1)


def _person(pen: Pen, x: float, y: float) -> None:
    pen.ellipse((x - 20, y - 100, x + 20, y - 60), outline=INK, width=3)
    pen.polygon([(x, y - 60), (x - 46, y + 60), (x + 46, y + 60)], outline=INK, width=3)
    pen.line((x - 14, y - 40, x - 50, y), fill=INK, width=3)
    pen.line((x + 14, y - 40, x + 50, y), fill=INK, width=3)


def _angler(pen: Pen) -> None:
    _person(pen, 110, 290)
    pen.polygon([(74, 200), (110, 172), (146, 200)], fill=INK)
    pen.line((156, 290, 268, 200, 268, 400), fill=INK, width=2)
    pen.polygon([(50, 350), (190, 350), (170, 384), (70, 384)], outline=INK, width=3)
    for y in (396, 414, 432):
        pen.line((24, y, 330, y), fill=INK, width=1)


def _herb(pen: Pen) -> None:
    pen.line((150, 430, 150, 160), fill=INK, width=4)
    for y in (360, 300, 240, 190):
        for side in (-1, 1):
            pen.polygon(
                [(150, y), (150 + side * 50, y - 44), (150 + side * 96, y - 30), (150 + side * 52, y - 10)],
                outline=INK,
                width=2,
            )
    for dx in (-60, -25, 25, 60):
        pen.line((150, 425, 150 + dx, 444), fill=INK, width=2)
    for dx, dy in ((0, 130), (-18, 146), (18, 146)):
        pen.ellipse((140 + dx, dy, 160 + dx, dy + 20), outline=INK, width=2)


def _warrior(pen: Pen) -> None:
    _person(pen, 150, 330)
    for dx in (-10, 10):
        pen.arc(
            (130 + dx * 4, 130, 170 + dx * 4, 240), 180 if dx < 0 else 230, 310 if dx < 0 else 360, fill=INK, width=3
        )
    pen.line((204, 150, 204, 420), fill=INK, width=4)
    pen.polygon([(204, 120), (192, 156), (216, 156)], fill=INK)
    pen.arc((206, 150, 246, 200), 270, 90, fill=INK, width=6)


def _monkey(pen: Pen) -> None:
    _person(pen, 150, 320)
    for side in (-1, 1):
        pen.ellipse((150 + side * 24 - 8, 228, 150 + side * 24 + 8, 248), outline=INK, width=3)
    pen.arc((130, 214, 170, 250), 190, 350, fill=INK, width=5)
    pen.line((196, 322, 290, 190), fill=INK, width=7)
    for x, y in ((60, 420), (130, 430), (220, 420), (290, 432)):
        pen.polygon([(x - 24, y), (x, y - 54), (x + 10, y - 20), (x + 24, y)], outline=INK, width=2)


_SCENES: dict[str, Callable[[Pen], None]] = {
    "mountains": _mountains,
    "birds": _birds,
    "lotus": _lotus,
    "bamboo": _bamboo,
}
_RELICS: dict[str, Callable[[Pen], None]] = {"ding": _ding, "ring": _ring, "vase": _vase}
_WOODCUTS: dict[str, Callable[[Pen], None]] = {
    "hut": _hut,
    "angler": _angler,
    "herb": _herb,
    "warrior": _warrior,
    "monkey": _monkey,
}
