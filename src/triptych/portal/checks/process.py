"""The process of checks: started and watched by the server, restarted if a file ends it."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

PAUSE_S = 0.5  # between looks at an empty queue
NICE = 10  # pages go first


def work(project: str, db: str) -> None:
    """The process: check what waits, until it is ended. Signals of the terminal are the server's."""
    import os
    import signal

    from triptych.portal.checking import work_next
    from triptych.portal.project import open_portal
    from triptych.portal.sweeping import EVERY_S, sweep

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICE)
    portal = open_portal(Path(project), db, migrated=False)
    parent = multiprocessing.parent_process()
    swept = time.monotonic()  # the server swept before it started this process
    while parent is None or parent.is_alive():
        if time.monotonic() - swept > EVERY_S:
            sweep(portal)
            swept = time.monotonic()
        if not work_next(portal):
            time.sleep(PAUSE_S)


class Checker:
    """Runs the process, and starts it again when it ends before `stop`."""

    def __init__(self, project: Path, db: str, free: Callable[[], None]) -> None:
        self._arguments, self._free = (str(project), db), free
        self._ended = Event()
        self._starting = Lock()  # `stop` waits for a process that is being started; none is started after it
        self._context = multiprocessing.get_context("spawn")  # a fork would share the server's connections
        self._process: Any = None
        self._thread = Thread(target=self._watch, name="checks", daemon=True)

    def start(self) -> None:
        """Start the process."""
        self._thread.start()

    def stop(self) -> None:
        """End the process; a check in its middle is done again by the next one."""
        with self._starting:
            self._ended.set()
            if self._process is not None:
                self._process.terminate()
        if self._thread.is_alive():
            self._thread.join(10)

    def _watch(self) -> None:
        while not self._ended.is_set():
            self._free()
            with self._starting:
                if self._ended.is_set():
                    return
                process = self._context.Process(target=work, args=self._arguments, daemon=True, name="checks")
                process.start()
                self._process = process
            process.join()
            self._ended.wait(PAUSE_S)
