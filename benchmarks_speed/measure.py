"""Runs one command as a client process on a core of its own and measures what it cost."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path

CLIENT_CORE, SERVER_CORE = 0, 1
POLL = 0.02  # seconds between two looks at the memory
SHARED_POLL = 1.0  # the same for `tree_pss`, which takes some hundredths of a second for large processes


@dataclass(frozen=True)
class Cost:
    """What one process and all its children cost."""

    code: int
    wall: float  # seconds
    cpu: float  # seconds, user and system
    rss: float  # peak MB of the process and its children together: see `run`
    output: str  # both streams


def run(
    command: list[str],
    folder: Path,
    env: dict[str, str] | None = None,
    limit: float = 600,
    *,
    every_core: bool = False,
    most_mb: float = inf,
) -> Cost:
    """Run on the client's core to its end, or until it exceeds `limit` seconds or `most_mb`: the code is negative where
    it was killed.

    The memory is the sum of each process's own peak. `every_core`: run on all cores instead, for a command that starts
    processes which share memory; then it is the highest sum at one time, and what they share counts once.
    """
    log = folder / "output.txt"
    with log.open("wb") as sink:
        start = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env={**usual_environment(), **(env or {})},
            preexec_fn=use_every_core if every_core else pin_to_client_core,
        )
        watch = Watch(process.pid, limit, most_mb, *((tree_pss, SHARED_POLL) if every_core else ()))
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    watch.ended.set()
    watch.join()
    process.returncode = os.waitstatus_to_exitcode(status)
    cpu = usage.ru_utime + usage.ru_stime
    return Cost(process.returncode, wall, cpu, watch.rss, log.read_text("utf-8", "replace"))


def usual_environment() -> dict[str, str]:
    """Ours, with compiled modules kept (else every start compiles anew) and no proxy before the mock endpoint."""
    ours = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**ours, "OPENAI_API_KEY": "none", "NO_PROXY": "127.0.0.1"}


class Watch(threading.Thread):
    """Looks at a process's memory now and then, and kills the process at its limit of time or memory."""

    def __init__(
        self, pid: int, limit: float, most_mb: float, size: Callable[[int], float] | None = None, poll: float = POLL
    ) -> None:
        super().__init__(daemon=True)
        self.most_mb = most_mb
        self.pid, self.limit, self.rss, self.ended = pid, limit, 0.0, threading.Event()
        self.size, self.poll = size or tree_rss, poll
        self.start()

    def run(self) -> None:
        start, pause = time.perf_counter(), POLL / 10
        while not self.ended.wait(pause):
            self.rss = max(self.rss, self.size(self.pid))
            elapsed = time.perf_counter() - start
            pause = self.poll if elapsed > 0.5 else self.poll / 10
            if elapsed > self.limit or self.rss > self.most_mb:
                os.kill(self.pid, signal.SIGKILL)
                return


def pin_to_client_core() -> None:
    """On a machine with one core there is nothing to pin."""
    if (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, {CLIENT_CORE})


def use_every_core() -> None:
    """Undo the pinning of the process that measures."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1))


def server_core() -> int | None:
    """The core for the mock endpoint, if there is a second one."""
    return SERVER_CORE if (os.cpu_count() or 1) > 1 else None


def tree_rss(pid: int) -> float:
    """Peak resident MB so far of a process and all alive below it. (`ru_maxrss` would count ours before exec.)"""
    return sum(_megabytes(one, "status", "VmHWM:") for one in _tree(pid))


def tree_pss(pid: int) -> float:
    """Resident MB at present of a process and all alive below it; what several of them share counts once."""
    return sum(_megabytes(one, "smaps_rollup", "Pss:") for one in _tree(pid))


def _tree(pid: int) -> Iterator[int]:
    todo = [pid]
    while todo:
        yield (one := todo.pop())
        with suppress(OSError):  # it has ended
            todo += map(int, Path(f"/proc/{one}/task/{one}/children").read_text().split())


def _megabytes(pid: int, file: str, field: str) -> float:
    try:
        lines = Path(f"/proc/{pid}/{file}").read_text().splitlines()
    except OSError:  # it has ended
        return 0.0
    return sum(int(line.split()[1]) / 1024 for line in lines if line.startswith(field))


def folder_mb(folder: Path) -> float:
    """Megabytes (10^6) of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
