"""Roles whose replies were made elsewhere: `replay/NAME` with a table of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from weakref import WeakValueDictionary

from triptych.construction.tables import read_table
from triptych.errors import SpecError
from triptych.media.paths import resolve_inside
from triptych.models.adapter import Adapter
from triptych.models.replay import Replay
from triptych.records import Response


class _Replies(Mapping[str, Response]):
    """Replies by id, kept as their texts: a build may have hundreds of thousands."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts

    def __getitem__(self, id: str) -> Response:
        return Response(id, "", 0, "answered", self._texts[id])

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


_TABLES: WeakValueDictionary[tuple[Path, str], _Replies] = WeakValueDictionary()


def with_replies(adapter: Adapter, base: Path) -> Adapter:
    """Return the adapter; `replay/NAME` gets the replies of the table that its setting `path` names.

    The table (CSV, TSV or JSON lines) has `id`, the record's or what its question is about, and `text`. Its SHA-256 is
    part of the model's identity, so that another table is another model. Roles with the same table share it. Raises
    SpecError if no path is given, DataError for a table that can't be read.
    """
    if not isinstance(adapter, Replay):
        return adapter
    name = str(adapter.settings.get("path") or "")
    if not name:
        raise SpecError(f"{adapter.name} needs replies", fix='add settings = { path = "replies.jsonl" }')
    path = resolve_inside(base, name)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if (replies := _TABLES.get((path, digest))) is None:
        replies = _Replies({str(row["id"]): str(row["text"]) for row in read_table(path, ["id", "text"])})
        _TABLES[path, digest] = replies
    adapter.revision = digest[:16]
    adapter.load(replies)
    return adapter
