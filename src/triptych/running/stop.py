"""Ending a Run before its plan is finished: a signal, a spent budget, an invalid API key."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Stopped(Exception):
    """Raised in a waiting Request if the Run stops; the Request is left for the next session."""


class Stop:
    """Set once; Requests waiting in `sleep` wake up, those in progress may finish."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self.interrupted: bool = False
        self.fatal: bool = False
        self.event: asyncio.Event = asyncio.Event()
        self.at_once: asyncio.Event = asyncio.Event()

    @property
    def is_set(self) -> bool:
        """True if no further Requests may be sent."""
        return self.event.is_set()

    def set(self, reason: str, *, fatal: bool = False) -> None:
        """Send no further Requests. `fatal`: no other Request can succeed, so those in progress are cancelled, too."""
        if not self.is_set:
            self.fatal = fatal
            self.reason = reason
            self.event.set()
            if fatal:
                self.at_once.set()

    def interrupt(self) -> None:
        """Handle a signal: after the first, Requests in progress may finish; the second cancels them."""
        if self.interrupted:
            self.at_once.set()
        self.interrupted = True
        self.event.set()

    async def sleep(self, seconds: float) -> None:
        """Sleep, but raise Stopped as soon as the Run stops."""
        if self.is_set:
            raise Stopped
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.event.wait()
        if self.is_set:
            raise Stopped


@contextmanager
def heeding_signals(stop: Stop) -> Iterator[None]:
    """SIGINT and SIGTERM interrupt the Run; only the main thread receives signals (in a notebook, a Run is in another
    thread).
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {s: signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        loop.add_signal_handler(number, stop.interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
