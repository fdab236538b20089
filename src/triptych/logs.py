"""Log messages on standard error: `triptych --log-level LEVEL`, or the variable TRIPTYCH_LOG_LEVEL.

The loggers are named for their modules (`triptych.running.ask`, `triptych.portal.access`), so a program that uses the
Python API configures them as those of any library. Messages have level INFO or DEBUG; without configuration nothing is
printed. API keys never appear in them.
"""

from __future__ import annotations

import logging
import os
import sys

from triptych.errors import SpecError, nearest
from triptych.secrets import scrub

VARIABLE = "TRIPTYCH_LOG_LEVEL"  # read by worker processes, too
LEVELS = ("debug", "info", "warning", "error")
_FORM = "%(asctime)s.%(msecs)03d %(levelname)s %(name)s: %(message)s"


class _Scrubbed(logging.Formatter):
    """Formats a message without API keys and passwords, in one line."""

    def format(self, record: logging.LogRecord) -> str:
        return " ".join(scrub(super().format(record)).splitlines())


def use_level(level: str) -> None:
    """Print messages of this level and above on standard error; an empty text changes nothing.

    Raises SpecError for an unknown level.
    """
    level = level.lower() or os.environ.get(VARIABLE, "").lower()
    if not level:
        return
    if level not in LEVELS:
        raise SpecError("unknown log level", got=level, expected=", ".join(LEVELS), fix=nearest(level, LEVELS))
    os.environ[VARIABLE] = level
    logger = logging.getLogger("triptych")
    logger.setLevel(level.upper())
    if not any(isinstance(handler.formatter, _Scrubbed) for handler in logger.handlers):
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(_Scrubbed(_FORM, "%H:%M:%S"))
        logger.addHandler(handler)
        logger.propagate = False
