"""A server process: started, waited for until it answers, and ended together with all its processes."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from triptych.errors import SpecError
from triptych.models.catalogue import same_model

KEEPER = Path(__file__).with_name("keeper.py")
GRACE_S = 20.0  # between SIGTERM and SIGKILL; vLLM frees its GPUs meanwhile
PATIENCE_S = 5.0  # for one reply
EVERY_S = 1.0  # between two questions whether it is ready
REPORT_S = 30.0
_MAX_LIST_BYTES = 1 << 20  # bytes of a list of models


class Server:
    """A server that this process started. `address` is its base URL."""

    def __init__(self, address: str, process: subprocess.Popen[bytes]) -> None:
        self.address: str = address
        self._process = process

    @property
    def exit_code(self) -> int | None:
        """Its exit code; None while it runs."""
        return self._process.poll()

    def wait(self) -> int:
        """Wait until it ends, and return its exit code."""
        return self._process.wait()

    def until_ready(self, model: str, wait_s: float, report: Callable[[str], None], *, every: float = EVERY_S) -> None:
        """Wait until it is healthy and lists the model. Raises SpecError if it ends before, or isn't ready in time."""
        began, reported_s = time.monotonic(), 0.0
        while True:
            if (code := self.exit_code) is not None:
                raise SpecError(
                    "the server ended before it was ready", got=f"exit code {code}", fix="its messages are above"
                )
            if healthy(self.address) and (names := served_at(self.address)) is not None:
                return check_serves(model, names, self.address)
            waited = time.monotonic() - began
            if waited > wait_s:
                raise SpecError(
                    "the server is not ready in time",
                    expected=f"within {wait_s:g} s (--wait)",
                    fix="its messages are above",
                )
            if waited - reported_s >= REPORT_S:
                reported_s = waited
                report(f"waiting for the server since {waited:.0f} s")
            time.sleep(every)

    def stop(self, grace_s: float = GRACE_S) -> None:
        """End it and all its processes; returns when they have ended."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(grace_s + PATIENCE_S)
        except subprocess.TimeoutExpired:  # the keeper hangs
            self._process.kill()
            self._process.wait()


@contextmanager
def running(command: Sequence[str], address: str, *, grace_s: float = GRACE_S) -> Iterator[Server]:
    """Start a command for the time of the context. It also ends if this process is killed.

    Its output goes to standard error. Raises SpecError if the program doesn't exist.
    """
    if (program := shutil.which(command[0])) is None:
        raise SpecError(
            f"the program {command[0]} is not installed",
            expected="vLLM or SGLang on this computer",
            fix="install the server in an environment of its own, and name its program with --program; or type the "
            "command (--dry-run) on the machine that has it",
        )
    parts = [sys.executable, "-I", str(KEEPER), str(grace_s), program, *command[1:]]
    # `python -m sglang…` would import modules from the current folder, which can be anybody's.
    safe = {**os.environ, "PYTHONSAFEPATH": "1"}
    process = subprocess.Popen(parts, stdin=subprocess.PIPE, stdout=2, stderr=2, start_new_session=True, env=safe)
    server = Server(address, process)
    try:
        yield server
    finally:
        server.stop(grace_s)


def check_serves(model: str, names: Sequence[str], address: str) -> None:
    """Raise SpecError if a server lists other models than the wanted one."""
    if not any(same_model(model, name) for name in names):
        raise SpecError(
            f"the server at {address} serves another model",
            expected=model,
            got=", ".join(names[:5]) or "no model",
            fix="choose another --port, or end that server",
        )


def served_at(address: str) -> list[str] | None:
    """Return the names of the models that an endpoint serves; None if nothing answers there as an endpoint does."""
    try:
        listed = json.loads(_get(f"{address}/models"))["data"]
        return [str(one["id"]) for one in listed]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        return None


def healthy(address: str) -> bool:
    """Return whether a server's `/health` answers without an error."""
    try:
        _get(f"{address.removesuffix('/v1')}/health")
    except (OSError, http.client.HTTPException):
        return False
    return True


def is_occupied(address: str) -> bool:
    """Return whether anything answers at the address, whatever it says."""
    try:
        _get(f"{address}/models")
    except urllib.error.HTTPError:
        return True
    except urllib.error.URLError as error:
        return not isinstance(error.reason, ConnectionRefusedError)
    except (OSError, http.client.HTTPException):
        return True
    return True


def _get(url: str) -> bytes:
    """Return the body of a reply with a status of success. No proxy is used."""
    request = urllib.request.Request(url)
    if key := os.environ.get("VLLM_API_KEY"):
        request.add_unredirected_header("Authorization", f"Bearer {key}")
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=PATIENCE_S) as reply:
        body: bytes = reply.read(_MAX_LIST_BYTES)
        return body
