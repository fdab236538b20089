"""Names of tasks for people: the title and the author of a work in place of its id."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

MAX_LENGTH = 20  # characters of a text in place of a title; twice as many of an alphabet


def title_of(body: Mapping[str, Any], key: str) -> str:
    """Return the title of a task's work, with its author; without a title, the beginning of its text or question; its
    id if it shows none.

    >>> title_of({"shows": {"title": "春晓", "author": "孟浩然"}}, "chunxiao/0"), title_of({}, "chunxiao/0")
    ('春晓 · 孟浩然', 'chunxiao/0')
    >>> title_of({"shows": {"text": "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。"}}, "chunxiao/0")
    '春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知…'
    """
    shows = body.get("shows")
    shows = shows if isinstance(shows, Mapping) else {}
    named = [text for name in ("title", "author") if isinstance(text := shows.get(name), str) and text.strip()]
    if isinstance(shows.get("title"), str) and named:
        return " · ".join(named)
    for name in ("question", "text"):
        if isinstance(text := shows.get(name), str) and (words := " ".join(text.split())):
            return (
                words
                if len(words) <= MAX_LENGTH
                else f"{words[: MAX_LENGTH if _is_wide(words) else 2 * MAX_LENGTH].rstrip()}…"
            )
    return key


def _is_wide(text: str) -> bool:
    return text[:1] > "\u2e7f"
