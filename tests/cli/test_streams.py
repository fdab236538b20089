"""Closed, full and abandoned standard streams: a message or silence, never a traceback."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from triptych.cli.streams import why_not_written

FULL = Path("/dev/full")


def _done(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    shell = command.replace("triptych", f"{sys.executable} -m triptych")
    return subprocess.run(["sh", "-c", shell], cwd=cwd, capture_output=True, text=True, env={**os.environ})


@pytest.mark.parametrize("what", ["list metrics", "list metrics --json"])
def test_with_standard_output_closed_a_command_does_its_work(what: str, tmp_path: Path) -> None:
    done = _done(f"triptych {what} >&-", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("what", ["list metrics", "list metrics --json", "--version"])
def test_a_full_disk_behind_standard_output_is_one_message(what: str, tmp_path: Path) -> None:
    done = _done(f"triptych {what} > {FULL}", tmp_path)
    assert done.returncode == 2 and done.stderr.startswith("triptych: the output can't be written"), done.stderr
    assert "free some disk space" in done.stderr and "Traceback" not in done.stderr


def test_only_errors_of_a_disk_that_cannot_be_written_are_messages() -> None:
    assert why_not_written(OSError(errno.EINVAL, "Invalid argument")) is None
    message = why_not_written(OSError(errno.EROFS, "Read-only file system", "x/y"))
    assert message is not None and "where: x/y" in message and "what to do" not in message
