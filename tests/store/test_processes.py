"""Jobs in several processes give what they give one after the other."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.waiting import HANGS_S, until
from triptych.errors import SpecError
from triptych.store import processes
from triptych.store.processes import can_fork, carried_out


@pytest.fixture(autouse=True)
def forked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests' own threads hold no lock that these jobs need."""
    monkeypatch.setattr(processes, "can_fork", lambda: True)


def job(number: int) -> Callable[[], tuple[int, int]]:
    return lambda: (number, os.getpid())


@pytest.mark.parametrize("at_once", [1, 2, 3, 9])
def test_results_come_in_the_order_of_the_jobs(at_once: int) -> None:
    found = carried_out([job(number) for number in range(5)], at_once)
    assert [number for number, _ in found] == [0, 1, 2, 3, 4]
    assert len({pid for _, pid in found}) == (1 if at_once == 1 else 5)
    assert all((pid == os.getpid()) == (at_once == 1) for _, pid in found)


def test_no_job_and_one_job() -> None:
    assert carried_out([]) == []
    assert carried_out([job(1)], 4) == [(1, os.getpid())]


def test_an_error_is_raised_as_if_there_were_no_processes() -> None:
    def fails() -> tuple[int, int]:
        raise SpecError("no such thing", expected="another")

    with pytest.raises(SpecError, match="no such thing"):
        carried_out([job(1), fails], 2)


def test_what_a_process_could_not_send_is_computed_here() -> None:
    own = os.getpid()

    def killed() -> object:
        if os.getpid() != own:
            os.kill(os.getpid(), signal.SIGKILL)
        return "here"

    lock = threading.Lock()  # can't be sent
    assert carried_out([killed, lambda: lock, lambda: os.getpid() == own], 2) == ["here", lock, False]


def test_an_interrupt_ends_the_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(ends: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(processes, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        carried_out([lambda: time.sleep(HANGS_S)] * 2, 2)
    assert not multiprocessing.active_children()


def test_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    def waits() -> None:
        (tmp_path / f"{os.getpid()}").touch()
        time.sleep(HANGS_S)

    parent = multiprocessing.get_context("fork").Process(target=lambda: carried_out([waits] * 2, 2))
    parent.start()
    until(lambda: len([*tmp_path.iterdir()]) == 2, "two jobs")
    parent.kill()
    parent.join()
    for started in tmp_path.iterdir():
        until(lambda own=started.name: _ended(own), "the end of a job")


def _ended(pid: str) -> bool:
    try:
        return ") Z " in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True


def test_a_process_with_other_threads_is_not_forked() -> None:
    held = threading.Event()
    other = threading.Thread(target=held.wait)
    other.start()
    try:
        assert not can_fork()
    finally:
        held.set()
        other.join()
