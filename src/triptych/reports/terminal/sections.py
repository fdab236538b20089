"""A Section in the terminal: sentences, tables, listings, notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triptych.records import Section

MAX_ROWS = 20  # rows of a listing


def show_section(section: Section, *, title: bool = False, explain: bool = False) -> None:
    """Print the results of an analysis, the most important first; `title`: with its heading, `explain`: with the
    explanation."""
    from rich import box
    from rich.table import Table

    from triptych.reports.terminal.tables import QUIET, print_table, stdout

    console = stdout()
    if title:
        console.print(f"\n{section.title}", style="bold", overflow="fold", markup=False)
    if explain:
        console.print(section.explanation, style=QUIET, overflow="fold", markup=False)
    if title and section.sentences:
        console.print()
    for sentence in section.sentences:
        console.print(sentence, overflow="fold", highlight=False)
    for table in section.tables:
        if table.rows:  # without an error there is no kind of error
            print_table(table, console)
    for listing in section.listings:
        if listing.id.startswith("named."):  # the full list of what another listing sums up
            console.print(f"{listing.total:,} by name: --json", style=QUIET)
        elif listing.rows:
            grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, title=listing.title, title_justify="left")
            for heading in listing.headings:
                grid.add_column(heading, overflow="fold")
            for row in listing.rows[:MAX_ROWS]:
                grid.add_row(*row)
            console.print(grid)
            if (left := (listing.total or len(listing.rows)) - MAX_ROWS) > 0:
                console.print(f"{left:,} more; --json lists them", style=QUIET)
    for note in section.notes:
        console.print(note, style=QUIET, overflow="fold", markup=False)
