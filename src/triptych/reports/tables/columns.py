"""Text in terminal columns: its width (a Chinese character takes two columns) and its line breaks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence


def line_width(lines: Iterable[str]) -> int:
    """Return the width of the widest line in terminal columns; 0 without lines."""
    from rich.cells import cell_len

    return max((cell_len(line) for line in lines), default=0)


def wrapped(heading: str, width: int) -> list[str]:
    """Return lines no wider than `width` if words allow, broken at spaces, after hyphens and after slashes."""
    lines: list[str] = []
    for word in re.findall(r"[^\s/-]*[/-]+|[^\s/-]+\s*|\s+", heading):
        if lines and line_width([(lines[-1] + word).rstrip()]) <= width:
            lines[-1] += word
        else:
            lines.append(word)
    return [line.strip() for line in lines] or [""]


def chop(line: str, width: int) -> Sequence[str]:
    """Return pieces of at most `width` columns, broken anywhere."""
    from rich.cells import chop_cells

    return list(chop_cells(line, width)) or [""]


def pack(start: str, pieces: Iterable[str], width: int) -> Iterator[str]:
    """Join pieces into lines of at most `width`. A piece is never broken unless it is wider than a line."""
    line = start
    indent = " " * line_width([start])
    for piece in pieces:
        if line.strip() and line not in (start, indent) and line_width([line + piece]) > width:
            yield line
            line = indent
        line += piece
    yield line
