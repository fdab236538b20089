"""Boxes that are ticked or left empty (`[x] B`, `☐ A`), as the signs ✅ and ❌."""

from __future__ import annotations

from collections.abc import Sequence

from triptych.metrics.replies.lazy_pattern import lazy_pattern

_TICKED = lazy_pattern(r"(?<!\w)(?:\[[xX✓✔✅]\ufe0f?\]|\([✓✔✅●]\ufe0f?\)|[☑🗹]\ufe0f?)(?=\s*\S)")
_EMPTY = lazy_pattern(r"(?<!\w)(?:\[[ \u00a0]?\]|\([ \u00a0]?\)|[☐⬜▢]\ufe0f?)(?=\s*\S)")
_ASCII_HINTS, _HINTS = ("[x]", "[X]"), ("[", "(", "☑", "🗹")  # one is in each text with a ticked box
_X = frozenset("xX")


def without_boxes(text: str, labels: Sequence[str]) -> str:
    """Return a text with signs in place of boxes; an empty box means something only next to a ticked one.

    Unchanged if a label is X, since `[X]` is that label then.

    Example:
        >>> without_boxes("[ ] A\\n[x] B", "AB"), without_boxes("the word ( ) is", "AB")
        ('❌ A\\n✅ B', 'the word ( ) is')
    """
    hints = _ASCII_HINTS if text.isascii() else _HINTS
    if not any(hint in text for hint in hints) or _TICKED.search(text) is None or not _X.isdisjoint(labels):
        return text
    return _EMPTY.sub("❌", _TICKED.sub("✅", text))
