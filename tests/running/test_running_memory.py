"""What a Run costs does not grow with the number of its Items: memory; and journals hold no media."""

from __future__ import annotations

import json
import subprocess
import sys
import wave
from pathlib import Path
from typing import Any

import pytest

from tests.support.mock_process import MockProcess
from tests.support.questions import question

MEGABYTE = 1_000_000

# `triptych` in a process that tells its own peak of memory at the end
TELLING = """
import json, sys
from pathlib import Path
from triptych.cli.main import main
try:
    main(sys.argv[2:])
except SystemExit as end:
    code = end.code
status = Path("/proc/self/status").read_text().splitlines()
peak = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
Path(sys.argv[1]).write_text(json.dumps({"code": code, "peak": peak}))
"""


def start(folder: Path, items: int, mock: MockProcess) -> subprocess.Popen[bytes]:
    """Start a Run over the first questions of `folder`."""
    out, told = folder / f"run-{items}", folder / f"told-{items}.json"
    command = ["run", "cmdar/main", "--model", "openai/mock", "--model-base-url", mock.base_url]
    command += ["--data", str(folder), "--limit", str(items), "--concurrency", "4", "--out", str(out)]
    quiet = subprocess.DEVNULL
    return subprocess.Popen([sys.executable, "-c", TELLING, str(told), *command], stdout=quiet, stderr=quiet)


def told_by(run: subprocess.Popen[bytes], folder: Path, items: int) -> dict[str, Any]:
    """Exit code and peak memory in bytes of the Run, at its end."""
    assert run.wait() == 0
    result: dict[str, Any] = json.loads((folder / f"told-{items}.json").read_text())
    return result


def write_data(folder: Path, items: int, size: int) -> None:
    """Questions, each with `size` bytes of audio of its own."""
    (folder / "MDAR-main.json").write_text(json.dumps([question(i) for i in range(items)]), "utf-8")
    for index in range(items if size else 0):
        path = folder / str(question(index)["audio_path"])
        path.parent.mkdir(parents=True, exist_ok=True)
        with wave.open(str(path), "wb") as file:  # a minute, at 2 MB
            file.setparams((1, 2, 16_000, 0, "NONE", ""))
            file.writeframes(bytes([index]) * size)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_memory_and_journals_do_not_grow_with_the_media(tmp_path: Path) -> None:
    size = 2 * MEGABYTE
    write_data(tmp_path, 40, size)
    with MockProcess() as mock:
        runs = {items: start(tmp_path, items, mock) for items in (8, 40)}  # at the same time: each has its own memory
        few, many = (told_by(run, tmp_path, items) for items, run in runs.items())
        assert mock.stats()["distinct"] == 40
    assert (few["code"], many["code"]) == (0, 0)
    # A third of the further media, so that what an allocator keeps from one time to the next isn't taken for a leak.
    assert many["peak"] - few["peak"] < 10 * size, "32 more Items hold 64 MB of audio, 85 MB of it as base64"
    written = sum(path.stat().st_size for path in (tmp_path / "run-40").rglob("*") if path.is_file())
    assert written < 40 * 5_000
