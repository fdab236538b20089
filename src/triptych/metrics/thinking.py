"""What a model thinks aloud, told from what it says: in one place, for every protocol, judge and analysis."""

from __future__ import annotations

import re

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
    thought: list[str] = []
    depth, last, mentioned = 0, 0, False
    for mark in _TAG.finditer(text):
        words = text[last : mark.start()]
        if not mark[1]:
            if not depth and not _begins(words, bool(last)):
                mentioned = True
                continue
            (thought if depth else said).append(words)
            depth += 1
        elif depth:
            thought.append(words)
            depth -= 1
        elif not mentioned:
            thought = [*said, *thought, words]
            said = []
        else:
            continue
        last = mark.end()
    if not last:
        return text, None
    (thought if depth else said).append(text[last:])
    return "".join(said).strip(), "\n".join(filter(None, map(str.strip, thought))) or None


def _begins(before: str, after_another: bool) -> bool:
    """Whether nothing but blanks stand before it on its line; `before` begins behind another thought, or at the top."""
    line = before.rpartition("\n")[2]
    return not line.strip() and (after_another or "\n" in before or not before.strip())
