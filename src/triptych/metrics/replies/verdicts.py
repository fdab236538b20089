"""Lists that give each option its verdict: `A ✗ B ✓`, `❌ A. rain` above `✅ B. wind`, `A: false` above `B: true`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from triptych.metrics.replies.lazy_pattern import lazy_pattern
from triptych.metrics.replies.signs import Signs

_OPTION = r"L°?(?:[.):,\-]{0,2}L°)?"
_AFTER = rf"[\-#(]{{0,4}}(?P<labels>{_OPTION})[):.]?[:\-(]{{0,2}}(?P<verdict>[GWyX])\)?"
_BEFORE = rf"[\-#(]{{0,4}}(?P<verdict>[GWyX])[):\-]?(?P<labels>{_OPTION})\)?"
_BETWEEN = r"[,;.:|/\n¶]{0,3}"
_SIDES = (_AFTER, _BEFORE)
_ITEMS = tuple(map(lazy_pattern, _SIDES))
_NAMES = re.compile(r"\?P<[a-z]+>")
_RUNS = tuple(  # a run begins a line, or follows a stop
    lazy_pattern(rf"[.:\n¶](?:{_NAMES.sub('?:', item)}{_BETWEEN}){{2,26}}+(?:$|(?<=[.\n¶]))") for item in _SIDES
)


def verdicts(read: Signs) -> Iterator[tuple[int, int, bool]]:
    """Yield (position of the label in the signs, end of its verdict, whether it is denied) of the options in lists.

    A list has two options or more, each once, and all verdicts on the same side.

    Example:
        >>> from triptych.metrics.replies.signs import signs
        >>> [denied for *_, denied in verdicts(signs("A ✗ B ✗ C ✓", "ABC"))]
        [True, True, False]
    """
    for run, item in zip(_RUNS, _ITEMS, strict=True):
        for one in run.finditer("\n" + read.text):
            items = list(item.finditer(read.text, one.start(), one.end() - 1))
            labels = [_label(match, read) for match in items]
            if None not in labels and len(set(labels)) == len(labels):
                yield from ((match.start("labels"), match.end(), match["verdict"] in "WX") for match in items)


def _label(match: re.Match[str], read: Signs) -> int | None:
    """Return the label of an item; None if it has the words of another option next to it."""
    labels = {read.labels[at] for at in range(*match.span("labels")) if at in read.labels}
    return labels.pop() if len(labels) == 1 else None
