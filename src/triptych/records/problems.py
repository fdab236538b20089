"""Problem: a finding of `check` about a benchmark's data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

Severity = Literal["error", "warning", "note"]


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """One finding of `check`.

    Attributes:
        severity: `error` (a row is left out or scored wrongly), `warning` (may be), or `note` (a known fact).
        kind: A short slug: `missing-media`, `target-not-an-option`, `count` …
        where: File and row.
        message: What was expected and what was found.
        task: The Task concerned; empty: all.
        rows: Number of rows concerned.
    """

    severity: Severity
    kind: str
    where: str
    message: str
    task: str = ""
    rows: int = 1


def first_few(places: Sequence[object], max_lines: int = 5) -> str:
    """Return the first places that a finding is about, and the number of further ones."""
    more = f", … {len(places) - max_lines} more" if len(places) > max_lines else ""
    return ", ".join(map(str, places[:max_lines])) + more
