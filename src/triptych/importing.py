"""Imports of other packages' plug-ins, which may take long or never end: they are named, and a signal ends them.

A module can't be imported under a time limit in the process that uses it: an import that is broken off leaves modules,
locks and threads behind in an unknown state. So it is reported while it goes on, and the person decides.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import socket

SLOW_S = 10.0  # an import that takes longer is reported while it goes on
SWITCH = "TRIPTYCH_PLUGINS"
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_ends_process = False


def end_process_at_signals() -> None:
    """From now on Ctrl-C and SIGTERM end the process if they come during an import. For programs, not for libraries."""
    global _ends_process
    _ends_process = True


def allowed(package: str) -> bool:
    """Return whether the environment lets the plug-ins of a package be loaded.

    `TRIPTYCH_PLUGINS` lists packages, separated by commas; `none` allows no package. All are allowed if it isn't set.
    """
    switch = os.environ.get(SWITCH, "")
    return not switch or package in {name.strip() for name in switch.split(",")}


@contextmanager
def importing(module: str, origin: str) -> Iterator[None]:
    """Report an import on standard error if it takes more than ten seconds, and end with an error at a signal. What it
    prints goes to standard error.

    `origin`: the package that the module comes from; Triptych's own modules are not watched.
    """
    if origin == "triptych":
        yield
        return
    what = f"importing {module} of the package {origin}"
    hint = f"{SWITCH}=none disables plug-ins"
    timer = threading.Timer(SLOW_S, lambda: _say(f"still {what} (Ctrl-C stops; {hint})"))
    timer.daemon = True
    timer.start()
    with ExitStack() as stack:
        stack.callback(timer.cancel)
        if sys.stdout is sys.__stdout__:  # what it prints must not be in a JSON document
            stack.enter_context(redirect_stdout(sys.stderr))
        if _ends_process and threading.current_thread() is threading.main_thread():
            stack.enter_context(_ending(f"interrupted while {what} ({hint})"))
        yield


@contextmanager
def _ending(message: str) -> Iterator[None]:
    """End the process at a signal, from a thread: the code that is imported may catch every exception."""
    import socket

    reader, writer = socket.socketpair()
    writer.setblocking(False)
    before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    handlers: list[tuple[int, Any]] = [(number, signal.signal(number, _ignore_signal)) for number in _SIGNALS]
    threading.Thread(target=_end_at_signal, args=(reader, message), daemon=True).start()
    try:
        yield
    finally:
        for number, handler in handlers:
            signal.signal(number, handler)
        signal.set_wakeup_fd(before)
        writer.close()  # ends the thread


def _end_at_signal(reader: socket.socket, message: str) -> None:
    with reader:
        while received := reader.recv(1):
            if received[0] in _SIGNALS:
                _say(message)
                os._exit(128 + received[0])


def _ignore_signal(*_: object) -> None:
    """Python writes to the wakeup file only for signals that have a handler."""


def _say(message: str) -> None:
    os.write(2, f"triptych: {message}\n".encode(errors="replace"))
