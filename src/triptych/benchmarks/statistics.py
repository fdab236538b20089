"""A paper's data statistics, computed from the user's copy next to the printed ones: counts, lengths, sizes.

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

    of, name     the subject (`main`, `T1`, `clips`) and the figure (`average question length`)
    value, unit  as computed here, None with a `reason` if it can't be; `characters`, `s`, `h`, `pixels` or a count
    n            how many values it was computed from
    printed      the paper's figure, if any; `says`: whether the paper says "about" or "at least"; `source`: its place
    digits       number of decimals in the paper
    facts        what the paper states besides, in words, by name; of a benchmark that it compares with, for example
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
    facts: dict[str, str] = {}

    @property
    def agrees(self) -> bool | None:
        """Whether it equals the printed figure: counts exactly, measurements to one in the last digit. None if one of
        the two is missing, or if the paper only says "about"."""
        if self.value is None or self.printed is None or self.says == "about":
            return None
        if self.says == "at least":
            return self.value >= self.printed
        measured = self.unit or self.digits
        return abs(self.value - self.printed) < 10**-self.digits - 1e-9 if measured else self.value == self.printed


def printed_in(folder: Path) -> Printed:
    """Return the figures of the published tables of the benchmark in this folder."""
    cells = published_cells(folder / "published")
    return {(cell.table, cell.row, cell.column): float(cell.text) for cell in cells if cell.text}


class Measures:
    """Lengths and sizes of media below a data folder; each file is measured once."""

    def __init__(self, root: Path) -> None:
        self._reader = MediaReader(root if root.is_dir() else root.parent)
        self._values: dict[tuple[str, str], float | tuple[int, int] | None] = {}

    def seconds(self, part: Part) -> float | None:
        """Return the length of a recording or video in seconds; None if it is missing or unreadable."""
        value = self._measure_once("seconds", part, media_seconds)
        return value if isinstance(value, float) else None

    def size(self, part: Part) -> tuple[int, int] | None:
        """Return (width, height) of a picture; None if it is missing or unreadable."""
        value = self._measure_once("size", part, _size)
        return value if isinstance(value, tuple) else None

    def _measure_once(
        self, what: str, part: Part, measure: Callable[[Path], float | tuple[int, int] | None]
    ) -> float | tuple[int, int] | None:
        key = (what, part.path)
        if key not in self._values:
            try:
                self._values[key] = measure(self._reader.resolve(part))
            except (MediaError, OSError):
                self._values[key] = None
        return self._values[key]


def _size(path: Path) -> tuple[int, int]:
    with opened_picture(path, path) as image:
        width, height = image.size
    return int(width), int(height)


def mean(
    of: str,
    name: str,
    values: Iterable[float | None],
    unit: str = "",
    *,
    digits: int = 2,
    printed: float | None = None,
    source: str = "",
) -> Statistic:
    """Return the mean of the known values; with a `reason` if some are unknown. None if all are."""
    return statistic_over(of, name, values, _mean, unit, digits=digits, printed=printed, source=source)


def statistic_over(
    of: str,
    name: str,
    values: Iterable[float | None],
    how: Callable[[list[float]], float],
    unit: str = "",
    *,
    digits: int = 2,
    printed: float | None = None,
    source: str = "",
) -> Statistic:
    """Return `how` (max, min, sum, mean) over the known values; with a `reason` if some are unknown, None if all."""
    every = list(values)
    defined = [value for value in every if value is not None]
    lacking = len(every) - len(defined)
    reason = f"{lacking:,} of {len(every):,} missing or unreadable" if lacking else "" if every else "none in this data"
    return Statistic(of, name, how(defined) if defined else None, unit, len(defined), digits, printed, source, reason)


def count(of: str, name: str, number: int, *, printed: float | None = None, source: str = "") -> Statistic:
    """Return a count as a Statistic."""
    return Statistic(of, name, float(number), n=number, printed=printed, source=source)


def length(item: Item, role: str = "question") -> int:
    """Return the characters of the text Parts of a role, without whitespace at the ends."""
    return len("".join(part.text for part in item.parts if part.role == role).strip())


def media_of(items: Iterable[Item], kind: str) -> list[Part]:
    """Return the different media of a kind in the Items' stems, in order."""
    parts_by_path = {part.path: part for item in items for part in item.parts if part.kind == kind}
    return list(parts_by_path.values())


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
