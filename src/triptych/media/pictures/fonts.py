"""Fonts: which characters a font file has, so that no character is ever drawn as the box of a missing one.

A font with Chinese and European characters ships with Triptych (`SHIPPED_FONT`), so that a machine without fonts draws
as well.

Pillow draws text with one font and has no fallback; what the font lacks becomes a box without a warning. Each character
is therefore looked up in the fonts' character maps first.
"""

from __future__ import annotations

import io
import os
import struct
import sys
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

from triptych.errors import MediaError, SpecError

FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.fonts",
    "~/.local/share/fonts",
    "/Library/Fonts",
    "/System/Library/Fonts",
    "~/Library/Fonts",
    "C:/Windows/Fonts",
)
_FILES = (".ttf", ".otf", ".ttc", ".otc")
SHIPPED_FONT = Path(__file__).parent / "typeface" / "TriptychCJK-Regular.ttf"  # made by tools/typeface
MAX_FONT_BYTES = 256 << 20
_MAX_FACES = 64  # of one collection; the largest known has about 50
_UNICODE = ((3, 10), (0, 6), (0, 4))  # (platform, encoding) of all of Unicode, in the order of `getBestCmap`
UNSEEN = ("Cc", "Cf", "Zs", "Zl", "Zp")  # controls, format characters, spaces: they need no glyph


@dataclass(frozen=True)
class CodePoints:
    """A set of code points as ranges: `begins[i]` to `ends[i]`, both in it. Large fonts have few ranges: a set of
    numbers would take a hundred times the memory."""

    begins: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, codes: Iterable[int]) -> CodePoints:
        """Return the set of these code points.

        Example:
            >>> CodePoints.of([5, 1, 2, 3])
            CodePoints(begins=(1, 5), ends=(3, 5))
        """
        begins: list[int] = []
        ends: list[int] = []
        for code in sorted(codes):
            if ends and code <= ends[-1] + 1:
                ends[-1] = code
            else:
                begins.append(code)
                ends.append(code)
        return cls(tuple(begins), tuple(ends))

    def __contains__(self, code: int) -> bool:
        index = bisect_right(self.begins, code) - 1
        return index >= 0 and code <= self.ends[index]

    def __len__(self) -> int:
        return sum(self.ends) - sum(self.begins) + len(self.begins)

    def __iter__(self) -> Iterator[int]:
        for begin, end in zip(self.begins, self.ends, strict=True):
            yield from range(begin, end + 1)


@dataclass(frozen=True)
class Face:
    """A font: its file, its number in the file (collections have several), its name, its characters' code points."""

    path: Path
    number: int
    name: str
    characters: CodePoints

    def has(self, character: str) -> bool:
        """Whether the font has a glyph of its own for the character; what can't be seen needs none."""
        return ord(character) in self.characters or unicodedata.category(character) in UNSEEN

    def at(self, size: int) -> Any:
        """The font at a size in pixels, as Pillow takes it."""
        return _load_face(self.path, self.number, size)


def read_faces(path: Path) -> tuple[Face, ...]:
    """The fonts of a file, TrueType or OpenType, one or a collection. Raises MediaError if it is not a font."""
    if not find_spec("fontTools"):
        raise SpecError("fonts need the package fonttools, which is missing", fix="pip install 'triptych[build]'")
    from fontTools.ttLib import TTCollection, TTFont, TTLibError

    try:
        if path.stat().st_size > MAX_FONT_BYTES:
            raise MediaError("the font is too large", where=path, expected=f"at most {MAX_FONT_BYTES >> 20} MiB")
        # Over bytes in memory: of an open file fontTools reads as many bytes as the header claims to have.
        content = path.read_bytes()
        if content[:4] != b"ttcf":
            return (_face(path, 0, TTFont(io.BytesIO(content), lazy=True)),)
        number_of = len(TTCollection(io.BytesIO(content), lazy=True).fonts)
        return tuple(  # one after the other: each has tables of many megabytes
            _face(path, number, TTFont(io.BytesIO(content), fontNumber=number, lazy=True))
            for number in range(min(number_of, _MAX_FACES))
        )
    except OSError as error:
        raise MediaError(f"a font can't be read ({error.strerror})", where=path) from None
    except (TTLibError, struct.error, LookupError, AssertionError, ValueError, TypeError, AttributeError) as error:
        raise MediaError("not a valid font", where=path, got=str(error)[:200]) from None


def _face(path: Path, number: int, font: Any) -> Face:
    name = str(font["name"].getDebugName(4) or path.stem)
    characters = _of_groups(font.reader["cmap"]) if "cmap" in font else CodePoints((), ())
    return Face(path, number, name, _of_table(font) if characters is None else characters)


def _of_groups(cmap: bytes) -> CodePoints | None:
    """The characters of a `cmap` table with a subtable of format 12 for Unicode; None without one.

    Its groups are ranges already. To spell them out as pairs of character and name, as fontTools does, takes seconds
    and many megabytes for a collection of Chinese fonts.
    """
    (count,) = struct.unpack_from(">2xH", cmap)
    offsets = {struct.unpack_from(">HH", cmap, at): at for at in range(4, 4 + 8 * count, 8)}
    at = next((offsets[each] for each in _UNICODE if each in offsets), None)
    if at is None:
        return None
    (offset,) = struct.unpack_from(">I", cmap, at + 4)
    kind, groups = struct.unpack_from(">H10xI", cmap, offset)
    if kind != 12:
        return None
    ranges: list[tuple[int, int]] = []
    for first, last, glyph in struct.iter_unpack(">III", cmap[offset + 16 : offset + 16 + 12 * groups]):
        begin = first + (glyph == 0)  # glyph 0 (`.notdef`) is drawn as a box
        if not begin <= last <= 0x10FFFF:
            continue
        if ranges and begin == ranges[-1][1] + 1:
            ranges[-1] = (ranges[-1][0], last)
        else:
            ranges.append((begin, last))
    if any(begin <= end for (_, end), (begin, _) in pairwise(ranges)):
        return None  # not in order: fontTools reads it
    return CodePoints(tuple(begin for begin, _ in ranges), tuple(end for _, end in ranges))


def _of_table(font: Any) -> CodePoints:
    table = font.getBestCmap() or {}
    # A character that leads to glyph 0 (`.notdef`) is drawn as a box, too.
    empty = font.getGlyphOrder()[0]
    return CodePoints.of(code for code, glyph in table.items() if glyph != empty)


@cache
def system_faces() -> tuple[Face, ...]:
    """The fonts of this machine, sorted by file; files that can't be read are left out."""
    faces: list[Face] = []
    for folder in FOLDERS:
        root = Path(os.path.expanduser(folder))  # noqa: PTH111 (it raises nothing if there is no home folder)
        for path in sorted(root.rglob("*")) if root.is_dir() else ():
            if path.suffix.lower() in _FILES:
                try:
                    faces += read_faces(path)
                except MediaError:
                    continue
    return tuple(faces)


@lru_cache(maxsize=64)
def _faces_of(path: Path) -> tuple[Face, ...]:
    return read_faces(path)


def faces(paths: Sequence[Path] = ()) -> tuple[Face, ...]:
    """The fonts of these files; without any, Triptych's own and those of this machine.

    Raises MediaError for a file that is not a font.
    """
    return (
        tuple(face for path in paths for face in _faces_of(path))
        if paths
        else (*_faces_of(SHIPPED_FONT), *system_faces())
    )


def plain_faces(text: str) -> tuple[Face, ...]:
    """Triptych's own font if it has every character, so that all machines draw the same picture; else `faces()`."""
    shipped = _faces_of(SHIPPED_FONT)
    return shipped if complete(text, shipped) else faces()


def complete(text: str, among: Sequence[Face]) -> list[Face]:
    """The fonts that have every character of the text."""
    characters = set(text)
    return [face for face in among if all(map(face.has, characters))]


def runs(text: str, among: Sequence[Face]) -> Iterator[tuple[str, Face]]:
    """The text in runs of characters of one font: the first of `among` that has the character.

    Raises MediaError for a character that no font has.
    """
    held, current = "", None
    for character in text:
        if current is None or not current.has(character) or current is not among[0]:
            chosen = _first(character, among)
            if current is not None and chosen is not current:
                yield held, current
                held = ""
            current = chosen
        held += character
    if held and current is not None:
        yield held, current


def _first(character: str, among: Sequence[Face]) -> Face:
    for face in among:
        if face.has(character):
            return face
    raise MediaError(
        f"no font has the character {character!r}",
        where=f"U+{ord(character):04X} {unicodedata.name(character, '')}",
        got=f"{len(among)} fonts: " + ", ".join(face.name for face in among[:5]),
        fix="install a font that has it, or name one by `fonts`",
    )


@lru_cache(maxsize=16)  # FreeType keeps megabytes of a large font for each
def _load_face(path: Path, number: int, size: int) -> Any:
    from PIL import ImageFont

    # Raqm, where it is installed, shapes text otherwise: pictures would depend on it.
    try:
        return ImageFont.truetype(str(path), size, index=number, layout_engine=ImageFont.Layout.BASIC)
    except OSError as error:
        raise MediaError(f"Pillow can't load a font ({error})", where=path, got=sys.platform) from None
