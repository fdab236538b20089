"""Replaying released results as a Run: each Item's Response comes from a table instead of a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from triptych.errors import ProviderError
from triptych.models.adapter import Reply, SimpleAdapter, take_settings
from triptych.records import Request, Response
from triptych.records.hashing import short_hash

ADAPTER = "replay/NAME -M path=…: results released by others, as a Run"


class Replay(SimpleAdapter):
    """Answers from a table {Item id: Response}, which the caller reads from `path`.

    An Item without an entry, or with a failure in its entry, is `failed` (kind `missing` if there is no entry).
    """

    reads_media = False
    decoding: frozenset[str] = frozenset[str]()

    def __init__(self, name: str, settings: Mapping[str, Any]) -> None:
        super().__init__(take_settings("replay", settings, {"path": "", "recover": False}))
        self.name: str = f"replay/{name}"
        self._table: Mapping[str, Response] = {}

    def load(self, responses: Mapping[str, Response]) -> None:
        """Set the table of answers. Their hash is the revision: other results at the same path are other answers."""
        self._table = responses
        replies = sorted((one.item, one.repeat, one.status, one.text) for one in responses.values())
        self.revision: str = f"results:{short_hash(replies)}"

    async def respond(self, request: Request, prepared: Any) -> Reply:
        """Return the Item's entry. Raises ProviderError if there is none, or if it is a failure."""
        entry = self._table.get(request.id)
        if entry is None:
            raise ProviderError("the results have no entry for this Item", kind="missing")
        if entry.status == "failed":
            error = entry.error
            raise ProviderError(error.message if error else "unanswered", kind=error.kind if error else "missing")
        return Reply(
            entry.text,
            entry.status,
            entry.finish_reason,
            entry.usage,
            entry.thinking,
            entry.intermediates,
            served_model=entry.served_model,
            adapter=entry.adapter,
        )


def make(name: str, settings: Mapping[str, Any]) -> Replay:
    """Return the replay adapter. Raises SpecError for an unknown setting."""
    return Replay(name, settings)
