"""A paper's statistics of its data, computed on one's own copy: how many, how long, how large; beside the printed ones.

A benchmark's `statistics.py` has `statistics(items, measures, printed)`, which yields them in the paper's order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from triptych.benchmarks.published import published_cells
from triptych.errors import MediaError
from triptych.media.lengths import media_seconds
from triptych.media.opening import opened_picture
from triptych.media.payload import MediaReader
from triptych.records import Item, Part

Printed = Mapping[tuple[str, str, str], float]  # (table, row, column) -> the printed figure


class Statistic(msgspec.Struct, frozen=True, omit_defaults=True):
    """One figure about the data.

    of, name     what it is about (`main`, `T1`, `clips`), and which figure (`average question length`)
    value, unit  as computed here, None with a `reason` where it can't be; `characters`, `s`, `h`, `pixels` or a count
    n            how many things it was computed from
    printed      what the paper prints, where it does; `says`: that it is about so many, or at least; `source`: where
    digits       how many decimals the paper prints
    """

    of: str
    name: str
    value: float | None
    unit: str = ""
    n: int = 0
    digits: int = 0
    printed: float | None = None
    source: str = ""
    reason: str = ""
    says: Literal["", "about", "at least"] = ""

    @property
    def agrees(self) -> bool | None:
        """Is it the printed figure: a count exactly, what is measured to one in the last digit? None where one of the
        two isn't there, or the paper says about how many alone."""
        if self.value is None or self.printed is None or self.says == "about":
            return None
        if self.says == "at least":
            return self.value >= self.printed
        measured = self.unit or self.digits
        return abs(self.value - self.printed) < 10**-self.digits - 1e-9 if measured else self.value == self.printed


def printed_in(folder: Path) -> Printed:
    """The figures of the published tables of a benchmark whose folder this is."""
    cells = published_cells(folder / "published")
    return {(cell.table, cell.row, cell.column): float(cell.text) for cell in cells if cell.text}


class Measures:
    """Lengths and sizes of media below a data folder, each measured once."""

    def __init__(self, root: Path) -> None:
        self._reader = MediaReader(root if root.is_dir() else root.parent)
        self._known: dict[tuple[str, str], float | tuple[int, int] | None] = {}

    def seconds(self, part: Part) -> float | None:
        """How long a recording or video is; None where it isn't there or can't be read."""
        found = self._measured("seconds", part, media_seconds)
        return found if isinstance(found, float) else None

    def size(self, part: Part) -> tuple[int, int] | None:
        """(width, height) of a picture; None where it isn't there or can't be read."""
        found = self._measured("size", part, _size)
        return found if isinstance(found, tuple) else None

    def _measured(
        self, what: str, part: Part, measure: Callable[[Path], float | tuple[int, int] | None]
    ) -> float | tuple[int, int] | None:
        key = (what, part.path)
        if key not in self._known:
            try:
                self._known[key] = measure(self._reader.resolve(part))
            except (MediaError, OSError):
                self._known[key] = None
        return self._known[key]


def _size(path: Path) -> tuple[int, int]:
    with opened_picture(path, path) as image:
        width, height = image.size
    return int(width), int(height)


def mean(
    of: str, name: str, values: Iterable[float | None], unit: str = "", *, digits: int = 2,
    printed: float | None = None, source: str = "",
) -> Statistic:  # fmt: skip
    """The mean of what is known; a `reason` where some is not. None where nothing is."""
    return over(of, name, values, _mean, unit, digits=digits, printed=printed, source=source)


def over(
    of: str, name: str, values: Iterable[float | None], how: Callable[[list[float]], float], unit: str = "", *,
    digits: int = 2, printed: float | None = None, source: str = "",
) -> Statistic:  # fmt: skip
    """`how` (max, min, sum, mean) over what is known; a `reason` where some is not. None where nothing is."""
    every = list(values)
    known = [value for value in every if value is not None]
    lacking = len(every) - len(known)
    reason = (
        f"{lacking:,} of {len(every):,} not here or unreadable" if lacking else "" if every else "nothing of it here"
    )
    return Statistic(of, name, how(known) if known else None, unit, len(known), digits, printed, source, reason)


def count(of: str, name: str, number: int, *, printed: float | None = None, source: str = "") -> Statistic:
    """How many there are."""
    return Statistic(of, name, float(number), n=number, printed=printed, source=source)


def length(item: Item, role: str = "question") -> int:
    """Characters of the text Parts of a role, white space at the ends aside."""
    return len("".join(part.text for part in item.parts if part.role == role).strip())


def media_of(items: Iterable[Item], kind: str) -> list[Part]:
    """The different media of a kind in the Items' stems, in order."""
    found = {part.path: part for item in items for part in item.parts if part.kind == kind}
    return list(found.values())


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
