"""Results of analyses for a report; a report can do without them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from triptych.records.estimates import Section
from triptych.reports.files.markdown import escaped, markdown

MAX_ROWS = 50  # rows of a listing in Markdown


def show_analyses(sections: Sequence[Section]) -> None:
    """Print the sentences and the first table of each Section; Markdown and HTML contain all tables."""
    from triptych.reports.terminal.tables import BEST, QUIET, print_table, stdout

    console = stdout()
    for section in sections:
        console.print()
        console.print(section.title, style=BEST)
        for sentence in section.sentences:
            console.print(sentence, overflow="fold")
        for table in section.tables[:1]:
            print_table(table, console)
        for listing in section.listings:
            if listing.id.startswith("left_out"):
                text = "; ".join(f"{row[1]} {row[0]}" for row in listing.rows)
                console.print(f"{listing.title}: {text}", style=QUIET, overflow="fold")
        for note in section.notes:
            console.print(note, style=QUIET, overflow="fold")


def analyses_markdown(title: str, sections: Sequence[Section]) -> str:
    """Return all Sections as one Markdown document: explanation, findings, tables, listings, notes."""
    return "\n".join([f"# {escaped(title)}", "", *(line for section in sections for line in _lines(section))]) + "\n"


def _lines(section: Section) -> Iterator[str]:
    yield from (f"## {escaped(section.title)}", "", section.explanation, "")
    yield from (f"- {escaped(sentence)}" for sentence in section.sentences)
    for table in section.tables:
        yield from ("", markdown(table))
    for listing in section.listings:
        every = listing.total or len(listing.rows)
        total = f" ({every:,} in all)" if every > min(MAX_ROWS, len(listing.rows)) else ""
        yield from ("", f"**{escaped(listing.title)}**{total}", "")
        yield from (f"- {' · '.join(map(escaped, row))}" for row in listing.rows[:MAX_ROWS])
    yield from ("", *(f"> {escaped(note)}" for note in section.notes), "")
