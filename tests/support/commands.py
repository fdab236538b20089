"""`triptych …` in a process of its own that starts at once.

A new interpreter takes a second of processor time to import what a Run needs, ten times what the Run of a test takes.
Here one process imports it once, and each command runs in a fork of it, with its own variables, folder and output: as
separate as any process, except for what an interpreter alone decides (`-P`, `PYTHONUTF8`, what is imported). Tests of
those start one themselves.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import pkgutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NoReturn

ROOT = Path(__file__).resolve().parents[2]
# What the commands of most tests import: these rooms and modules with all that is in them.
IMPORTED = (
    "numpy.random",
    "rich.progress",
    "rich.table",
    "triptych.analysis",
    "triptych.api",
    "triptych.benchmarks",
    "triptych.cli",
    "triptych.conditions",
    "triptych.experiment",
    "triptych.metrics",
    "triptych.models.baseline",
    "triptych.models.http",
    "triptych.models.openai.adapter",
    "triptych.models.replay",
    "triptych.protocols",
    "triptych.reports.files",
    "triptych.reports.report",
    "triptych.reports.tables",
    "triptych.reports.terminal",
    "triptych.running",
    "triptych.scoring",
)
_lock = threading.Lock()
_server: subprocess.Popen[bytes] | None = None


def triptych(
    *arguments: object, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command; its exit code and what it printed. `env`: all of its variables, instead of this process's."""
    command = list(map(str, arguments))
    with tempfile.NamedTemporaryFile() as out, tempfile.NamedTemporaryFile() as error:
        asked = {
            "command": command,
            "env": dict(os.environ if env is None else env),
            "cwd": str(cwd or Path.cwd()),
            "out": out.name,
            "error": error.name,
        }
        with _lock:
            code = _ask(asked)
        printed, said = out.read().decode(), error.read().decode()
    return subprocess.CompletedProcess(["triptych", *command], code, printed, said)


def _ask(asked: dict[str, Any]) -> int:
    global _server
    if _server is None or _server.poll() is not None:
        command = [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); "]
        command[-1] += "from tests.support.commands import serve; serve()"
        _server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
        atexit.register(_end)
    assert _server.stdin is not None and _server.stdout is not None
    _server.stdin.write(json.dumps(asked).encode() + b"\n")
    _server.stdin.flush()
    line = _server.stdout.readline()
    assert line, f"the process that starts commands has ended with {_server.wait()}"
    return int(line)


def _end() -> None:
    if _server is not None and _server.stdin is not None:
        _server.stdin.close()
        _server.wait()


def serve() -> None:
    """Run each command that standard input names in a fork, and write its exit code."""
    for name in IMPORTED:
        _import_all(name)
    gc.freeze()  # the forks share it
    os.fsync = lambda handle: None  # type: ignore[assignment]  # as in conftest.py
    sys.path.remove(str(ROOT))
    asking: IO[bytes] = os.fdopen(os.dup(0), "rb")
    answers = os.dup(1)
    for line in asking:
        asked = json.loads(line)
        child = os.fork()
        if not child:
            os.close(answers)
            asking.close()
            _run(asked)
        status = os.waitpid(child, 0)[1]
        os.write(answers, f"{os.waitstatus_to_exitcode(status)}\n".encode())


def _import_all(name: str) -> None:
    """Import a package with its modules, or a module; what needs a package that isn't installed is left out."""
    try:
        module = importlib.import_module(name)
    except ImportError:
        return
    for found in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{name}."):
        _import_all(found.name)


def _run(asked: dict[str, Any]) -> NoReturn:
    """Be the command."""
    code: object = 1
    try:
        for number, path, flags in (
            (0, os.devnull, os.O_RDONLY),
            (1, asked["out"], os.O_WRONLY | os.O_APPEND),
            (2, asked["error"], os.O_WRONLY | os.O_APPEND),
        ):
            handle = os.open(path, flags)
            os.dup2(handle, number)
            os.close(handle)
        os.environ.clear()
        os.environ.update(asked["env"])
        os.chdir(asked["cwd"])
        sys.path[:0] = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
        sys.argv = ["triptych", *asked["command"]]
        from triptych.cli.main import main

        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code
        except BaseException as error:  # noqa: BLE001 (as an interpreter does)
            sys.excepthook(type(error), error, error.__traceback__)
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        if isinstance(code, str):
            sys.stderr.write(f"{code}\n")
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code if isinstance(code, int) else 0 if code is None else 1)
