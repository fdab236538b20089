"""A lock file for one process at a time, released by the operating system when its holder ends."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def exclusive(path: Path, waiting: Callable[[], None], *, every: float = 0.2) -> Iterator[None]:
    """Hold the lock at `path`; `waiting` is called once if another process holds it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        is_waiting = False
        while not _try_lock(descriptor):
            if not is_waiting:
                waiting()
                is_waiting = True
            time.sleep(every)
        yield
    finally:
        os.close(descriptor)  # closing releases the lock


def _try_lock(descriptor: int) -> bool:
    """Return whether the lock could be acquired."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
