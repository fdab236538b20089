"""The media that a Run sent, as one hash: recordings that are replaced by others make another signature."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from triptych.records import Item


class SentMedia:
    """Collects the media of Items, by path and content hash; without those that were never read."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, str]] = set()

    def add(self, items: Iterable[Item]) -> None:
        """Add the media of the stems and options."""
        seen = self._seen
        for item in items:
            for part in item.parts:
                if part.sha256:
                    seen.add((part.path, part.sha256))
            for option in item.options:
                for part in option:
                    if part.sha256:
                        seen.add((part.path, part.sha256))

    @property
    def hash(self) -> str:
        """Return 8 hex digits that identify all files together, whatever their order; empty if there are none."""
        if not self._seen:
            return ""
        lines = "\n".join(f"{path} {content}" for path, content in sorted(self._seen))
        return hashlib.sha256(lines.encode("utf-8", "surrogateescape")).hexdigest()[:8]
