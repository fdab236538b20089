"""The look of figures: colours, fonts that have the characters, and a fallback for characters that none has."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triptych.errors import SpecError
from triptych.media.pictures.fonts import SHIPPED_FONT, UNSEEN
from triptych.records.harmless import visible
from triptych.reports.tables.words import CHINESE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TOKENS = Path(__file__).parents[1] / "style" / "tokens.css"
SERIES = 8
PARTS = 6
HIGHLIGHTS = 2
DPI = 300  # of images
WIDTH = 4.4  # inches: text stays readable with two plots next to each other, and on a phone
LATIN = "DejaVu Sans"  # comes with matplotlib
FONT_VARIABLE = "TRIPTYCH_FONT"
_CJK = re.compile(f"{CHINESE}+")


@cache
def tokens() -> Mapping[str, tuple[str, str]]:
    """Return the colours by name: (light, dark)."""
    matches = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", TOKENS.read_text(encoding="utf-8"))
    return {name: (light, dark) for name, light, dark in matches}


def colour(name: str) -> str:
    """Return a colour on paper; the page replaces it by its theme's colour."""
    return tokens()[name][0]


def series_colour(number: int) -> str:
    """Return the colour of a series; they repeat after the last, so each series has its name next to it."""
    return colour(f"series-{number % SERIES + 1}")


def part_colour(number: int) -> str:
    """Return the colour of a part that is not a Run: no Run has it; they repeat, with another mark or hatch."""
    return colour(f"part-{number % PARTS + 1}")


def run_colour(name: str, names: Sequence[str]) -> str:
    """Return the colour of a Run among those of a figure. No two Runs have the same: of more than eight, all are
    neutral but those that `highlighting` names, at most two."""
    if len(names) <= SERIES:
        return series_colour(list(names).index(name))
    plain = {_ADDED.sub("", one): one for one in reversed(names)} | {one: one for one in names}
    chosen = [plain[highlighted] for highlighted in _HIGHLIGHTED.get() if highlighted in plain][:HIGHLIGHTS]
    return series_colour(chosen.index(name)) if name in chosen else colour("strong-line")


@contextmanager
def highlighting(names: Sequence[str]) -> Iterator[None]:
    """Give these Runs a colour of their own in figures of more than eight."""
    before = _HIGHLIGHTED.set(tuple(names))
    try:
        yield
    finally:
        _HIGHLIGHTED.reset(before)


@contextmanager
def hiding(hide: Callable[[str], str]) -> Iterator[None]:
    """Draw all texts of figures as `hide` returns them: without what must not be handed on."""
    before = _HIDE.set(hide)
    try:
        yield
    finally:
        _HIDE.reset(before)


_HIDE: ContextVar[Callable[[str], str]] = ContextVar("what hides private texts", default=str)
RESTRICTIONS = ("mini set", "unfinished", "subset", "sample", "other data")  # in the names of Runs in figures
_ADDED = re.compile(rf" \((?:(?:{'|'.join(RESTRICTIONS)})(?:, |(?=\))))+\)$")
_HIGHLIGHTED: ContextVar[tuple[str, ...]] = ContextVar("highlighted Runs", default=())


def theme_rules() -> str:
    """Return CSS that gives a figure's parts the theme's colours: presentation attributes yield to any rule."""
    named = ("ink", "muted", "line", "strong-line", "right", "wrong", "unsure", "lost")
    shown = [name for name in tokens() if name.startswith(("series-", "part-")) or name in named]
    pairs = [(name, part) for name in shown for part in ("fill", "stroke")]
    more = '.figure [fill="#fefefd"]{fill:var(--on-accent)}\n'
    return more + "\n".join(f'.figure [{part}="{colour(name)}"]{{{part}:var(--{name})}}' for name, part in pairs)


def cjk_font() -> Path:
    """Return the font file of Chinese text: the one that the variable TRIPTYCH_FONT names, otherwise Triptych's own."""
    return Path(os.environ.get(FONT_VARIABLE) or SHIPPED_FONT)


def cjk_family() -> str:
    """Return the family of `cjk_font`, known to matplotlib from now on.

    Raises SpecError if the file is not a font, or has no Chinese characters.
    """
    return _family(cjk_font())


@cache
def _family(path: Path) -> str:
    from matplotlib import font_manager

    if ord("的") not in _characters(path):
        raise SpecError(f"the font in {FONT_VARIABLE} has no Chinese characters", got=path)
    font_manager.fontManager.addfont(str(path))
    return str(font_manager.get_font(str(path)).family_name)


@cache
def _characters(path: Path) -> frozenset[int]:
    """Return the code points that a font file has glyphs for."""
    from matplotlib import ft2font

    try:
        return frozenset(ft2font.FT2Font(str(path)).get_charmap())
    except (OSError, RuntimeError) as error:
        raise SpecError(f"{FONT_VARIABLE} is not a readable font file", got=path, fix=str(error)) from None


def families() -> list[str]:
    """Return the families that figures are drawn with; each character takes the first that has it."""
    return list(dict.fromkeys([LATIN, cjk_family(), _family(SHIPPED_FONT)]))


def drawable(sign: str) -> bool:
    """Return whether one of the families has the character. Spaces and other invisible characters need no glyph."""
    return all_drawable(sign)


def all_drawable(text: str) -> bool:
    """Return whether each character of a text is `drawable`."""
    glyphs = _drawable(cjk_font())
    return all(ord(sign) in glyphs or unicodedata.category(sign) in UNSEEN for sign in set(text))


@cache
def _drawable(chinese: Path) -> frozenset[int]:
    from matplotlib import font_manager

    return _characters(Path(font_manager.findfont(LATIN))) | _characters(chinese) | _characters(SHIPPED_FONT)


class DrawableText:
    """Text that can be drawn: a character that no font has is replaced by its Latin name or code point, and the
    replacement is recorded."""

    def __init__(self, latin: Mapping[str, str] | None = None) -> None:
        self.latin: dict[str, str] = dict(latin or {})
        self.replaced: bool = False

    def __call__(self, text: str) -> str:
        """Return the text on one line."""
        plain = visible(_HIDE.get()(" ".join(text.split())))
        if all_drawable(plain):
            return plain
        self.replaced = True
        named = _CJK.sub(lambda run: run[0] if all_drawable(run[0]) else self._latin_name(run[0]), plain)
        return " ".join("".join(map(_coded, named)).split())

    def note(self) -> str:
        """Return what a caption says of replaced characters; empty if none was."""
        return "characters that no font has are replaced by their Latin names or code points" if self.replaced else ""

    def _latin_name(self, run: str) -> str:
        """Return the Latin name of a run of Chinese characters, or of each that has one."""
        return self.latin.get(run, "".join(self.latin.get(sign, sign) for sign in run))


def _coded(sign: str) -> str:
    return sign if drawable(sign) else f" U+{ord(sign):04X} "


def wrapped(text: str, width: int) -> str:
    """Return lines of about `width` Latin letters (Chinese counts double), broken between words if possible."""
    from triptych.reports.tables.columns import wrapped as lines

    return "\n".join(lines(text, width))


def legend_columns(names: Iterable[str]) -> int:
    """Return 2 if two of the names fit next to each other within the figure, otherwise 1."""
    return 2 if max(map(len, names), default=0) <= 26 else 1


def lay_out(figure: Figure) -> None:
    """Compute the position of each part once; matplotlib would draw the whole figure for it on every save."""
    if (engine := figure.get_layout_engine()) is not None:
        dpi = figure.get_dpi()
        figure.set_dpi(DPI)  # text has the same extent at any resolution of the output
        engine.execute(figure)
        figure.set_layout_engine(None)  # not "none", whose placeholder makes matplotlib draw everything twice
        figure.set_dpi(dpi)


@contextmanager
def style() -> Iterator[None]:
    """Return matplotlib's settings for a figure: text as text in SVG, TrueType in PDF, reproducible bytes."""
    import matplotlib as mpl

    mpl.set_loglevel("ERROR")  # no warnings about missing font weights
    with mpl.rc_context(_settings()):
        yield


def _settings() -> dict[Any, Any]:
    ink, muted, line = colour("ink"), colour("muted"), colour("line")
    return {
        "font.family": families(),
        "font.size": 9,
        "text.color": ink,
        "axes.titlesize": 9,
        "axes.titleweight": "bold",
        "axes.titlecolor": ink,
        "axes.labelcolor": muted,
        "axes.labelsize": 8.5,
        "axes.edgecolor": line,
        "axes.linewidth": 0.8,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "xtick.color": line,
        "ytick.color": line,
        "xtick.labelcolor": muted,
        "ytick.labelcolor": ink,
        "xtick.labelsize": 8.5,
        "ytick.labelsize": 8.5,
        "grid.color": line,
        "grid.linewidth": 0.7,
        "figure.facecolor": "none",
        "axes.facecolor": "none",
        "savefig.facecolor": "none",
        "svg.fonttype": "none",
        "svg.hashsalt": "triptych",
        "pdf.fonttype": 42,
        "text.parse_math": False,
        "hatch.linewidth": 0.6,
        "axes.unicode_minus": True,
    }
