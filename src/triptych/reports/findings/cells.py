"""Compared cells as text: counts by table, every cell that differs, and why others can't be known."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from triptych.records.checked import CellCounts, CheckedCell
from triptych.reports.findings.audited import printable

_SHOWN = 40  # cells that differ


def cells_text(cells: Sequence[CheckedCell], *, everything: bool = False, width: int = 100) -> str:
    """Return the cells as text; without `everything`, those that follow are only counted."""
    return "\n".join(printable(line) for line in _lines(cells, everything, width))


def _lines(cells: Sequence[CheckedCell], everything: bool, width: int) -> Iterator[str]:
    tables = dict.fromkeys(cell.table for cell in cells)
    wide = max((len(table) for table in tables), default=5)
    yield f"{'table':{wide}}  {'follows':>8}  {'differs':>8}  {'unknown':>8}"
    for table in tables:
        counts = CellCounts.count_cells(cell for cell in cells if cell.table == table)
        yield f"{table:{wide}}  {counts.follows:>8,}  {counts.differs:>8,}  {counts.unknown:>8,}"
    differs = [cell for cell in cells if cell.status == "differs"]
    shown = cells if everything else differs[:_SHOWN]
    if shown:
        yield ""
        yield "ALL CELLS" if everything else "DIFFERS"
    for cell in shown:
        text = f"{cell.published}" + (f", recomputed {cell.recomputed:g}" if cell.recomputed is not None else "")
        line = f"{cell.table}  {cell.row} · {cell.column}: {text} ({cell.status}: {cell.reason})"
        yield from textwrap.wrap(line, width, initial_indent="  ", subsequent_indent="    ")
    if not everything and len(differs) > len(shown):
        yield f"  … and {len(differs) - len(shown)} more; --all lists them"
    reasons = Counter(cell.reason for cell in cells if cell.status == "unknown")
    if reasons:
        yield ""
        yield "CAN'T BE KNOWN"
    for reason, n in reasons.most_common(None if everything else 12):
        yield from textwrap.wrap(f"{n:,}: {reason}", width, initial_indent="  ", subsequent_indent="    ")
    if not everything and len(reasons) > 12:
        yield f"  … and {sum(reasons.values()) - sum(n for _, n in reasons.most_common(12)):,} more; --all lists them"
