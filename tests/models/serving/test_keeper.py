"""Tests of `models/serving/keeper.py`: a command ends with who started it, with all its processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.waiting import until
from triptych.models.serving import keeper

KEEPER = Path(keeper.__file__)
pytestmark = pytest.mark.skipif(os.name == "nt", reason="servers run on Linux")


def kept(code: str, grace_s: float = 300) -> subprocess.Popen[str]:
    """A kept Python, in a group of its own as of a server."""
    command = [sys.executable, "-I", str(KEEPER), str(grace_s), sys.executable, "-I", "-c", code]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def end(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.close()


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("raise SystemExit(0)", 0),
        ("raise SystemExit(7)", 7),
        ("import os; os.kill(os.getpid(), 9)", 137),
        ("import os; os.kill(os.getpid(), 15)", 143),
    ],
)
def test_its_exit_code_is_the_commands(code: str, status: int) -> None:
    with kept(code) as process:
        assert process.wait(300) == status


def test_the_end_of_standard_input_ends_the_command() -> None:
    with kept("import time; print('up', flush=True); time.sleep(600)") as process:
        assert line(process) == "up"
        end(process)
        assert process.wait(300) == 128 + signal.SIGTERM


def test_a_command_may_end_in_its_own_way() -> None:
    code = "import signal, sys, time; signal.signal(15, lambda *_: sys.exit(5)); print('up', flush=True)"
    with kept(f"{code}; time.sleep(600)") as process:
        assert line(process) == "up"
        end(process)
        assert process.wait(300) == 5


def test_a_command_that_does_not_heed_is_killed_after_its_time() -> None:
    code = "import signal, time; signal.signal(15, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
    with kept(code, grace_s=0.1) as process:
        assert line(process) == "up"
        end(process)
        assert process.wait(300) == 128 + signal.SIGKILL


@pytest.mark.parametrize("first", ["", "raise SystemExit"])
def test_processes_that_it_started_end_too(first: str) -> None:
    """Whether the command is told to end, or ends and leaves them behind."""
    child = "import time; time.sleep(600)"
    code = f"""
import subprocess, sys, time
print(subprocess.Popen([sys.executable, "-I", "-c", {child!r}], stdout=subprocess.DEVNULL).pid, flush=True)
{first}
time.sleep(600)
"""
    with kept(code) as process:
        pid = int(line(process))
        if not first:
            end(process)
        process.wait(300)
        until(lambda: not lives(pid), "the end of what it started")


def test_it_is_not_ended_by_a_signal_to_it_alone() -> None:
    """Otherwise a server would stay behind, without a keeper."""
    with kept("import time; print('up', flush=True); time.sleep(600)") as process:
        assert line(process) == "up"
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process.send_signal(number)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.2)
        end(process)
        assert process.wait(300) == 128 + signal.SIGTERM


def test_signals_reach_the_command_as_usual() -> None:
    code = "import signal; print([signal.getsignal(n) == signal.SIG_DFL for n in (15, 1)], flush=True)"
    with kept(code) as process:
        assert line(process) == "[True, True]"
        assert process.wait(300) == 0
