"""Models whose API key isn't set: replies in journals are found; an error is raised once something is to be asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from triptych.errors import SpecError, TriptychError
from triptych.models.adapter import Adapter, Reply, SimpleAdapter
from triptych.models.registry import load_adapter
from triptych.records import Kind, Request

_NOWHERE = "http://localhost/v1"  # never opened; adapters need no key for an address of one's own


class Unready(SimpleAdapter):
    """An adapter with the name, revision and settings of the model, which raises `error` when it is opened."""

    def __init__(self, model: Adapter, error: TriptychError) -> None:
        super().__init__(model.settings)
        self.name: str = model.name
        self.revision: str = model.revision
        self.error: TriptychError = error
        self.accepts: frozenset[Kind] = model.accepts
        self.deterministic: bool = model.deterministic

    async def open(self) -> None:
        """Raise the error: something is to be asked."""
        raise self.error

    async def respond(self, request: Request, prepared: Any) -> Reply:
        """Raise the error, as `open`."""
        raise self.error


def unready(model: str, settings: Mapping[str, Any], error: TriptychError) -> Unready | None:
    """Return an adapter in place of one that lacks only its API key; None if another cause prevents its loading.

    An endpoint's address is not part of a model's identity, so the identity is the one that it has with a key.
    """
    if settings.get("base_url"):
        return None
    try:
        return Unready(load_adapter(model, {**settings, "base_url": _NOWHERE}), error)
    except SpecError:
        return None
