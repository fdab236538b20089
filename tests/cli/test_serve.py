"""Tests of `triptych serve`: the command that it prints, what it refuses, and that no process is left."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.models.serving.servers_for_tests import address, lives, pids, ready
from tests.support.waiting import until
from triptych.models.serving.server import is_occupied, running

pytestmark = pytest.mark.skipif(os.name == "nt", reason="vLLM runs on Linux")


def triptych(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "triptych", "serve", "qwen2.5-omni-7b", *words]
    # A shell that runs the tests in the background ignores SIGINT, and so would the command.
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=_heed_interrupts
    )


def _heed_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_is_left_however_the_command_ends(
    number: int, command: Sequence[str], port: int, tmp_path: Path
) -> None:
    with triptych("--port", str(port)) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == address(port)
        left = pids(tmp_path)
        process.send_signal(number)
        process.wait()
        until(lambda: not any(map(lives, left)), "the end of the server")
        assert process.returncode == (-9 if number == signal.SIGKILL else 0)


@pytest.mark.slow
def test_a_server_that_runs_is_used_and_another_one_is_not_disturbed(command: Sequence[str], port: int) -> None:
    with running(command, address(port)) as server:
        ready(server)
        with triptych("--port", str(port), "--json") as second:
            said, notes = second.communicate()
            assert second.returncode == 0 and json.loads(said)["base_url"] == address(port)
            assert "already serves" in notes
        assert server.exit_code is None
    with socket.create_server(("127.0.0.1", port)) as other:
        assert other.fileno() and is_occupied(address(port))
