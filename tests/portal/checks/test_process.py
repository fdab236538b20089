"""Tests of `portal/checks/process.py`: the process of checks is started, and started again when something ends it."""

from __future__ import annotations

import os
import signal
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.portal.conftest import visitor
from tests.portal.recording.test_recording import RATE, SHOWS, send, sound, states
from tests.support.waiting import until
from triptych.media.sound.coding import encode_wav
from triptych.portal.checks.process import Checker
from triptych.portal.checks.queue import release
from triptych.portal.project import Portal
from triptych.portal.work.queues import NewTask, put_queue, put_tasks


@pytest.mark.slow
def test_a_process_that_something_ends_is_started_again_and_checks_what_waits(small: Portal) -> None:
    with small.database.writing() as connection:
        queue = put_queue(connection, "record", "recording", {}, None)
        put_tasks(connection, queue, [NewTask(f"w/{n}", "d", {"shows": SHOWS}, "w", n, 2) for n in range(2)])
    who, freed = visitor(small, "recorder"), [0]

    def free() -> None:
        freed[0] += 1
        release(small.database)

    checker = Checker(small.path, small.database.url.render_as_string(hide_password=False), free)
    checker.start()
    try:
        for number in (1, 2):
            who.client.get("/record/record")
            sent = send(who, encode_wav(sound(level=0.1 * number), RATE), number, task=number)
            assert sent.status_code == 201
            until(lambda number=number: len([s for s, _ in states(small) if s == "accepted"]) == number, "the check")
            if number == 1:
                os.kill(checker._process.pid, signal.SIGKILL)
                until(lambda: freed[0] == 2, "another process")
        assert freed[0] == 2  # before each process, so that it takes what the killed one had begun
    finally:
        checker.stop()
    assert not checker._process.is_alive() and not checker._thread.is_alive()


@pytest.mark.parametrize("moment", ["before", "while a process is prepared", "while a process is started"])
def test_a_checker_that_is_stopped_starts_no_process_any_more(
    tmp_path: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server may be ended at any moment, also in the first one: its end must not fail, and leaves no process."""
    reached, stopping = Event(), Event()

    def wait() -> None:
        reached.set()
        stopping.wait(30)

    checker = Checker(tmp_path / "none", "", wait if moment.endswith("prepared") else lambda: None)
    if moment == "before":
        checker.stop()
        assert checker._process is None
        return
    real = SpawnProcess.start
    if moment.endswith("started"):
        monkeypatch.setattr(SpawnProcess, "start", lambda process: (wait(), real(process)))
    checker.start()
    assert reached.wait(30)
    end = Thread(target=checker.stop)
    end.start()
    stopping.set()
    end.join(60)
    assert not end.is_alive() and not checker._thread.is_alive()
    assert checker._process is None or not checker._process.is_alive()
