"""`worker/NAME`: a model that needs software of its own, in a process with that software."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from triptych.models.worker.settings import SETTINGS

if TYPE_CHECKING:
    from triptych.models.worker.adapter import WorkerAdapter

__all__ = ["ADAPTER", "SETTINGS", "make"]

ADAPTER = "a model with software of its own, in a process with that software: worker/NAME of the catalogue"


def make(name: str, settings: Mapping[str, Any]) -> WorkerAdapter:
    """Return the adapter for `worker/NAME`. Raises SpecError if something is missing; nothing is loaded yet."""
    from triptych.models.worker.adapter import WorkerAdapter

    return WorkerAdapter(name, settings)
