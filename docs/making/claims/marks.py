"""Marks in Markdown: a figure, and behind it a comment that names what computes it.

`66.53<!--= cmdar.constant longest main -->` is read as the figure 66.53, the name `cmdar.constant` and two arguments.
The comment is invisible on the site and on the repository's pages. `**66.53**<!--= … -->` works too.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

FIGURE = r"[-+−]?\d[\d,]*(?:\.\d+)?|no|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_MARK = re.compile(rf"(?P<figure>(?i:{FIGURE}))(?P<between>%?\*{{0,2}})<!--=\s*(?P<call>[^>]+?)\s*-->")
_WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


@dataclass(frozen=True)
class Mark:
    """One marked figure: where it stands, what is written there, and what computes it."""

    page: Path
    line: int
    figure: str
    name: str
    arguments: tuple[str, ...]

    @property
    def call(self) -> str:
        return shlex.join([self.name, *self.arguments])


def marks(page: Path) -> Iterator[Mark]:
    """All marks of a page, in order."""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        for found in _MARK.finditer(line):
            name, *arguments = shlex.split(found["call"])
            yield Mark(page, number, found["figure"], name, tuple(arguments))


def malformed(page: Path) -> Iterator[str]:
    """Comments that look like marks but stand behind no figure."""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.count("<!--=") != len(_MARK.findall(line)):
            yield f"{page}:{number}: a mark (<!--= … -->) must follow a figure directly"


def same(written: str, computed: str) -> bool:
    """Whether the figure on the page is the computed one; commas don't count, numbers up to twelve may be words."""
    return _plain(written) == _plain(computed)


def rewritten(page: Path, computed: Callable[[str, tuple[str, ...]], str | None]) -> str:
    """The page's text with every figure as computed; those that can't be computed here stay."""

    def put(found: re.Match[str]) -> str:
        name, *arguments = shlex.split(found["call"])
        value = computed(name, tuple(arguments))
        figure = found["figure"] if value is None or same(found["figure"], value) else value
        return figure + found[0][len(found["figure"]) :]

    return _MARK.sub(put, page.read_text(encoding="utf-8"))


def _plain(figure: str) -> str:
    lower = figure.lower().replace(",", "").replace("−", "-").removeprefix("+")
    return str(_WORDS.index(lower)) if lower in _WORDS else lower
