"""Findings for people: the gravest first, grouped by kind, what it does to the figures before how it was found."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Sequence

from triptych.records import FINDING_SEVERITIES, Finding
from triptych.records.findings import KINDS

_EACH = 6  # findings of one kind shown in full where not all are asked for
_NAMES = 4  # rows or columns named


def findings_text(findings: Sequence[Finding], title: str, *, everything: bool = False, width: int = 0) -> str:
    """The findings as text of a terminal's width; long groups are cut, with a count of the rest."""
    width = max(60, min(width or shutil.get_terminal_size((100, 24)).columns, 120))
    return "\n".join(_lines(findings, title, everything, width))


def summary(findings: Sequence[Finding]) -> str:
    """`3 severe, 1 warning, 2 notes`, or that there is nothing."""
    if not findings:
        return "nothing found"
    counts = {s: sum(f.severity == s for f in findings) for s in FINDING_SEVERITIES}
    words = {"severe": "severe", "warning": "warning", "note": "note"}
    return ", ".join(f"{n} {words[s]}{'s' * (n != 1 and s != 'severe')}" for s, n in counts.items() if n)


def _lines(findings: Sequence[Finding], title: str, everything: bool, width: int) -> Iterator[str]:
    yield f"{title}: {summary(findings)}"
    for severity in FINDING_SEVERITIES:
        for kind in dict.fromkeys(f.kind for f in findings if f.severity == severity):
            group = [f for f in findings if (f.severity, f.kind) == (severity, kind)]
            yield ""
            yield f"{severity.upper()}  {kind}: {KINDS.get(kind, kind)}"
            shown = group if everything else group[:_EACH]
            for found in shown:
                yield from _finding(found, width)
            if len(group) > len(shown):
                yield f"  … and {len(group) - len(shown)} more of this kind (--all shows them)"


def _finding(found: Finding, width: int) -> Iterator[str]:
    cells = " · ".join(part for part in (_named(found.rows), _named(found.columns)) if part)
    yield from textwrap.wrap(f"{found.place}  {cells}".rstrip(), width, initial_indent="  ", subsequent_indent="    ")
    effect = f"{found.effect}: " if found.effect else ""
    yield from textwrap.wrap(f"{effect}{found.message}", width, initial_indent="    ", subsequent_indent="    ")


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return ", ".join(names[:_NAMES]) + more
