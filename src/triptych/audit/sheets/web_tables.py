"""Tables of an HTML file, or of HTML inside a Markdown file."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

from triptych.audit.sheets.latex import plain_math
from triptych.audit.sheets.markup import markup_cell
from triptych.audit.sheets.raw import MAX_COLUMNS, MAX_ROWS, MAX_TABLES, RawCell, RawTable, expand_spans
from triptych.errors import DataError

_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6", "caption", "figcaption"}


@dataclass(slots=True)
class _Open:
    """A table that is being read."""

    line: int
    caption: str
    rows: list[list[RawCell]] = field(default_factory=list)
    cell: list[str] | None = None
    columns: int = 1
    span: int = 1
    header: bool = False


class _Reader(HTMLParser):
    """Gathers the tables. Cells may lack their end tags, as HTML allows; a table in a cell is a table of its own."""

    def __init__(self, where: str, markdown: bool) -> None:
        super().__init__(convert_charrefs=False)
        self.where, self.markdown = where, markdown
        self.tables: list[RawTable] = []
        self.open: list[_Open] = []
        self.heading, self.reading_heading = "", ""
        self.skipped = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag in {"script", "style"}:
            self.skipped += 1
        elif tag == "table":
            self._begin_table()
        elif tag in _HEADINGS:
            self.reading_heading, self.heading = tag, ""
        elif self.open and tag == "tr":
            self._end_cell()
            self.open[-1].rows.append([])
        elif self.open and tag in {"td", "th"}:
            self._begin_cell(tag, dict(attributes))
        else:
            self._add(self.get_starttag_text() or "")

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._add(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in {"script", "style"}:
            self.skipped = max(0, self.skipped - 1)
        elif tag == self.reading_heading:
            self.reading_heading = ""
            if tag == "caption" and self.open:
                self.open[-1].caption = self.heading.strip()
        elif tag in {"td", "th", "tr", "thead", "tbody"} and self.open:
            self._end_cell()
        elif tag == "table" and self.open:
            self._end_table()
        else:
            self._add(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self._add(data)

    def handle_entityref(self, name: str) -> None:
        self._add(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._add(f"&#{name};")

    def _add(self, text: str) -> None:
        if self.skipped:
            return
        if self.reading_heading:
            self.heading = (self.heading + text)[:300]
        elif self.open and self.open[-1].cell is not None:
            self.open[-1].cell.append(text)

    def _begin_table(self) -> None:
        if len(self.open) >= 8 or len(self.tables) >= MAX_TABLES:
            raise DataError("too many tables, or tables nested too deep", where=self.where)
        self.open.append(_Open(self.getpos()[0], markup_cell(self.heading, markdown=self.markdown).text))

    def _begin_cell(self, tag: str, attributes: dict[str, str | None]) -> None:
        self._end_cell()
        table = self.open[-1]
        if not table.rows:
            table.rows.append([])
        if len(table.rows) > MAX_ROWS or len(table.rows[-1]) > MAX_COLUMNS:
            raise DataError(
                "a table is too large", expected=f"{MAX_ROWS:,} rows, {MAX_COLUMNS} columns", where=self.where
            )
        table.columns, table.span = _number(attributes.get("colspan")), _number(attributes.get("rowspan"))
        style = attributes.get("style") or ""
        table.cell, table.header = ["<b>" if "bold" in style and tag == "td" else ""], tag == "th"

    def _end_cell(self) -> None:
        table = self.open[-1]
        if table.cell is not None and table.rows:
            markup = markup_cell("".join(table.cell), markdown=self.markdown, math=plain_math)
            bold = markup.bold
            table.rows[-1].append(
                replace(markup, bold=bold, header=table.header, columns=table.columns, rows=table.span)
            )
        table.cell = None

    def _end_table(self) -> None:
        self._end_cell()
        table = self.open.pop()
        rows = [row for row in table.rows if row]
        where = f"{self.where}:{table.line}"
        if rows:
            self.tables.append(RawTable(expand_spans(rows, where), table.line, table.caption))


def _number(text: str | None) -> int:
    """Return a span: 1 if it isn't a number; 0 and large ones are cut to what a table may have."""
    digits = (text or "1").strip()[:6]
    return min(max(int(digits), 1), MAX_COLUMNS) if digits.isdecimal() and digits.isascii() else 1


def web_tables(text: str, where: str, *, markdown: bool = False) -> list[RawTable]:
    """Return the tables of HTML text. `markdown`: cells may also contain Markdown, as in a README.

    Raises DataError for a table that is too large.
    """
    reader = _Reader(where, markdown)
    reader.feed(text)
    reader.close()
    while reader.open:
        reader._end_table()
    return sorted(reader.tables, key=lambda table: table.line)
