"""How long the server waits for a request, and how many connections one address may hold.

Without these, some thousand connections that send half a request and stop would leave none for anybody else.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_S = 20.0  # from the beginning of a connection, or of the next request on it, to the end of the headers
SILENT_S = 30.0  # in the middle of a body, without a byte
SLOWEST = 1024  # bytes a second of a body, on average, after a minute
CHECK_INTERVAL_S = 5.0  # between two looks at a connection
MAX_CONNECTIONS = 512  # connections of one address; a class of 50 behind one address needs at most six each
LOG_INTERVAL_S = 60.0  # between two lines of the log about closed connections

_log = logging.getLogger("uvicorn.error")


class Doors:
    """Connections by address, and what is said about those that were closed. One for each process.

    `proxies`: addresses or networks of proxies, which hold the connections of everybody.
    """

    def __init__(self, proxies: Iterable[str] = (), max_connections: int = MAX_CONNECTIONS) -> None:
        self.proxies: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = [
            ipaddress.ip_network(each, strict=False) for each in proxies
        ]
        self.max_connections: int = max_connections
        self.open: Counter[str] = Counter[str]()
        self._closed, self._logged_at = 0, -LOG_INTERVAL_S

    def enter(self, address: str) -> bool:
        """Count a connection; False if the address has too many."""
        self.open[address] += 1
        return self.open[address] <= self.max_connections or self._is_proxy(address)

    def leave(self, address: str) -> None:
        """Count a connection that has ended."""
        self.open[address] -= 1
        if self.open[address] <= 0:
            del self.open[address]

    def log_closed(self, address: str, why: str) -> None:
        """Say that a connection was closed, in one line a minute at most."""
        self._closed += 1
        if time.monotonic() - self._logged_at >= LOG_INTERVAL_S:
            _log.warning("connections closed: %d; the last one, of %s: %s", self._closed, address, why)
            self._closed, self._logged_at = 0, time.monotonic()

    def _is_proxy(self, address: str) -> bool:
        try:
            located = ipaddress.ip_address(address)
        except ValueError:
            return False
        return any(located in network for network in self.proxies)


def protocol(doors: Doors) -> type[H11Protocol]:
    """Return uvicorn's protocol, with these limits."""

    class Patient(H11Protocol):
        """A connection that is closed if its request doesn't come."""

        def connection_made(self, transport: Any) -> None:
            """Begin to watch, or close at once."""
            super().connection_made(transport)
            self.address = self.client[0] if self.client else ""
            self.since = time.monotonic()
            self.last_received: float = self.since
            self.got = 0
            self.answered_cycle: Any = self.cycle
            self.watch: asyncio.TimerHandle | None = None
            if not doors.enter(self.address):
                doors.log_closed(self.address, f"it has more than {doors.max_connections} connections")
                transport.abort()
                return
            self._look_later()

        def data_received(self, data: bytes) -> None:
            """Notice when a request begins and when bytes come."""
            now = time.monotonic()
            if self._is_between_requests():
                self.since, self.got = now, 0
            self.last_received, self.got = now, self.got + len(data)
            super().data_received(data)

        def connection_lost(self, exc: Exception | None) -> None:
            """End the watch."""
            doors.leave(self.address)
            if self.watch is not None:
                self.watch.cancel()
            super().connection_lost(exc)

        def _is_between_requests(self) -> bool:
            """Whether the last request was answered and no byte of the next one is here."""
            done = self.cycle is not None and self.cycle.response_complete
            return done and self.cycle is not self.answered_cycle and self._note_answered()

        def _note_answered(self) -> bool:
            self.answered_cycle = self.cycle
            return True

        def _look_later(self) -> None:
            self.watch = self.loop.call_later(min(CHECK_INTERVAL_S, HEADER_S / 2, SILENT_S / 2), self._abort_if_late)

        def _abort_if_late(self) -> None:
            if why := self._too_late(time.monotonic()):
                doors.log_closed(self.address, why)
                self.transport.abort()
            else:
                self._look_later()

        def _too_late(self, now: float) -> str:
            waiting = self.cycle is None or self.cycle.response_complete
            if waiting:  # a connection that is kept alive has a timeout of its own
                idle = self.cycle is not None and self.cycle is not self.answered_cycle
                late = not idle and now - self.since > HEADER_S
                return f"no whole request came within {HEADER_S:g} s" if late else ""
            if not self.cycle.more_body:
                return ""
            if now - self.last_received > SILENT_S:
                return f"no byte of a body came for {SILENT_S:g} s"
            slow = now - self.since > 60 and self.got < SLOWEST * (now - self.since)
            return f"a body came with less than {SLOWEST} bytes a second" if slow else ""

    return Patient


def allow_many_files() -> None:
    """Raise the number of files and connections that this process may have open, as far as the system lets it."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(hard, 65_536) if hard != resource.RLIM_INFINITY else 65_536
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
