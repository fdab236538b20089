"""End a server on a signal, even if its pages are busy."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

GRACE_S = 3  # for pages that are being made
LAST_S = 5.0  # then the process ends, finished or not


@contextmanager
def ending_at_signals() -> Iterator[None]:
    """Within, SIGTERM or SIGINT ends this process LAST_S seconds later at the latest.

    The server's own handler runs in the main thread, and only once that gets to it; a page that hangs there, or in a
    thread that is waited for, would go on for ever. In another than the main thread, which gets no signals, this does
    nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours, other_end = socket.socketpair()
    other_end.setblocking(False)
    before = signal.set_wakeup_fd(other_end.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=[ours], name="ending", daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        other_end.close()


def _watch(ours: socket.socket) -> None:
    with suppress(OSError):
        while numbers := ours.recv(16):
            for number in numbers:
                if number in (signal.SIGTERM, signal.SIGINT):
                    time.sleep(LAST_S)
                    os._exit(128 + number)
