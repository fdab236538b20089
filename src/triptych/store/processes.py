"""Carry out jobs that don't depend on each other in several processes; `triptych.cores` does so in threads.

Each process is a fork: it shares what was read before, and its memory is free again when its job is done.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TypeVar

from triptych.cores import cores
from triptych.store.decoded import keep_little

Result = TypeVar("Result")
MAX_PROCESSES = 4  # processes at a time: each holds a copy of the records that it goes through
_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux's prctl: the signal that a process gets when its parent ends


def carried_out(jobs: Sequence[Callable[[], Result]], processes: int | None = None) -> list[Result]:
    """Return the results of the jobs in their order, which is also the order in which they are started.

    `processes`: how many jobs run at the same time; None: as many as there are cores, at most MOST. Where this process
    can't be forked safely (see `can_fork`), and for a single job, the jobs are carried out here, one after the other. A
    job whose process failed is carried out here again: its error is raised as if there were no processes.
    """
    at_once = min(processes or min(cores(), MAX_PROCESSES), len(jobs))
    results = _from_processes(jobs, at_once) if at_once > 1 and can_fork() else {}
    return [results[number] if number in results else job() for number, job in enumerate(jobs)]


def can_fork() -> bool:
    """Return whether a fork is safe: on Linux, if no other thread, which may hold a lock, runs in this process."""
    try:
        threads = [*Path("/proc/self/task").iterdir()]  # those of libraries, too
    except OSError:
        return False
    return len(threads) == 1 and not multiprocessing.current_process().daemon


def _from_processes(jobs: Sequence[Callable[[], Result]], at_once: int) -> dict[int, Result]:
    """Return the number and the result of each job whose process sent one."""
    results: dict[int, Result] = {}
    waiting = list(enumerate(jobs))
    running: dict[Connection, tuple[int, BaseProcess]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                number, job = waiting.pop(0)
                end, process = _started(job)
                running[end] = number, process
            ready = wait(list(running))
            for end in [end for end in running if end in ready]:
                number, process = running[end]
                with suppress(Exception):  # it ended without a result
                    results[number] = end.recv()
                process.join()
                end.close()
                del running[end]
    finally:
        for _, process in running.values():
            process.terminate()
            process.join()
    return results


def _started(job: Callable[[], Result]) -> tuple[Connection, BaseProcess]:
    context = multiprocessing.get_context("fork")
    end, other = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(job, other), daemon=True)
    process.start()
    other.close()
    return end, process


def _send(job: Callable[[], Result], to: Connection) -> None:
    """Send the result of a job; nothing if it fails."""
    ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL)
    keep_little()
    with suppress(BaseException):
        to.send(job())
