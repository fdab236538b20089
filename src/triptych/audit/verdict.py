"""The result of an audit in one sentence, printed before its findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from triptych.records import Finding
from triptych.records.checked import CellCounts, CheckedCell

_KINDS_NAMED = 3


def verdict(subject: str, findings: Sequence[Finding], cells: Iterable[CheckedCell] = (), *facts: str) -> str:
    """Return `SUBJECT: facts; number of severe findings.`

    Args:
        subject: The audited things, with their number.
        findings: All findings.
        cells: Printed cells that were compared; their counts come first.
        facts: Further counts, without a full stop; empty ones are left out.

    Example:
        >>> verdict("2 Runs, 40 replies", [], (), "3 replies are missing")
        '2 Runs, 40 replies: 3 replies are missing; nothing severe was found.'
    """
    parts = [part for part in (str(CellCounts.count_cells(cells)), *facts, _severity_summary(findings)) if part]
    sentence = f"{subject}: {'; '.join(parts)}."
    return sentence[0].upper() + sentence[1:]


def _severity_summary(findings: Sequence[Finding]) -> str:
    severe = Counter(f.kind for f in findings if f.severity == "severe")
    warnings = sum(f.severity == "warning" for f in findings)
    if not severe:
        return "nothing severe was found" + (f", {count_in_words(warnings, 'warning')}" if warnings else "")
    kinds = [f"{n} {kind}" for kind, n in severe.most_common(_KINDS_NAMED)]
    more = len(severe) - len(kinds)
    named = ", ".join(kinds) + (f" and {count_in_words(more, 'other kind')}" if more else "")
    return f"{count_in_words(severe.total(), 'severe finding')} ({named})"


def count_in_words(n: int, noun: str) -> str:
    """Return `1 file`, `14 files`, `3 replies`."""
    if n == 1:
        return f"1 {noun}"
    return f"{n:,} {noun[:-1]}ies" if noun.endswith("y") else f"{n:,} {noun}s"
