"""Runs inside a model's own environment, which has no Triptych: standard library and the model's runner alone.

Started as `python -I inside.py`. The runner is a Python file with `load(source, options)`, which returns a model, and
`answer(model, messages, settings)`, which returns a text or a dict (`skipped`: why the model can't take the Request);
with `answers(model, requests)` it answers several at once. The messages of the protocol are described in `frames.py`.
What libraries print goes to standard error.
"""

from __future__ import annotations

import importlib.util
import json
import os
import queue
import struct
import threading
import traceback
from typing import Any

HELLO = b"\x00triptych worker 1\n"
ALIVE_S = 2.0


class Line:
    """The connection to Triptych, on copies of the descriptors that nothing else writes to."""

    def __init__(self) -> None:
        self._out, self._in = os.dup(1), os.dup(0)
        os.dup2(2, 1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        self._lock = threading.Lock()
        self.received: queue.Queue[Any] = queue.Queue()
        self._write(HELLO)
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._send_alive, daemon=True).start()

    def send(self, **message: Any) -> None:
        """Send a message."""
        body = json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass")
        self._write(struct.pack(">I", len(body)) + body)

    def _write(self, data: bytes) -> None:
        with self._lock:
            while data:
                data = data[os.write(self._out, data) :]

    def _read(self) -> None:
        """Receive messages; when Triptych has ended, also within a message, end at once, whatever the model does."""
        try:
            with os.fdopen(self._in, "rb") as stream:
                while len(head := stream.read(4)) == 4:
                    self.received.put(json.loads(stream.read(struct.unpack(">I", head)[0])))
        finally:
            os._exit(0)

    def _send_alive(self) -> None:
        while True:
            threading.Event().wait(ALIVE_S)
            self.send(op="alive")


def main() -> None:
    """Load the model, then answer until Triptych ends."""
    line = Line()
    head = line.received.get()
    try:
        runner = _runner(head["runner"])
        model = runner.load(head["source"], head["options"])
    except Exception as error:  # noqa: BLE001 - Triptych reports any error
        traceback.print_exc()
        line.send(op="broken", error=_words(error))
        return
    line.send(op="ready", accepts=list(getattr(runner, "ACCEPTS", ())))
    while True:
        _answer(line, runner, model, line.received.get()["jobs"])


def _runner(path: str) -> Any:
    spec = importlib.util.spec_from_file_location("triptych_runner", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _answer(line: Line, runner: Any, model: Any, jobs: list[Any]) -> None:
    if len(jobs) > 1 and hasattr(runner, "answers"):
        try:
            replies = list(runner.answers(model, [(job["messages"], job["settings"]) for job in jobs]))
        except Exception:  # noqa: BLE001 - each is tried alone, and only the one that causes it fails
            traceback.print_exc()
        else:
            if len(replies) == len(jobs):
                for job, one in zip(jobs, replies):  # noqa: B905 - runs on old versions of Python, too
                    _send(line, job["id"], one)
                return
    for job in jobs:
        try:
            _send(line, job["id"], runner.answer(model, job["messages"], job["settings"]))
        except Exception as error:  # noqa: BLE001 - a failure of this Request alone
            traceback.print_exc()
            kind = "out_of_memory" if "out of memory" in str(error).lower() else "internal"
            line.send(op="failed", id=job["id"], kind=kind, error=_words(error))


def _send(line: Line, job: int, replies: Any) -> None:
    line.send(op="answer", id=job, **({"text": replies} if isinstance(replies, str) else replies))


def _words(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"[:2000]


if __name__ == "__main__":
    main()
