"""A worker process: started in its own environment, asked, and killed if it doesn't do as it should."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from triptych.errors import WeightsError
from triptych.models.worker.frames import Broken, Reader, pack_message

INSIDE = Path(__file__).with_name("inside.py")
_TAIL = 4096  # bytes of its messages that an error quotes from
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL|AUTH", re.IGNORECASE)


class WorkerDied(Exception):
    """The worker ended, or was killed, before all its jobs were answered; the message says why."""


class WorkerProcess:
    """One process. Not safe for several threads, except `kill`."""

    def __init__(self, python: Path, head: Mapping[str, Any], *, start_s: float, silence_s: float, fetch: bool) -> None:
        """Start the process and wait until its model is loaded. Raises WeightsError if it can't be loaded."""
        self._silence_s = silence_s
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self._killed = ""
        try:
            self._process = subprocess.Popen(
                [str(python), "-I", str(INSIDE)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                env=environment(fetch=fetch),
                start_new_session=True,
            )
        except OSError as error:
            raise WeightsError("the worker's Python can't be started", got=str(error), where=python) from None
        assert self._process.stdin is not None and self._process.stdout is not None
        self._in, self._reader = self._process.stdin, Reader(self._process.stdout.fileno())
        self.accepts: tuple[str, ...] = self._load(head, start_s)

    def ask(self, jobs: Sequence[Mapping[str, Any]], answer_s: float) -> Iterator[dict[str, Any]]:
        """Send jobs and yield a message for each, in the order in which they are answered.

        Raises WorkerDied if the worker ends, is silent, gives no answer within `answer_s`, or answers something else.
        """
        open_jobs = {job["id"] for job in jobs}
        self._send({"op": "ask", "jobs": list(jobs)})
        since = time.monotonic()
        while open_jobs:
            left = answer_s - (time.monotonic() - since)
            if left <= 0:
                raise self._death_error(f"no answer within {answer_s:g} s")
            try:
                message = self._reader.message(min(self._silence_s, left))
            except Broken as error:
                if left < self._silence_s and "silent" in str(error):
                    continue
                raise self._death_error(str(error)) from None
            if message["op"] == "alive":
                continue
            if message["op"] not in ("answer", "failed") or message.get("id") not in open_jobs:
                raise self._death_error(f"it answered a question that was not asked ({message.get('id')!r})")
            open_jobs.remove(message["id"])
            since = time.monotonic()
            yield message

    @property
    def stopped(self) -> bool:
        """Whether `kill` was called."""
        return bool(self._killed)

    def kill(self, why: str = "") -> None:
        """End it and all its processes at once; from any thread."""
        self._killed = self._killed or why
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End it."""
        self.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._stderr):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def _load(self, head: Mapping[str, Any], start_s: float) -> tuple[str, ...]:
        ends = time.monotonic() + start_s
        try:
            self._reader.skip_to_hello(min(self._silence_s, start_s))
            self._send(head)
            while (message := self._reader.message(self._silence_s))["op"] == "alive":
                if time.monotonic() > ends:
                    raise Broken(f"its model was not loaded within {start_s:g} s")
            if message["op"] != "ready":
                raise Broken(str(message.get("error") or "it sent something else than `ready`"))
        except (Broken, WorkerDied) as error:
            why = self._death_error(str(error))
            self.close()
            raise WeightsError("the worker can't load the model", got=str(why)) from None
        except BaseException:
            self.close()
            raise
        return tuple(str(kind) for kind in message.get("accepts") or ())

    def _send(self, message: Any) -> None:
        try:
            self._in.write(pack_message(message))
            self._in.flush()
        except OSError:
            raise self._death_error("it ended") from None

    def _death_error(self, why: str) -> WorkerDied:
        """Kill it, and return why it died, with the end of what it printed."""
        self.kill()
        code = self._process.wait()
        if self._killed:
            why = self._killed
        elif why == "it ended":
            why = f"it was killed by signal {-code}" if code < 0 else f"it ended with exit code {code}"
        words_ = self._last_words()
        return WorkerDied(f"{why}; its last message: {words_}" if words_ else why)

    def _last_words(self) -> str:
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - _TAIL))
        lines = [line.strip() for line in self._stderr.read().decode("utf-8", "replace").splitlines() if line.strip()]
        return lines[-1][:500] if lines else ""


def environment(*, fetch: bool) -> dict[str, str]:
    """Return the variables for a worker: none that may be a key, except the Hub's token if it may download."""
    variables = {name: value for name, value in os.environ.items() if not _SECRET.search(name)}
    variables = {name: value for name, value in variables.items() if not name.startswith("PYTHON")}
    if fetch:
        return variables | {name: os.environ[name] for name in ("HF_TOKEN",) if name in os.environ}
    return variables | {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
