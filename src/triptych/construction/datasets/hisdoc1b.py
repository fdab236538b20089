"""HisDoc1B: books with the text and the punctuation of every page.

    annos/BOOK.json                            the annotation of a book: its pages, with their text lines
    images/BOOK/PAGE.jpg                       pictures of the pages, made from books/BOOK.pdf or .djvu by book2im.py
    books/                                     not read

The data are given on application, and only their own readme describes the annotation. So the names of its parts are
given: `pages` is a list, or a table with a page per name; `image` the picture's name, if pages are in a list; `lines`
the list of a page's text lines in reading order; `text` a line's text; `title`, `author` and `dynasty` those of the
book. By default they are called like this. A page without `lines` may have its whole `text`. `licence` is
cc-by-nc-nd-4.0, as the README states.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from triptych.construction.datasets._files import PICTURES, json_of, media_files
from triptych.construction.record import Record
from triptych.errors import DataError

NAMES = {name: name for name in ("pages", "image", "lines", "text", "title", "author", "dynasty")}


def records(folder: Path, **names: str) -> Iterator[Record]:
    """Yield a Record for each page that has text and a picture, by book and page. `names`: see the module.

    Raises DataError for annotation in which the pages, a page's lines or their text aren't called as `names` says, and
    for a page whose picture is missing.
    """
    if unknown := sorted(names.keys() - NAMES.keys()):
        raise DataError("no such part of the annotation", got=unknown[0], expected=", ".join(NAMES))
    called = NAMES | names
    root = folder / "HisDoc1B" if (folder / "HisDoc1B").is_dir() else folder
    books = sorted((root / "annos").glob("*.json")) if (root / "annos").is_dir() else []
    if not books:
        raise DataError("no annotation of HisDoc1B", where=folder, expected="annos/BOOK.json")
    for path in books:
        yield from _book(path, root, folder, called)


def _book(path: Path, root: Path, folder: Path, called: Mapping[str, str]) -> Iterator[Record]:
    book = json_of(path, dict[str, Any])
    pages = _part(book, called, "pages", path)
    if not isinstance(pages, dict | list):
        raise DataError("the pages are neither a list nor a table", where=path, got=type(pages).__name__)
    location = root / "images" / path.stem
    pictures = media_files(location, PICTURES) if location.is_dir() else {}
    fields = {name: str(book[called[name]]) for name in ("title", "author", "dynasty") if book.get(called[name])}
    named = pages.items() if isinstance(pages, dict) else [(None, page) for page in pages]
    for number, (name, page) in enumerate(named, 1):
        where = f"{path}, page {name or number}"
        stem = Path(str(name or _part(_table(page, where), called, "image", where))).stem
        text = _text(page, called, where)
        if not text:
            continue
        if stem not in pictures:
            fix = "make the pictures with book2im.py of the data set"
            raise DataError("the picture of a page is missing", where=where, expected=f"{location}/{stem}.jpg", fix=fix)
        yield Record(
            f"{path.stem}/{stem}",
            {
                "dataset": "hisdoc1b",
                "text": text,
                "book": path.stem,
                **fields,
                "licence": "cc-by-nc-nd-4.0",
                "image_file": (location / pictures[stem]).relative_to(folder).as_posix(),
            },
            (f"hisdoc1b:{path.stem}",),
        )


def _text(page: Any, called: Mapping[str, str], where: str) -> str:
    """Return the lines of a page in reading order, or its whole text."""
    if isinstance(page, str):
        return page.strip()
    if isinstance(page, Mapping) and called["lines"] not in page and isinstance(page.get(called["text"]), str):
        return str(page[called["text"]]).strip()
    lines = page if isinstance(page, list) else _part(_table(page, where), called, "lines", where)
    if not isinstance(lines, list):
        raise DataError("the lines of a page aren't a list", where=where, got=type(lines).__name__)
    texts = [line if isinstance(line, str) else _part(_table(line, where), called, "text", where) for line in lines]
    return "\n".join(str(text).strip() for text in texts if str(text).strip())


def _table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise DataError("the annotation has another form", where=where, got=type(value).__name__, expected="a table")
    return value


def _part(table: Mapping[str, Any], called: Mapping[str, str], part: str, where: object) -> Any:
    if called[part] not in table:
        raise DataError(
            f"the annotation has no {called[part]!r}",
            where=str(where),
            got=", ".join(list(table)[:20]),
            fix=f'name the part: names = {{ {part} = "…" }}',
        )
    return table[called[part]]
