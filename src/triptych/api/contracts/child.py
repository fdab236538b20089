"""Check a package in a child process: code of another package can end the process that imports it (`os._exit`)."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path

import msgspec

from triptych.api.contracts.result import PlugInCheck

_PROGRAM = "from triptych.api.contracts.child import main; main()"


class Task(msgspec.Struct):
    """The task of a child: the package, the model's name, the number of the first entry point, and the modules that
    ended another child, which are not imported again."""

    package: str
    model: str
    first: int
    without: list[str]


def checked_apart(package: str, model: str, points: Sequence[EntryPoint]) -> list[PlugInCheck]:
    """Return the result for each entry point of a package. If the child ends too early, the entry point that it was at
    has a fault, and another child goes on with the next one."""
    checks: list[PlugInCheck] = []
    without: list[str] = []
    while len(checks) < len(points):
        code = 0
        with _child() as child:
            try:
                checks += _results(child, Task(package, model, len(checks), without))
                code = child.wait()
            finally:
                child.kill()
        if len(checks) < len(points):
            point = points[len(checks)]
            without.append(point.value)
            fault = f"the process ended while this was checked, with exit code {code}: a plug-in must not end it"
            checks.append(PlugInCheck(point.group.partition(".")[2], point.name, point.value, (f"{fault} (os._exit)",)))
    return checks


def _child() -> subprocess.Popen[bytes]:
    path = [str(Path(folder).resolve()) for folder in sys.path]
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
    )


def _results(child: subprocess.Popen[bytes], task: Task) -> Iterator[PlugInCheck]:
    assert child.stdin is not None and child.stdout is not None
    child.stdin.write(msgspec.json.encode(task) + b"\n")
    child.stdin.flush()  # it stays open: the child ends when it closes
    for line in child.stdout:
        yield msgspec.json.decode(line, type=PlugInCheck)


def main() -> None:
    """Read a Task from standard input, and write a line for each entry point. What plug-ins print, also from C, goes to
    standard error."""
    from triptych.api.contracts.checking import checked, entry_points_of

    with os.fdopen(os.dup(1), "wb", buffering=0) as results:
        os.dup2(2, 1)
        task = msgspec.json.decode(_first_line(), type=Task)
        threading.Thread(target=_end_with_parent, daemon=True).start()
        sys.modules |= dict.fromkeys(task.without)  # type: ignore[arg-type]  # importing one of them is an error
        sys.stdin = io.StringIO()  # for plug-ins that ask something
        for point in entry_points_of(task.package)[task.first :]:
            results.write(msgspec.json.encode(checked(point, task.model)) + b"\n")
        sys.stdout.flush()
        os._exit(0)  # threads that plug-ins have started don't keep it


def _first_line() -> bytes:
    line = b""
    while not line.endswith(b"\n") and (byte := os.read(0, 1)):
        line += byte
    return line


def _end_with_parent() -> None:
    while os.read(0, 1):
        pass
    os._exit(1)
