"""A table seen by rows or by columns: lines of figures at named places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from triptych.audit.sheets.printed import Figure
from triptych.audit.sheets.sheet import Sheet
from triptych.audit.tables.interval import Interval, Printing, digits_of


@dataclass(frozen=True, slots=True)
class View:
    """The figures of a table as line -> place -> figure. `by_rows`: lines are rows; otherwise lines are columns."""

    sheet: Sheet
    lines: Mapping[str, Mapping[str, Figure]]
    places: Sequence[str]
    by_rows: bool

    def rows_and_columns(self, lines: Sequence[str], places: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
        """Return (rows, columns) of figures at some places of some lines, as a finding names them."""
        return (lines, places) if self.by_rows else (places, lines)

    def cell(self, line: str, position: str) -> tuple[str, str]:
        """Return (row, column) of a place of a line."""
        return (line, position) if self.by_rows else (position, line)

    @property
    def lines_are(self) -> str:
        """Return `rows` or `columns`."""
        return "rows" if self.by_rows else "columns"


def views(sheet: Sheet) -> list[View]:
    """Return a table by rows, and by columns."""
    turned = {column: sheet.column(column) for column in sheet.columns}
    return [View(sheet, sheet.cells, sheet.columns, True), View(sheet, turned, sheet.rows, False)]


def interval(figure: Figure, printing: Printing = "rounded") -> Interval:
    """Return the numbers that are printed as this figure."""
    return Interval.printed(figure.text, 0, printing)


def unit(figure: Figure) -> float:
    """Return one unit of a figure's last digit."""
    return float(10.0 ** -digits_of(figure.text))


def list_in_words(names: Sequence[str], limit: int = 5) -> str:
    """Return names as words: `A, B and C`, `A, B, C and 4 more`."""
    shown = [name.rpartition("|")[2] or name for name in names[:limit]]
    if len(names) > limit:
        return f"{', '.join(shown)} and {len(names) - limit} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def odds_in_words(odds: float) -> str:
    """Return odds as words: `less than 1 in 10,000`."""
    if odds >= 0.5:
        return "by chance alone"
    power = 10
    while power < 10**9 and odds < 1 / (10 * power):
        power *= 10
    return f"less than 1 in {power:,}" if odds < 1 / power else f"about 1 in {round(1 / odds):,}"
