"""What a model thinks aloud, told from what it says: in one place, for every protocol, judge and analysis."""

from __future__ import annotations

import re
from collections import deque

# `<think>` and its relatives; `◁think▷` is the form that some models write.
_TAG = re.compile(r"[<◁](/?)(?:think|thinking|thought)[>▷]", re.I)


def split_thinking(text: str) -> tuple[str, str | None]:
    """(what was said, what was thought): thoughts stand between `<think>` and `</think>`, one or several.

    A thought begins where a line does, or right behind another one; elsewhere the word is a mention. An end without any
    beginning before it ends a thought that the server's template began: all before it is thought. A beginning without
    an end is a thought that was cut off: all after it is thought. A text without thoughts comes back as it is, blanks
    and all, with None.
    """
    said: list[str] = []
    thought: deque[str] = deque()
    depth, last, mentioned, line = 0, 0, False, _Line(text)
    for mark in _TAG.finditer(text):
        begins = line.blank_until(mark.start())
        if not depth and (mentioned if mark[1] else not begins):
            mentioned = True
            line.skip_to(mark.end(), blank=False)
            continue
        (thought if depth or mark[1] else said).append(text[last : mark.start()])
        if mark[1] and not depth:  # all before it was thought, too
            thought.extendleft(reversed(said))
            said.clear()
        depth = max(0, depth + (-1 if mark[1] else 1))
        last = mark.end()
        line.skip_to(last, blank=True)
    if not last:
        return text, None
    (thought if depth else said).append(text[last:])
    return "".join(said).strip(), "\n".join(filter(None, map(str.strip, thought))) or None


class _Line:
    """Whether nothing but blanks stand on the line so far. Each character is read once: a reply may hold a tag a
    million times."""

    def __init__(self, text: str) -> None:
        self._text, self._read, self._blank = text, 0, True

    def blank_until(self, place: int) -> bool:
        """Whether nothing but blanks stand before `place` on its line."""
        _, newline, line = self._text[self._read : place].rpartition("\n")
        self.skip_to(place, blank=(self._blank or bool(newline)) and not line.strip())
        return self._blank

    def skip_to(self, place: int, *, blank: bool) -> None:
        """Go on at `place`; `blank`: whether what stands before it there counts as blank."""
        self._read, self._blank = place, blank
