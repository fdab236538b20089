"""Roles whose replies were made elsewhere: `replay/NAME` with a table of them."""

from __future__ import annotations

import hashlib
from pathlib import Path

from triptych.construction.tables import read_table
from triptych.errors import SpecError
from triptych.media.paths import resolve_inside
from triptych.models.adapter import Adapter
from triptych.models.replay import Replay
from triptych.records import Response


def with_replies(adapter: Adapter, base: Path) -> Adapter:
    """Return the adapter; `replay/NAME` gets the replies of the table that its setting `path` names.

    The table (CSV, TSV or JSON lines) has `id`, the record's or what its question is about, and `text`. Its SHA-256 is
    part of the model's identity, so that another table is another model. Raises SpecError if no path is given,
    DataError for a table that can't be read.
    """
    if not isinstance(adapter, Replay):
        return adapter
    name = str(adapter.settings.get("path") or "")
    if not name:
        raise SpecError(f"{adapter.name} needs replies", fix='add settings = { path = "replies.jsonl" }')
    path = resolve_inside(base, name)
    rows = read_table(path, ["id", "text"])
    adapter.revision = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    adapter.load({str(row["id"]): Response(str(row["id"]), "", 0, "answered", str(row["text"])) for row in rows})
    return adapter
