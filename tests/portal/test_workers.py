"""Several worker processes on one port: killed in mid-load, they lose and double nothing, and end with their parent."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from hashlib import sha256
from http.client import HTTPException
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from sqlalchemy import select

from tests.portal.conftest import Visitor, visitor
from tests.portal.recording.test_recording import facts
from tests.support.ports import free_port
from tests.support.waiting import until
from triptych.media.sound.coding import encode_wav
from triptych.portal.project import ENVIRONMENT, Portal
from triptych.portal.site.gate import SESSION
from triptych.portal.store.tables import receipts, submission_blobs, submissions
from triptych.portal.work.queues import NewTask, put_queue, put_tasks
from triptych.portal.workers import Listening, Workers

RATE = 48_000
READERS, CLIPS = 6, 6


class Server:
    """`triptych portal serve --workers 2` on a portal's own project and database."""

    def __init__(self, portal: Portal) -> None:
        url = portal.database.url.set(drivername=portal.database.url.get_backend_name())
        self.env = {**os.environ, ENVIRONMENT: url.render_as_string(hide_password=False)}
        self.command = [sys.executable, "-m", "triptych", "portal", "serve", "--project", str(portal.path)]
        self.command += ["--workers", "2", "--port"]
        self.port = str(free_port())  # it starts a second time on the same one
        self.start()

    def start(self) -> None:
        """Start it, as soon as its port is free."""
        while True:
            self.process = subprocess.Popen([*self.command, self.port], stderr=subprocess.PIPE, text=True, env=self.env)
            assert self.process.stderr is not None
            line = self.process.stderr.readline()
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                self.address = found[0]
                return
            more = self.process.communicate()[1]
            assert "address is not available" in line + more, line + more

    def processes(self) -> list[int]:
        """The processes that it has started: those that answer, and the one of the checks."""
        found: list[int] = []
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            with suppress(OSError):  # a thread, or a process, may end meanwhile
                children = (task / "children").read_text().split()
                found += [int(pid) for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        return found

    def answers(self) -> bool:
        """Whether it answers at present."""
        try:
            with urllib.request.urlopen(self.address, timeout=60) as answer:
                return bool(answer.status == 200)
        except (OSError, HTTPException):
            return False


@contextmanager
def served(portal: Portal) -> Iterator[Server]:
    server = Server(portal)
    try:
        until(server.answers, "the first answer")
        yield server
    finally:
        server.process.send_signal(signal.SIGTERM)
        _, said = server.process.communicate(timeout=600)
        assert "Traceback" not in said


def wav(number: int) -> bytes:
    time_ = np.arange(RATE) / RATE
    return encode_wav((0.3 * np.sin(2 * np.pi * (200 + number) * time_)).reshape(-1, 1), RATE)


def ask(server: Server, who: Visitor, path: str, data: bytes | None = None, **headers: str) -> str:
    """Ask until there is an answer, as a browser does with a recording; another answer than 2XX is an error."""
    own = {"cookie": f"{SESSION}={who.client.cookies[SESSION]}", "accept": "text/html", **headers}
    while True:
        request = urllib.request.Request(server.address + path, data, own, method="PUT" if data else "GET")
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return str(answer.read().decode())
        except urllib.error.HTTPError:
            raise
        except (OSError, HTTPException):  # also a process that was killed in the middle of its answer
            time.sleep(0.05)


@pytest.mark.slow
def test_killed_processes_lose_and_double_nothing(portal: Portal) -> None:
    with portal.database.writing() as connection:
        queue = put_queue(connection, "record", "recording", {"slots": ["man", "woman"]}, None)
        new = [NewTask(f"w{n // 3}/{n}", "d", {"shows": {"text": "床"}}, f"w{n // 3}", n % 3, 2) for n in range(60)]
        put_tasks(connection, queue, new)
    readers = [visitor(portal, "recorder", gender="man" if n % 2 else "woman") for n in range(READERS)]
    got: dict[str, str] = {}

    def read(number: int) -> None:
        who = readers[number]
        for turn in range(CLIPS):
            page = ask(server, who, "/record/record")
            task = page.partition('data-task="')[2].partition('"')[0]
            data, id = wav(100 * number + turn), f"recording-{number:04}-{turn:04}"
            told = {
                "x-form-token": who.token,
                "x-content-sha256": sha256(data).hexdigest(),
                "x-facts": json.dumps(msgspec.to_builtins(facts(1.0))),
            }
            receipt = json.loads(ask(server, who, f"/record/record/{task}/{id}", data, **told))
            got[id] = receipt["sha256"]

    with served(portal) as server, ThreadPoolExecutor(READERS) as pool:
        working = [pool.submit(read, number) for number in range(READERS)]
        for share in (5, 12):
            until(lambda share=share: len(got) >= share, f"{share} receipts")
            until(lambda: len(server.processes()) == 3, "all processes")  # two that answer, and the checks
            for pid in server.processes():
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        until(lambda: len(got) >= 20, "20 receipts")
        server.process.kill()
        server.process.communicate()
        server.start()
        for each in working:
            each.result()
        until(lambda: len(rows(portal)) == READERS * CLIPS, "the last row")
    assert dict(rows(portal)) == got
    with portal.database.reading() as connection:
        named = connection.execute(select(submission_blobs.c.sha256).where(submission_blobs.c.form == "original"))
        assert sorted(named.scalars()) == sorted(got.values())
    for name in got.values():
        with portal.blobs.open_file(name) as file:
            assert sha256(file.read()).hexdigest() == name


def rows(portal: Portal) -> list[Any]:
    with portal.database.reading() as connection:
        return [tuple(row) for row in connection.execute(select(submissions.c.id, receipts.c.sha256).join(receipts))]


@pytest.mark.slow
def test_processes_end_with_a_parent_that_was_killed(small: Portal) -> None:
    server = Server(small)
    until(server.answers, "the first answer")
    until(lambda: len(server.processes()) == 3, "all processes")  # two that answer, and the checks
    started = server.processes()
    server.process.kill()
    server.process.communicate()
    until(lambda: not any(Path(f"/proc/{pid}/stat").exists() and not ended(pid) for pid in started), "their end")


def ended(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_workers_that_are_ended_while_they_start_end_and_leave_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signal may come in any moment: also after a process was made, and before it was started."""
    real, faults = SpawnProcess.start, list[BaseException]()

    def stop() -> None:
        try:
            workers.stop()
        except BaseException as error:  # noqa: BLE001
            faults.append(error)

    ending = threading.Thread(target=stop)

    def start(process: SpawnProcess) -> None:
        ending.start()
        ending.join(0.2)  # it waits for this thread, or fails at once
        real(process)

    monkeypatch.setattr(SpawnProcess, "start", start)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        workers = Workers(Listening(tmp_path / "none", "", ("127.0.0.1",), None, None), listener, 1)
        workers._threads[0].start()
        until(lambda: ending.ident is not None, "the end")
        ending.join(60)
        workers._threads[0].join(60)
    assert not faults and not ending.is_alive() and not workers._threads[0].is_alive()
    assert not workers._processes[0].is_alive()
