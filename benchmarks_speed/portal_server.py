"""`triptych portal serve` in processes of its own, for the portal's load test."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks_speed.viewer import cpu_seconds

WORKERS = 2
STARTED_CPU_S = 0.5  # of a worker that has imported what it needs


@dataclass
class Server:
    """`triptych portal serve` in processes of its own; its CPU time counts those that were killed as far as they are
    known."""

    project: Path
    url: str
    port: int = 0
    process: Any = None
    address: str = ""

    def start(self) -> None:
        """Start it, on the port that it had before."""
        command = [sys.executable, "-m", "triptych", "portal", "serve", "--project", str(self.project)]
        command += ["--port", str(self.port), "--workers", str(WORKERS)]
        while True:
            self.process = subprocess.Popen(
                command, stderr=subprocess.PIPE, text=True, env={**os.environ, "TRIPTYCH_PORTAL_DB": self.url}
            )
            line = self.process.stderr.readline()
            if found := re.search(r"http://127\.0\.0\.1:(\d+)", line):
                self.address, self.port = found[0], int(found[1])
                return
            self.process.wait()  # the port is still held by processes of the one that was killed
            time.sleep(0.2)

    def ready(self) -> None:
        """Wait until every worker answers: their processes take some seconds to start."""
        while len(self.workers()) < WORKERS or any(cpu_seconds(pid) < STARTED_CPU_S for pid in self.workers()):
            time.sleep(0.1)
        for _ in range(50):
            with urllib.request.urlopen(self.address) as answer:
                answer.read()

    def workers(self) -> list[int]:
        """The processes that answer requests: the children that hold the listening socket."""
        return [pid for pid in children(self.process.pid) if listens(pid)]

    def all(self) -> list[int]:
        """Every process of the server."""
        return [self.process.pid, *children(self.process.pid)]

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.communicate()


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    try:
        found = list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += [int(n) for n in (thread / "children").read_text().split() if int(n) not in found]
    except OSError:
        return []
    return found


def listens(pid: int) -> bool:
    """Whether a process was started to answer requests: the check process holds no socket that listens."""
    inodes = {line.split()[9] for line in Path("/proc/net/tcp").read_text().splitlines()[1:] if line.split()[3] == "0A"}
    try:
        links = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]
    except OSError:
        return False
    return any(link.startswith("socket:[") and link[8:-1] in inodes for link in links)


@contextmanager
def served(folder: Path, url: str) -> Iterator[Server]:
    """A server with an empty project."""
    server = Server(folder, url)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def rss(pid: int) -> float:
    """Peak resident MB of one process."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return sum(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))
