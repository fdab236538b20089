"""Plug-ins whose import never ends: they are named, a signal ends the process, and a variable leaves them out."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.waiting import HANGS_S

HANGS = {  # `began` tells that the import is under way
    "loops": "while True:\n    pass",
    "sleeps": "import time\ntime.sleep(3600)",
    "catches": "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    "waits": "import os\nreader, writer = os.pipe()\nos.read(reader, 1)",
}


@pytest.fixture
def package(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    about = tmp_path / "hangplug-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: hangplug\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[triptych.metrics]\nslow = bp_slow\n[triptych.models]\nslow = bp_slow\n")
    (tmp_path / "bp_slow.py").write_text(f"print('began', flush=True)\n{HANGS[getattr(request, 'param', 'loops')]}\n")
    return tmp_path


def start(package: Path, *command: str, **environment: str) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(package), *filter(None, [os.environ.get("PYTHONPATH")])])
    code = "import triptych.importing as i; i.SLOW_S = 0.01; from triptych.cli.main import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path, **environment},
    )


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("package", HANGS, indirect=True)
def test_a_signal_ends_an_import_that_hangs(package: Path, number: signal.Signals) -> None:
    with start(package, "list", "metrics") as process:
        assert process.stdout and process.stderr
        printed = {process.stderr.readline(), process.stderr.readline()}  # what it prints is on standard error, too
        assert "began\n" in printed
        (still,) = printed - {"began\n"}
        process.send_signal(number)
        assert process.wait(HANGS_S) == 128 + number
        told = process.stderr.read()
    assert "still importing bp_slow of the package hangplug" in still
    assert "interrupted while importing bp_slow of the package hangplug" in told
    assert "TRIPTYCH_PLUGINS=none" in still and "TRIPTYCH_PLUGINS=none" in told and "Traceback" not in told


@pytest.mark.parametrize(("allowed", "imported"), [("none", False), ("other, hangplug", True)])
def test_a_variable_chooses_the_packages_whose_plug_ins_are_loaded(package: Path, allowed: str, imported: bool) -> None:
    (package / "bp_slow.py").write_text("print('began', flush=True)\nMETRICS = ()\n")
    with start(package, "list", "metrics", TRIPTYCH_PLUGINS=allowed) as process:
        told, errors = process.communicate(timeout=HANGS_S)
    assert process.returncode == 0, errors
    assert ("began" in errors) == imported and "cer" in told and "began" not in told
