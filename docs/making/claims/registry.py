"""The functions that compute claimed figures, by the name that marks use."""

from __future__ import annotations

from collections.abc import Callable

from sources import Absent

Compute = Callable[..., str]
KNOWN: dict[str, Compute] = {}


def figure(function: Compute) -> Compute:
    """Make a function known to marks by its name; it takes the mark's arguments and returns the figure as printed."""
    KNOWN[function.__name__] = function
    return function


def computed(name: str, arguments: tuple[str, ...]) -> str:
    """The figure of one mark. Raises Absent without its data, LookupError where the mark names nothing."""
    if name not in KNOWN:
        raise LookupError(f"no figure {name!r}; known: {', '.join(sorted(KNOWN))}")
    return KNOWN[name](*arguments)


__all__ = ["KNOWN", "Absent", "Compute", "computed", "figure"]
