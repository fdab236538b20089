"""Find numbers in the documentation that nothing checks: unmarked, not in an example, and not exempt by their form.

Digits count, words don't. Code, headings and link targets are left out, and so are numbers in the form of a name, a
date or a reference (`NO_CLAIM`). For other figures that aren't recomputed, a comment gives the reason:

    <!-- figures: quoted -->

Before a heading it covers the section, otherwise the paragraph, list or table, up to the next blank line. `REASONS`
lists the reasons.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import marks
import sources

REASONS = {
    "quoted": "from a paper or a provider's documentation, which the text names",
    "vary": "times, speeds and sizes in memory, which depend on the machine",
    "measured": "measured once, on the day or the version that the text names; too long to repeat, or unavailable",
    "definition": "a rule, a formula, a scale, a format or a default, which tests of the code check",
    "illustration": "an invented case that explains a rule",
}
# Decisions keep the figures of their date; the command line's page is made from the code (`make docs`).
LEFT_OUT = ("docs/decisions/", "docs/cli.md", "docs/building-people.md", "docs/python-reference.md", "docs/stages.md")

_REASON = re.compile(r"^<!-- figures: (.*?) -->$")
_HEADING = re.compile(r"^(#+) ")
_FENCE = re.compile(r"^\s*(```|~~~)")
_LIST = r"\d[\d.]*(?:(?:, | and | or | to |-|–)\d[\d.]*)*"
# Text in one of these forms is a name, a date, a reference or part of a formula. The first that fits applies.
NO_CLAIM = [
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\]\([^)]*\)|https?://\S+|\b127\.0\.0\.1\b",
        r"\b\d{4}-\d\d(?:-\d\d)?\b|(?<![\d,.])(?:19|20)\d\d\b(?![,.]\d)",  # dates and years
        r"\b\d+\.\d+\.\d+\b|\bCC BY[\w-]* 4\.0",  # versions
        rf"\b(?:Python|Inspect|Typer|Pillow|PaddleOCR|transformers|version|HTTP/?|status|port|exit code)s? {_LIST}",
        rf"\b(?:table|figure|section|appendix|issue|decision|step|layer|row|option|index)s? {_LIST}",
        r"\b\d+% (?:confidence |bootstrap )?(?:intervals?|bands?)\b|\blevel of 5%|\bp < 0\.05\b",
        r"\b10\^-?\d+\b|\b\d+e-?\d+\b|[x×/*^] ?\d+(?:\.\d+)?\b|\b(?:n|[(]?1) [-–] 1?|\b\d+(?:\.\d+)? ?[×^]",
        r"[^\W\d][\w.+>-]*\d[\w.+-]*|(?<![\w.])\d[\d.]*(?:-?[^\W\d_]\w*)",  # F1, Qwen2.5-Omni, 8-bit, 16k
        r"(?<![\w.,-])[01](?![\w,.]*\d| of\b)",  # 0 and 1 alone: a bound, an answer, a sign
    )
]
_NUMBER = re.compile(r"(?<![\w.,])[-+−]?\d[\d,]*(?:\.\d+)?(?!\d)")


def unmarked(page: Path) -> Iterator[str]:
    """Each number that nothing checks, with its line and the words around it; and reasons that don't exist."""
    if str(page.relative_to(sources.ROOT) if page.is_relative_to(sources.ROOT) else page).startswith(LEFT_OUT):
        return
    lines = marks.source(page).splitlines()
    for number, text in enumerate(lines, 1):
        if (reason := _REASON.match(text)) and reason[1] not in REASONS:
            yield f"{number}: no reason {reason[1]!r}; known: {', '.join(REASONS)}"
    for line, text in _open_lines(lines):
        for found in _NUMBER.finditer(_stripped(text)):
            around = found.string[max(0, found.start() - 30) : found.end() + 30]
            yield f"{line}: {found[0].rstrip(',')}: nothing checks it ({' '.join(around.split())})"


def _open_lines(lines: list[str]) -> Iterator[tuple[int, str]]:
    """The lines outside code, headings and marked tables, and outside what a reason covers, with their numbers."""
    fenced = table = paragraph = False
    section = 0  # the level of the heading whose section a reason covers; 0: none
    for number, (before, line) in enumerate(zip(["", *lines], lines, strict=False), 1):
        fenced ^= bool(_FENCE.match(line))
        heading = _HEADING.match(line)
        reason = _REASON.match(before)
        if heading and not fenced:
            level = len(heading[1])
            section = 0 if section and level <= section else section
            section = level if reason and not section else section
        paragraph = bool(line.strip()) and not heading and (paragraph or bool(reason))
        table = line.startswith("|") and (table or bool(marks.MARK.fullmatch(before)))
        if not (fenced or heading or section or paragraph or table or line.startswith("    ")):
            yield number, line


def _stripped(line: str) -> str:
    """Return a line without marked figures, code, comments and text in an exempt form."""
    line = _without_marked(re.sub(r"(`+).+?\1", "`", line))
    line = re.sub(r"^\s*(?:[-*] |\d+\. )", "", line)
    line = re.sub(r"<!--.*?-->", "", line)
    for name in _names():
        line = line.replace(name, "")
    for pattern in NO_CLAIM:
        line = pattern.sub("", line)
    return line


def _without_marked(line: str) -> str:
    while found := marks.MARK.search(line):
        before = line[: found.start()]
        for number in reversed(marks.figures(before, found)):
            before = before[: number.start()] + before[number.end() :]
        line = before + line[found.end() :]
    return line


@cache
def _names() -> list[str]:
    """Names of published systems that hold digits, the longest first."""
    names = {row["model"] for benchmark in sources.benchmarks() for row in sources.published(benchmark)}
    names |= {name.partition(" ")[2] for name in names}  # "2.0 Flash" for "Gemini 2.0 Flash"
    return sorted((n for n in names if re.search(r"\d", n) and re.search("[A-Za-z]", n)), key=len, reverse=True)
