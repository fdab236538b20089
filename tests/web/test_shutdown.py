"""Tests of `web/shutdown.py`: a process that is told to end does so, whatever its threads are at."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading

import pytest

from triptych.web import shutdown
from triptych.web.shutdown import ending_at_signals

SERVER = """
import signal, threading, time
from triptych.web import shutdown
shutdown.LAST_S = 0.2
signal.signal(signal.SIGTERM, lambda *_: HANDLER)
signal.signal(signal.SIGINT, lambda *_: HANDLER)
signal.signal(signal.SIGUSR1, lambda *_: print("noted", flush=True))
with shutdown.ending_at_signals():
    print("ready", flush=True)
    while not over.wait(0.05):
        pass
print("ended by itself", flush=True)
"""
HANGS = "over = __import__('threading').Event()\n" + SERVER.replace("HANDLER", "None")
ENDS = "over = __import__('threading').Event()\n" + SERVER.replace("HANDLER", "over.set()").replace("= 0.2", "= 300")


def started(script: str) -> subprocess.Popen[str]:
    server = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None and server.stdout.readline() == "ready\n"
    return server


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_goes_on_is_ended_with_the_signals_exit_status(number: signal.Signals) -> None:
    with started(HANGS) as server:
        try:
            server.send_signal(number)
            assert server.wait(300) == 128 + number
            assert server.stdout is not None and server.stdout.read() == ""
        finally:
            server.kill()


def test_a_server_that_ends_in_time_ends_by_itself() -> None:
    with started(ENDS) as server:
        try:
            server.send_signal(signal.SIGTERM)
            assert server.wait(300) == 0
            assert server.stdout is not None and server.stdout.read() == "ended by itself\n"
        finally:
            server.kill()


def test_another_signal_ends_nothing() -> None:
    with started(HANGS) as server:
        try:
            server.send_signal(signal.SIGUSR1)
            assert server.stdout is not None and server.stdout.readline() == "noted\n"
            with pytest.raises(subprocess.TimeoutExpired):
                server.wait(0.6)
        finally:
            server.kill()


def test_nothing_of_it_stays_behind() -> None:
    before = signal.set_wakeup_fd(-1)
    try:
        with ending_at_signals():
            inside = signal.set_wakeup_fd(-1)
            assert inside >= 0
            signal.set_wakeup_fd(inside)
            watching = [thread for thread in threading.enumerate() if thread.name == "ending"]
            assert watching and all(thread.daemon for thread in watching)
        assert signal.set_wakeup_fd(-1) == -1
        for thread in watching:
            thread.join(60)
        assert not any(thread.is_alive() for thread in watching)
    finally:
        signal.set_wakeup_fd(before)


def test_in_another_thread_it_does_nothing() -> None:
    wakeups: list[str] = []

    def serve() -> None:
        with ending_at_signals():
            wakeups.extend(t.name for t in threading.enumerate() if t.name == "ending")

    thread = threading.Thread(target=serve)
    thread.start()
    thread.join(60)
    assert not thread.is_alive() and wakeups == []


def test_pages_have_time_before_the_process_ends() -> None:
    assert shutdown.LAST_S > shutdown.GRACE_S
