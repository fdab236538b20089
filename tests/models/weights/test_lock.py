"""Tests of `models/weights/lock.py`: one process at a time, and no lock that outlives its holder."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from triptych.models.weights.lock import exclusive

HOLDER = """
import sys
from pathlib import Path
from triptych.models.weights.lock import exclusive
with exclusive(Path(sys.argv[1]), lambda: None):
    print("held", flush=True)
    sys.stdin.read()
"""


def never() -> None:
    raise AssertionError("nobody holds the lock")


def test_a_free_lock_is_taken_at_once_and_given_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / ".set.lock"
    for _ in range(2):
        with exclusive(path, never):
            assert path.is_file()


def test_an_error_inside_gives_it_back(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="inside"), exclusive(tmp_path / "lock", never):
        raise ValueError("inside")
    with exclusive(tmp_path / "lock", never):
        assert (tmp_path / "lock").is_file()


def test_the_second_waits_and_says_so_once(tmp_path: Path) -> None:
    order: list[str] = []
    waiting = threading.Event()

    def wait() -> None:
        order.append("waiting")
        waiting.set()

    def second() -> None:
        with exclusive(tmp_path / "lock", wait, every=0.01):
            order.append("second")

    with exclusive(tmp_path / "lock", never):
        thread = threading.Thread(target=second)
        thread.start()
        assert waiting.wait(60)
        time.sleep(0.1)  # the second tries again several times
        order.append("first ends")
    thread.join(60)
    assert order == ["waiting", "first ends", "second"]


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path / "lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        try:
            assert holder.stdout is not None and holder.stdout.readline() == "held\n"
            said: list[str] = []

            def kill() -> None:
                said.append("waiting")
                holder.kill()

            with exclusive(tmp_path / "lock", kill, every=0.01):
                assert said == ["waiting"]
        finally:
            holder.kill()
