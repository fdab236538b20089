"""Removal of secrets from what Python writes to standard error: tracebacks, and messages of other packages' loggers."""

from __future__ import annotations

import logging
import sys
import threading
import traceback
import warnings
from types import TracebackType

from triptych.cli.arguments import say
from triptych.secrets import scrub


def clean_tracebacks() -> None:
    """Pass every uncaught error and every logged message through `scrub` before it is shown."""
    sys.excepthook = _show
    warnings.showwarning = _warn
    threading.excepthook = lambda error: _show(error.exc_type, error.exc_value, error.exc_traceback)
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(_Formatter())


def _show(kind: type[BaseException], error: BaseException | None, where: TracebackType | None) -> None:
    if error is not None and sys.stderr is not None and not issubclass(kind, SystemExit):
        sys.stderr.write(scrub("".join(traceback.format_exception(kind, error, where))))


def _warn(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
    """Print a warning in one line; its place in the code is of no use to people."""
    text = "" if issubclass(category, (RuntimeWarning, UserWarning)) else f"{category.__name__}: "
    say(f"warning: {text}{message}")


class _Formatter(logging.Formatter):
    """The usual format, cleaned."""

    def format(self, record: logging.LogRecord) -> str:
        """One message."""
        return scrub(super().format(record))
