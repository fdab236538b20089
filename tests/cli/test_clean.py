"""Tests of `cli/clean.py`: no secret in a traceback, a warning or a message of another package."""

from __future__ import annotations

import subprocess
import sys

MARK = "Zq7xMarker"


def test_a_traceback_holds_none() -> None:
    script = f"from triptych.cli.clean import clean_tracebacks as c; c(); raise OSError('http://{MARK}@host/ failed')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "OSError: http://***@host/ failed" in done.stderr
