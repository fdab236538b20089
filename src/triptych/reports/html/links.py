"""Addresses in the viewer, as pages and reports link to them. They hold for as long as the Run folder keeps its name.

/runs/RUN/                    a Run; RUN is its folder's path below the viewer's root, with `~` between the names
/runs/RUN/items?…             its Items, filtered
/runs/RUN/items/KEY           one Item; KEY is a hash of its id, which can hold anything
/runs/RUN/items/KEY/origin    how the question was made, if its benchmark was built
/compare?a=RUN&b=RUN          two Runs
/live?run=RUN&run=RUN         Runs while they go on
/side?run=RUN&run=RUN         several Runs side by side
/checkpoints                  a figure over the checkpoints of one model
/notes?run=RUN                the form that hides, tags and notes Runs
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import PurePath
from urllib.parse import quote, urlencode

VIEWER = "http://127.0.0.1:8765"  # default address of `triptych view`, to which reports link
FACET = "f."  # prefix of facet names in a query, which keeps them apart from other parameters


def run_slug(relative: PurePath) -> str:
    """Return a Run's name in addresses: `xmodbench~local-cascade-1a2b3c4d`."""
    return "~".join(relative.parts)


def item_key(item_id: str) -> str:
    """Return sixteen hexadecimal digits that identify an Item's id in addresses."""
    return hashlib.sha256(item_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def run_path(run: str) -> str:
    """Return the address of a Run's page."""
    return f"/runs/{quote(run, safe='')}/"


def item_path(run: str, item_id: str, repeat: int = 0) -> str:
    """Return the permanent address of one reply."""
    return f"{run_path(run)}items/{item_key(item_id)}" + (f"?repeat={repeat}" if repeat else "")


def origin_path(run: str, item_id: str) -> str:
    """Return the address of the page that shows how a question was made."""
    return f"{run_path(run)}items/{item_key(item_id)}/origin"


def items_path(
    run: str,
    *,
    protocol: str = "",
    task: str = "",
    metric: str = "",
    slice_: Mapping[str, str] | None = None,
    figure: str = "",
) -> str:
    """Return the address of the Items behind a figure.

    `task` may be a leading path, `slice_` maps facets to values; `figure`: restrict these to the Tasks that the figure
    of this name is computed from.
    """
    parameters = {"protocol": protocol, "task": task, "metric": metric, "figure": figure}
    parameters |= {f"{FACET}{name}": value for name, value in (slice_ or {}).items()}
    query = urlencode({name: value for name, value in parameters.items() if value})
    return f"{run_path(run)}items" + (f"?{query}" if query else "")
