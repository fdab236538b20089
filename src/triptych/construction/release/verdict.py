"""The verdict on a finished benchmark, as a build keeps it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `check` and `audit data` find in the output of a build.

    check   the numbers of findings, `0 errors, 2 warnings, 1 note`; audit: the verdict of `audit data`
    faults  the first errors of `check` and severe findings of the audit, in words
    sound   True if there are neither errors nor severe findings
    """

    check: str
    audit: str
    faults: tuple[str, ...] = ()
    sound: bool = True


# (format, folder of the output) -> the verdict; None for an unknown format
Examiner = Callable[[str, Path], Verdict | None]
