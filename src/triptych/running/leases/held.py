"""Leases that workers have at the moment: their files, the replies in them, and who has been silent for how long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

from triptych.records import ErrorInfo, Request, Response
from triptych.running.leases.files import Grant, entry_of
from triptych.running.leases.queue import Lease, Queue
from triptych.running.leases.team import Member

Record = Callable[[Request, Response, Mapping[str, str]], None]


class Granted:
    """The leases in progress.

    `folder`: the place of their files; `session`: a name that no other session of the Run has, so that a zombie of
    another session has other files. `record(request, response, hashes)` journals a reply.
    """

    def __init__(self, folder: Path, session: str, queue: Queue, record: Record) -> None:
        self._folder, self._session, self._queue, self._record = folder, session, queue, record
        self._leases: dict[Grant, Lease] = {}
        self._holders: dict[Grant, Member] = {}
        self._last_reply: dict[Member, float] = {}  # when it last gave a reply, or a lease after it had none

    def __len__(self) -> int:
        return len(self._leases)

    @property
    def pending(self) -> int:
        """Number of Requests that workers have and that have no reply yet."""
        return sum(len(grant.pending) for grant in self._leases)

    def grant_lease(self, lease: Lease, member: Member) -> Grant:
        """Write the files of a lease for a worker. Raises RunFolderError."""
        name = f"{self._session}-{lease.number:06}-{lease.epoch}"
        grant = Grant.write(self._folder, name, lease.requests, lease.deaths)
        if member not in self._holders.values():
            self._last_reply[member] = _loop_time()
        self._leases[grant], self._holders[grant] = lease, member
        return grant

    def collect(self) -> int:
        """Journal the new replies of all workers; returns their number."""
        return sum(self._collect(grant) for grant in list(self._leases))

    def end(self, grant: Grant, *, again: bool = True) -> int:
        """Fence a grant, journal its last replies, and return what is left of its lease to the queue (`again`).

        Returns the number of these replies. A grant that has ended is left as it is.
        """
        lease = self._leases.pop(grant, None)
        if lease is None:
            return 0
        grant.fence()
        answered = self._collect(grant)
        holder = self._holders.pop(grant)
        if holder not in self._holders.values():
            self._last_reply.pop(holder)
        grant.remove()
        left = list(grant.pending.values())
        if again and (given_up := self._queue.give_back(lease, left, grant.answered)):
            why = f"the worker was lost {lease.deaths + 1} times with this Request"
            self._record(given_up, Response(*entry_of(given_up), "failed", error=ErrorInfo("worker", why)), {})
        return answered

    def end_all(self) -> None:
        """End all grants; nothing returns to the queue."""
        for grant in list(self._leases):
            self.end(grant, again=False)

    def end_silent(self, patience_s: float, *, again: bool = True) -> list[Member]:
        """End the grants of workers that have given no reply for longer than `patience_s`; returns these workers."""
        silent = {member for member in self._holders.values() if _loop_time() - self._last_reply[member] > patience_s}
        for grant in [grant for grant, holder in self._holders.items() if holder in silent]:
            self.end(grant, again=again)
        return list(silent)

    def _collect(self, grant: Grant) -> int:
        pending, answered = dict(grant.pending), 0
        for report in grant.collect():
            self._record(pending[report.response.entry], report.response, report.hashes)
            self._last_reply[self._holders[grant]] = _loop_time()
            answered += 1
        return answered


def _loop_time() -> float:
    return asyncio.get_running_loop().time()
