"""Reading all tables of a file, by its kind."""

from __future__ import annotations

from pathlib import Path

from triptych.audit.sheets.decimal_commas import with_points
from triptych.audit.sheets.delimited import delimited_tables
from triptych.audit.sheets.latex_tables import latex_tables
from triptych.audit.sheets.markdown_tables import markdown_tables
from triptych.audit.sheets.raw import RawTable
from triptych.audit.sheets.sheet import Sheet, sheets_of
from triptych.audit.sheets.web_tables import web_tables
from triptych.audit.sheets.workbook import workbook_tables
from triptych.errors import DataError

MAX_BYTES = 32 * 2**20  # of a text file
_TEXT = {
    ".csv": lambda text, where: delimited_tables(text, where),
    ".tsv": lambda text, where: delimited_tables(text, where, "\t"),
    ".md": markdown_tables,
    ".markdown": markdown_tables,
    ".mdx": markdown_tables,
    ".html": web_tables,
    ".htm": web_tables,
    ".tex": latex_tables,
    ".ltx": latex_tables,
}
KINDS = (*_TEXT, ".xlsx")


def raw_tables(path: Path) -> list[RawTable]:
    """Return the tables of a file as they are written.

    Raises DataError for a file that can't be read, that is too large, or whose name doesn't end in one of `KINDS`.
    """
    kind = path.suffix.lower()
    if path.is_dir():
        raise DataError("this is a folder, not a file of tables", where=path, fix="name the files in it")
    if kind == ".xlsx":
        if not path.exists():
            raise DataError("a file can't be read", where=path, got="No such file or directory")
        return workbook_tables(path)
    if kind not in _TEXT:
        raise DataError("unknown kind of table file", where=path, expected=", ".join(KINDS), got=kind or path.name)
    return _TEXT[kind](_text(path), str(path))


def read_sheets(path: Path, name: str = "") -> list[Sheet]:
    """Return the tables of figures in a CSV, TSV, Markdown, HTML, LaTeX or XLSX file, named `name#1`, `name#2` …

    Args:
        path: The file. Its kind is given by the end of its name.
        name: What the tables are called after; the file's name if it is empty.

    Raises:
        DataError: For a file that can't be read, or is too large.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder) / "table.csv"
        ...     _ = file.write_text("model,A,B\\nfirst,60.1,70.3\\nsecond,61.5,69.0\\n")
        ...     sheet = read_sheets(file)[0]
        >>> sheet.columns, sheet.cells["second"]["B"].text
        (['A', 'B'], '69.0')
    """
    sheets: list[Sheet] = []
    for number, table in enumerate(raw_tables(path), 1):
        sheets += sheets_of(with_points(table), f"{name or path.name}#{number}")
    return sheets


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise DataError("a file can't be read", where=path, got=error.strerror) from None
    if len(data) > MAX_BYTES:
        raise DataError("a file is too large", where=path, expected=f"at most {MAX_BYTES:,} bytes")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
