"""Marks in Markdown: a figure, followed by a comment that names what computes it.

`66.53<!--= score cmdar baseline/longest main -->` is read as the figure 66.53, the name `score` and its arguments.
`344 of 509<!--=2 correct … -->` marks the last two figures before it, and its function returns both. If a line before a
table contains only a mark, the mark is for the whole table:

    <!--= table strange -->
    | what the server sends | …

The comment is invisible on the site and on the repository's pages. `**66.53**<!--= … -->` works too. A page whose
source is read as it is, such as README.md, has its marks in a file next to it (`README.marks.toml`): `source` puts them
in.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

FIGURE = r"[-+−]?\d[\d,]*(?:\.\d+)?"
WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_DIGITS = re.compile(rf"(?<![\w.]){FIGURE}")
_WORDS_TOO = re.compile(rf"(?<![\w.])(?:{FIGURE}|(?i:{'|'.join(WORDS)})\b)")
MARK = re.compile(r"<!--=(?P<count>\d*)\s+(?P<call>.+?)\s*-->")
_COMMENT = re.compile(r"<!--.*?-->")
_AFTER = re.compile(r"[%*\s]*")


@dataclass(frozen=True)
class Mark:
    """One mark: its position, the text there, and what computes it."""

    page: Path
    line: int
    written: tuple[str, ...]
    name: str
    arguments: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    """The positions of the figures, or of the table, in the page's text."""

    @property
    def call(self) -> str:
        return shlex.join([self.name, *self.arguments])

    @property
    def table(self) -> bool:
        return self.written[:1] != () and self.written[0].startswith("|")


class Malformed(Exception):
    """A mark that neither follows a figure nor precedes a table."""


def source(page: Path) -> str:
    """The text of a page, with the marks of the file next to it. Raises ValueError for a mark without its text."""
    text = page.read_text(encoding="utf-8")
    aside = page.with_suffix(".marks.toml")
    if not aside.exists():
        return text
    for mark in tomllib.loads(aside.read_text(encoding="utf-8"))["mark"]:
        comment = f"<!--{mark['call']}-->"
        anchor = mark.get("after") or mark["before"]
        times = _COMMENT.sub("", text).count(anchor)
        if times != 1:
            raise ValueError(f"{aside.name}: {anchor!r} appears {times} times in {page.name}, expected once")
        # Marks put in before may be inside of the piece of text
        pattern = r"(?:<!--.*?-->)?".join(map(re.escape, anchor))
        found = re.search(pattern, text)
        assert found is not None
        if "after" in mark:
            text = f"{text[: found.end()]}{comment}{text[found.end() :]}"
        else:
            text = f"{text[: found.start()]}{comment}\n{text[found.start() :]}"
    return text


def without_aside(page: Path, text: str) -> str:
    """The text of a page as it is stored: without the marks of the file next to it."""
    if not page.with_suffix(".marks.toml").exists():
        return text
    return re.sub(r"<!--=.*?-->|^<!-- .*? -->\n", "", text, flags=re.M)


def marks(page: Path) -> Iterator[Mark | Malformed]:
    """Yield all marks of a page, in order; those that mark nothing as Malformed."""
    text = source(page)
    for found in MARK.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        spans = _marked(text, found)
        if not spans:
            yield Malformed(f"{page}:{line}: a mark (<!--= … -->) must follow its figures or precede a table")
            continue
        name, *arguments = shlex.split(found["call"])
        yield Mark(page, line, tuple(text[a:b] for a, b in spans), name, tuple(arguments), spans)


def same(written: str, computed: str) -> bool:
    """Whether the figure on the page is the computed one; commas don't count, numbers up to twelve may be words."""
    return _plain(written) == _plain(computed)


def difference(mark: Mark, computed: str) -> str | None:
    """What differs between the page and what was computed, or None."""
    if mark.table:
        return _table_difference(mark.written[0], computed)
    values = computed.split()
    if len(values) == len(mark.written) and all(map(same, mark.written, values)):
        return None
    return f"the page says {' '.join(mark.written)}; {mark.call} gives {computed}"


def rewritten(page: Path, computed: Callable[[str, tuple[str, ...]], str | None]) -> str:
    """The page's text with every figure as computed; those that can't be computed here stay."""
    text = source(page)
    for mark in reversed([m for m in marks(page) if isinstance(m, Mark)]):
        value = computed(mark.name, mark.arguments)
        if value is None or difference(mark, value) is None:
            continue
        values = [value] if mark.table else value.split()
        for (begin, end), one in reversed(list(zip(mark.spans, values, strict=True))):
            text = text[:begin] + one + text[end:]
    return without_aside(page, text)


def _marked(text: str, found: re.Match[str]) -> tuple[tuple[int, int], ...]:
    """The spans of the figures before a mark, or of the table after it; none where it marks nothing."""
    begin = text.rfind("\n", 0, found.start()) + 1
    if found.start() == begin and text.startswith("\n|", found.end()):
        end = re.compile(r"\n(?!\|)|\Z").search(text, found.end() + 1)
        return ((found.end() + 1, end.start() if end else len(text)),)
    before = _COMMENT.sub(lambda comment: " " * len(comment[0]), text[begin : found.start()])
    numbers = figures(before, found)
    if not numbers or not _AFTER.fullmatch(before, numbers[-1].end()):
        return ()
    return tuple((begin + n.start(), begin + n.end()) for n in numbers)


def figures(before: str, mark: re.Match[str]) -> list[re.Match[str]]:
    """The figures that a mark is of, in the text before it; a word can be one where the mark is of one figure."""
    count = int(mark["count"] or 1)
    numbers = list((_DIGITS if mark["count"] else _WORDS_TOO).finditer(before))[-count:]
    return numbers if len(numbers) == count else []


def _table_difference(written: str, computed: str) -> str | None:
    for here, there in zip(_rows(written), _rows(computed), strict=False):
        if here != there:
            return f"the page's table says {' | '.join(here)}; computed: {' | '.join(there)}"
    if len(_rows(written)) != len(_rows(computed)):
        return f"the page's table has {len(_rows(written))} lines; computed: {len(_rows(computed))}"
    return None


def _rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in table.splitlines()]


def _plain(figure: str) -> str:
    lower = figure.lower().replace(",", "").replace("−", "-").removeprefix("+")
    return str(WORDS.index(lower)) if lower in WORDS else lower
