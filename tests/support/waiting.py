"""Waiting for a state instead of for a time.

until(lambda: mock.stats()["received"] == 8, "eight requests")
"""

from __future__ import annotations

import time
from collections.abc import Callable

HANGS_S = 600  # for what waits in another process or thread: only a hang takes so long, however busy the machine
PAGE_S = 90  # for a page, which does little at a time: it is in a wrong state if it takes so long


def until(state: Callable[[], object], what: str, seconds: float = HANGS_S, pause: float = 0.002) -> None:
    """Return as soon as the state has come; it is looked at again after each `pause`. Raises AssertionError, naming
    `what`, where it never does."""
    ends = time.monotonic() + seconds
    while not state():
        if time.monotonic() > ends:
            raise AssertionError(f"waited for {what} for {seconds:g} s")
        time.sleep(pause)
