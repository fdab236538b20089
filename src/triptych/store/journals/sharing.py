"""Let Items hold one object in place of several equal ones: there can be hundreds of thousands of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from sys import intern
from typing import Any

from msgspec.structs import force_setattr


def sharer() -> Callable[[Any], Any]:
    """Return a function that takes Items one by one and returns them with the Parts, options, labels and names that an
    Item before had already.

    The forms of an Instance have the same media and options, and all Items of a Task the same question: of the Items of
    XModBench, less than half of the memory is left.
    """
    values: dict[Any, Any] = {}

    def shared_value(thing: Any) -> Any:
        return values.setdefault(thing, thing)

    def shared(item: Any) -> Any:
        force_setattr(item, "parts", shared_value(tuple([shared_value(part) for part in item.parts])))
        force_setattr(
            item,
            "options",
            shared_value(
                tuple([shared_value(tuple([shared_value(part) for part in option])) for option in item.options])
            ),
        )
        force_setattr(item, "labels", shared_value(item.labels))
        for name in ("id", "task", "instance"):  # Scores have them, too
            force_setattr(item, name, intern(getattr(item, name)))
        return item

    return shared


def share_facets(items: Iterable[Any]) -> None:
    """Let Items with the same facets hold one dictionary, so that grouping by facets looks at each of the few once."""
    shared_facets: dict[tuple[tuple[str, str], ...], dict[str, str]] = {}
    for item in items:
        facets = item.facets
        shared = shared_facets.setdefault(tuple(facets.items()), facets)
        if shared is not facets:
            force_setattr(item, "facets", shared)
