"""The result of checking an entry point."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlugInCheck:
    """The result for one entry point.

    Attributes:
        kind: `benchmarks`, `models`, `metrics`, `conditions`, `stages` or `recipes`.
        name: Name of the entry point.
        module: Module that it names.
        faults: What does not follow the contract; empty if nothing was found.
        notes: What could not be checked, and why; and what is allowed, but rarely meant.
    """

    kind: str
    name: str
    module: str
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
