"""Names of tasks for people: the title and the author of a work in place of its id."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import Connection, select, tuple_

from triptych.portal.store.tables import queues, tasks

BEGINNINGS = ("question", "text", "source", "transcript", "draft")  # what stands for a title
MAX_LENGTH = 20  # characters of a text in place of a title; twice as many of an alphabet


def title_of(body: Mapping[str, Any], key: str) -> str:
    """Return the title of a task's work, with its author; without a title, the beginning of its question, its text, or
    what it translates or transcribes; its id if it shows none.

    >>> title_of({"shows": {"title": "春晓", "author": "孟浩然"}}, "chunxiao/0"), title_of({}, "chunxiao/0")
    ('春晓 · 孟浩然', 'chunxiao/0')
    >>> title_of({"shows": {"text": "春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。"}}, "chunxiao/0")
    '春眠不觉晓，处处闻啼鸟。夜来风雨声，花落…'
    >>> title_of({"shows": {"source": ["Good morning.", "We map rivers."], "language_name": "German"}}, "t1/talk/de")
    'Good morning. We map rivers. (German)'
    """
    shows, helps = body.get("shows"), body.get("helps")
    shows = shows if isinstance(shows, Mapping) else {}
    if isinstance(helps, Mapping) and "title" not in shows:
        shows = {**shows, "title": helps.get("title")}
    named = [text for name in ("title", "author") if isinstance(text := shows.get(name), str) and text.strip()]
    beginnings = (*(_words(shows.get(name)) for name in BEGINNINGS), _question_text(body))
    title = " · ".join(named) if isinstance(shows.get("title"), str) and named else ""
    title = title or next((_beginning(text) for text in beginnings if text), "")
    language = shows.get("language_name")
    return f"{title} ({language})" if title and isinstance(language, str) and language else title or key


def titles_of_works(connection: Connection, works: Collection[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return the titles of works: (queue, work) -> the title of its first task; its id if that shows none."""
    wanted = tuple_(queues.c.name, tasks.c.work).in_(list(works))
    query = (
        select(queues.c.name, tasks.c.work, tasks.c.body)
        .select_from(tasks.join(queues, queues.c.id == tasks.c.queue_id))
        .where(wanted, tasks.c.place == 0)
        .order_by(tasks.c.id)
    )
    rows = connection.execute(query) if works else ()
    return {each: each[1] for each in works} | {(row.name, row.work): title_of(row.body, row.work) for row in rows}


def titles_of_tasks(connection: Connection, ids: Collection[int]) -> dict[int, str]:
    """Return the titles of tasks by their numbers."""
    rows = connection.execute(select(tasks.c.id, tasks.c.key, tasks.c.body).where(tasks.c.id.in_(ids))) if ids else ()
    return {row.id: title_of(row.body, row.key) for row in rows}


def _words(value: Any) -> str:
    """The words of a text, or of the texts of a list; empty for anything else."""
    texts = value if isinstance(value, list) else [value]
    return " ".join(" ".join(texts).split()) if all(isinstance(each, str) for each in texts) else ""


def _question_text(body: Mapping[str, Any]) -> str:
    """The first text of a survey's question."""
    question = body.get("question")
    item = question.get("item") if isinstance(question, Mapping) else None
    parts = item.get("parts", ()) if isinstance(item, Mapping) else ()
    return next((words for part in parts if (words := _words(part.get("text")))), "")


def _beginning(words: str) -> str:
    """The first words of a text; of Chinese half as many characters."""
    if len(words) <= MAX_LENGTH:
        return words
    cut = words[: MAX_LENGTH if words[:1] > "\u2e7f" else 2 * MAX_LENGTH].rstrip()
    return cut if cut == words else f"{cut}…"
