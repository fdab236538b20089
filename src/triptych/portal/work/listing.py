"""Lists of submissions, newest first, a page at a time: a page begins where the one before it ended, so that it takes
the same time at any depth, and shows nothing twice and leaves nothing out while results arrive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, true, tuple_

from triptych.portal.store.tables import submissions
from triptych.portal.work.queues import Queue


def page_of(query: Select[Any], queue: Queue, state: str, before: str, number: int) -> Select[Any]:
    """Return a query of submissions for one page. `before`: what `older` returned for the page before; empty for the
    first one, and for one that a browser has changed."""
    sent = submissions.c
    which = (sent.queue_id == queue.id) & (sent.state == state) & _older_than(before)
    return query.where(which).order_by(sent.received_at.desc(), sent.id.desc()).limit(number)


def next_page_start(rows: Sequence[Mapping[str, Any]], number: int) -> str:
    """Return where the next page begins; empty if the rows, of at most `number`, are the last ones."""
    return f"{rows[-1]['received_at']}-{rows[-1]['id']}" if len(rows) == number else ""


def _older_than(before: str) -> ColumnElement[bool]:
    at, dash, id = before.partition("-")
    if not (dash and at.isascii() and at.isdecimal() and len(at) < 16):
        return true()
    return tuple_(submissions.c.received_at, submissions.c.id) < (int(at), id)
