"""Compute several parts of one result at the same time, in threads: numpy leaves the interpreter free meanwhile."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Part = TypeVar("Part")
Result = TypeVar("Result")
WAITING = 64 * 2**20  # bytes of results that may wait for an earlier one


def cores() -> int:
    """Return the number of cores that this process may use, at least 1."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(
    work: Callable[[Part], Result], parts: Iterable[Part], at_once: int | None = None, size: int = WAITING
) -> Iterator[Result]:
    """Yield `work` of each part, in the order of the parts, computed in as many threads as there are cores.

    The results don't depend on the number of threads if `work` depends on its part alone. While a part takes long, the
    results of later ones wait for it: as many as fit into 64 MiB, and at least one. `parts` is read in the thread of
    the caller. An exception of `work` is raised when its result is due.

    Args:
        work: Function of one part; it must be safe to call in several threads.
        parts: Arguments of `work`.
        at_once: Number of threads; None for one per core.
        size: Bytes of the largest result; by default, one result waits.

    Example:
        >>> list(in_order(abs, [-3, 2, -1], at_once=2))
        [3, 2, 1]
    """
    threads = cores() if at_once is None else at_once
    if threads < 2:
        yield from map(work, parts)
        return
    max_waiting = threads + max(1, WAITING // max(1, size))
    begun: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads, "cores") as pool:
        try:
            for part in parts:
                begun.append(pool.submit(work, part))
                if len(begun) >= max_waiting:
                    yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()
        finally:
            for left in begun:
                left.cancel()
