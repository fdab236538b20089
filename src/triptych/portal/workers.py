"""The processes of a server: one or several that answer requests on one port, and the process of checks."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from triptych.portal.project import Portal, open_portal

PAUSE_S = 0.5  # before a process that ended is started again


@dataclass(frozen=True)
class Listening:
    """The settings of a process that answers requests. `project`, `db`: see `open_portal`."""

    project: Path
    db: str
    names: tuple[str, ...]
    certificate: Path | None
    key: Path | None


def answer(portal: Portal, listening: Listening, listener: socket.socket) -> None:
    """Answer requests in this process until a signal ends it."""
    import uvicorn

    from triptych.logs import use_level
    from triptych.portal.app import make_app
    from triptych.portal.patience import Doors, allow_many_files, protocol
    from triptych.web.shutdown import GRACE_S, ending_at_signals

    trusted = ("127.0.0.1", "::1", *portal.settings.proxies)
    allow_many_files()
    use_level("")  # a process of its own knows the level from the environment
    config = uvicorn.Config(
        make_app(portal, listening.names),
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        loop="asyncio",
        timeout_graceful_shutdown=GRACE_S,
        proxy_headers=True,
        forwarded_allow_ips=",".join(trusted),
        http=protocol(Doors(trusted)),
        ssl_certfile=listening.certificate,
        ssl_keyfile=listening.key,
    )
    with ending_at_signals():
        uvicorn.Server(config).run(sockets=[listener])


class Workers:
    """Processes that answer requests on one port. One that ends is started again; `stop` ends all of them."""

    def __init__(self, listening: Listening, listener: socket.socket, number: int) -> None:
        self._listening, self._listener = listening, listener
        self._context = multiprocessing.get_context("spawn")  # a fork would share connections to the database
        self._ended = threading.Event()
        self._processes: list[Any] = [None] * number
        self._threads = [threading.Thread(target=self._watch, args=[n], daemon=True) for n in range(number)]

    def run(self) -> None:
        """Start the processes and wait for a signal that ends this one."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._ended.set())
        for thread in self._threads:
            thread.start()
        while not self._ended.wait(3600):
            pass
        self.stop()

    def stop(self) -> None:
        """End the processes; requests that are being answered get a few seconds."""
        self._ended.set()
        for process in self._processes:
            if process is not None:
                process.terminate()
        for thread in self._threads:
            thread.join()

    def _watch(self, number: int) -> None:
        while not self._ended.is_set():
            arguments = (self._listening, self._listener)
            process = self._context.Process(target=_work, args=arguments, name=f"worker-{number}", daemon=True)
            process.start()
            self._processes[number] = process
            if self._ended.is_set():
                process.terminate()
            process.join()
            self._ended.wait(PAUSE_S)


def _work(listening: Listening, listener: socket.socket) -> None:
    """A process that answers requests. Ctrl-C in a terminal reaches it as well; its parent tells it to end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(lambda: os.kill(os.getpid(), signal.SIGTERM))
    portal = open_portal(listening.project, listening.db, migrated=False)
    try:
        answer(portal, listening, listener)
    finally:
        portal.close()


def end_with_parent(end: Callable[[], None]) -> None:
    """Call `end` once the process that started this one has ended, even if it was killed."""

    def watch() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
            end()

    threading.Thread(target=watch, name="parent", daemon=True).start()
