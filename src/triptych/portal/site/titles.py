"""Names of tasks for people: the title and the author of a work in place of its id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def title_of(body: Mapping[str, Any], key: str) -> str:
    """Return the title of a task's work, with its author; its id if it shows no title.

    >>> title_of({"shows": {"title": "春晓", "author": "孟浩然"}}, "chunxiao/0"), title_of({}, "chunxiao/0")
    ('春晓 · 孟浩然', 'chunxiao/0')
    """
    shows = body.get("shows")
    shows = shows if isinstance(shows, Mapping) else {}
    named = [text for name in ("title", "author") if isinstance(text := shows.get(name), str) and text.strip()]
    return " · ".join(named) if isinstance(shows.get("title"), str) and named else key
