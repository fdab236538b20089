"""Requests that are left to ask: the rest of the plan, and leases whose worker was lost."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from triptych.records import Request

MIN_REQUESTS, MAX_REQUESTS = 20, 200  # Requests in a lease
_PER_WORKER = 4  # leases that each worker still gets at the current size, so that the last ones are small
SUSPECT = 3  # workers lost without a reply to a lease, after which the lease is divided


@dataclass(frozen=True)
class Lease:
    """Requests that one worker answers. `epoch`: number of earlier grants; `deaths`: workers that were lost with it
    since its last reply.
    """

    number: int
    requests: tuple[Request, ...]
    epoch: int = 0
    deaths: int = 0


def lease_size(left: int | None, workers: int) -> int:
    """Return the number of Requests of the next lease: fewer towards the end, so that no worker waits for another's.

    Example:
        >>> lease_size(100_000, 8), lease_size(1_000, 8), lease_size(10, 8), lease_size(None, 8)
        (200, 31, 20, 200)
    """
    return (
        MAX_REQUESTS if left is None else max(MIN_REQUESTS, min(MAX_REQUESTS, left // (_PER_WORKER * max(1, workers))))
    )


class Queue:
    """Leases in the order in which they are granted: those that were returned, the plan's, and then suspect ones.

    `plan`: Requests that have no Response yet. `left`: number of Requests of the plan that are left, if known.
    """

    def __init__(self, plan: Iterator[Request], left: Callable[[], int | None], workers: int) -> None:
        self._plan, self._left, self._workers = plan, left, workers
        self._returned: deque[Lease] = deque()
        self._suspects: deque[Lease] = deque()
        self._made, self._exhausted = 0, False

    @property
    def is_empty(self) -> bool:
        """True once the plan was read to its end and no lease is left."""
        return self._exhausted and not self._returned and not self._suspects

    def put_back(self, lease: Lease) -> None:
        """Take back a lease that was not granted; it is the next one."""
        self._returned.appendleft(lease)

    def next_lease(self, limit: int | None = None) -> Lease | None:
        """Return the next lease, of at most this number of Requests (1 or more); None if nothing is left."""
        if self._returned:
            return self._take_first(self._returned, limit)
        size = lease_size(self._left(), self._workers)
        if requests := tuple(islice(self._plan, size if limit is None else min(size, limit))):
            return self._new_lease(requests)
        self._exhausted = True
        return self.suspect_lease(limit)

    def suspect_lease(self, limit: int | None = None) -> Lease | None:
        """Return a lease that may end its worker, for a worker that has no other; None if there is none."""
        return self._take_first(self._suspects, limit) if self._suspects else None

    def give_back(self, lease: Lease, left: Sequence[Request], answered: int) -> Request | None:
        """Take back what a lost worker left of a lease.

        A lease without any reply is suspect: one of its Requests may have ended the worker. After `SUSPECT` lost
        workers it is divided, so that in the end a single Request is left, which is returned: it is not asked again.
        """
        if not left:
            return None
        deaths = 0 if answered else lease.deaths + 1
        if deaths >= SUSPECT and len(left) == 1:
            return left[0]
        again = Lease(lease.number, tuple(left), lease.epoch + 1, deaths)
        if deaths < SUSPECT:
            (self._suspects if deaths else self._returned).append(again)
            return None
        half = len(left) // 2
        for part in (left[:half], left[half:]):
            self._suspects.append(self._new_lease(tuple(part), SUSPECT - 1))
        return None

    def _take_first(self, leases: deque[Lease], limit: int | None) -> Lease:
        """Take the first lease; if it is too long, only its beginning."""
        lease = leases.popleft()
        if limit is None or len(lease.requests) <= limit:
            return lease
        leases.appendleft(replace(lease, requests=lease.requests[limit:]))
        return self._new_lease(lease.requests[:limit], lease.deaths)

    def _new_lease(self, requests: tuple[Request, ...], deaths: int = 0) -> Lease:
        self._made += 1
        return Lease(self._made, requests, deaths=deaths)
