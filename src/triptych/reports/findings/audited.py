"""Audit findings as text: the most severe first, grouped by kind, the effect on the figures before the method."""

from __future__ import annotations

import os
import shutil
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from triptych.records import FINDING_SEVERITIES, Finding
from triptych.records.checked import Audited
from triptych.records.findings import FINDING_ORIGINS, KINDS, FindingOrigin
from triptych.reports.files.markdown import escaped

_EACH = 6  # findings of one kind shown in full where not all are asked for
_NAMES = 4  # rows or columns named


def findings_text(
    findings: Sequence[Finding], title: str, *, everything: bool = False, width: int = 0, verdict: str = ""
) -> str:
    """Return the findings as text of a terminal's width, after the verdict; long groups are truncated, with the number
    of omitted findings."""
    width = max(60, min(width or shutil.get_terminal_size((100, 24)).columns, 120))
    first = textwrap.wrap(verdict, width)
    return "\n".join(printable(line) for line in (*first, *_lines(findings, title, everything, width)))


def printable(line: str) -> str:
    """Return the line with control characters escaped: names come from untrusted files."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def summary(findings: Sequence[Finding]) -> str:
    """Return `3 severe, 1 warning, 2 notes`, or `nothing found`."""
    if not findings:
        return "nothing found"
    counts = {s: sum(f.severity == s for f in findings) for s in FINDING_SEVERITIES}
    return ", ".join(f"{n} {s}{'s' * (n != 1 and s != 'severe')}" for s, n in counts.items() if n)


def counts_by_origin(findings: Sequence[Finding]) -> dict[str, dict[str, int]]:
    """Return origin -> severity -> count: the user's Runs and the paper's tables are counted separately."""
    return {
        origin: {s: sum(f.severity == s for f in own) for s in FINDING_SEVERITIES}
        for origin, own in by_origin(findings).items()
    }


def by_origin(findings: Sequence[Finding]) -> dict[FindingOrigin, list[Finding]]:
    """Return the findings by origin, in display order."""
    groups = {origin: [f for f in findings if f.origin == origin] for origin in FINDING_ORIGINS}
    return {origin: own for origin, own in groups.items() if own}


def findings_markdown(findings: Sequence[Finding]) -> str:
    """Return every finding by severity and kind as a section of a Markdown document; empty without findings."""
    return "\n".join(_markdown(findings)) + "\n" if findings else ""


def _markdown(findings: Sequence[Finding]) -> Iterator[str]:
    yield from ("## Audit", "")
    if isinstance(findings, Audited) and findings.verdict:
        yield from (f"**{escaped(findings.verdict)}**", "")
    yield (f"Problems that make a figure less reliable than it looks: {summary(findings)}.")
    groups = by_origin(findings)
    for origin, own in groups.items():
        if len(groups) > 1:
            yield from ("", f"### {FINDING_ORIGINS[origin].capitalize()}: {summary(own)}")
        yield from _markdown_of(own)


def _markdown_of(findings: Sequence[Finding]) -> Iterator[str]:
    for severity in FINDING_SEVERITIES:
        for kind, group in _by_kind(findings, severity).items():
            yield from ("", f"**{severity}, {kind}**: {KINDS.get(kind, kind)}", "")
            for found in group:
                where = ", ".join(part for part in (found.place, _named(found.rows), _named(found.columns)) if part)
                effect = f" ({_effect(found)})" if _effect(found) else ""
                yield f"- {escaped(where)}: {escaped(found.message + effect)}"


def _by_kind(findings: Sequence[Finding], severity: str) -> dict[str, list[Finding]]:
    """Return the findings of a severity by kind, those with the widest gap first."""
    groups: dict[str, list[Finding]] = {}
    for found in sorted((f for f in findings if f.severity == severity), key=_gap, reverse=True):
        groups.setdefault(found.kind, []).append(found)
    order = dict.fromkeys(f.kind for f in findings if f.severity == severity)
    return {kind: groups[kind] for kind in order}


def _lines(findings: Sequence[Finding], title: str, everything: bool, width: int) -> Iterator[str]:
    files = [str(f.file) for f in findings if f.file]
    folder = _common([file for file in files if Path(file).is_absolute()] or files)
    yield f"{title}: {summary(findings)}"
    if folder:
        yield f"in {folder}"
    groups = by_origin(findings)
    for origin, own in groups.items():
        if len(groups) > 1:
            yield from ("", f"== {FINDING_ORIGINS[origin]}: {summary(own)}")
        yield from _lines_of(own, everything, width, folder)


def _lines_of(findings: Sequence[Finding], everything: bool, width: int, folder: str) -> Iterator[str]:
    for severity in FINDING_SEVERITIES:
        for kind, group in _by_kind(findings, severity).items():
            yield ""
            yield f"{severity.upper()}  {kind}: {KINDS.get(kind, kind)}"
            shown = group if everything else group[:_EACH]
            for found in shown:
                yield from _finding(found, width, folder)
            if len(group) > len(shown):
                yield f"  … and {len(group) - len(shown)} more of this kind; --all lists them"


def _gap(found: Finding) -> float:
    """Return the difference between the two figures of a finding; -1 if it doesn't have two."""
    told, follows = found.published, found.recomputed
    if isinstance(told, str) or isinstance(follows, str) or told is None or follows is None:
        return -1.0
    return abs(follows - told)


def _common(files: Sequence[str]) -> str:
    """Return the folder (or file) that contains all files; empty if there is none."""
    try:
        return os.path.commonpath(files)
    except ValueError:
        return ""


def _place(found: Finding, folder: str) -> str:
    """Return the table, or the file relative to the common folder."""
    file = str(found.file or "")
    if not folder or not Path(file).is_relative_to(folder):
        return found.place
    return "" if file == folder else str(Path(file).relative_to(folder))


def _effect(found: Finding) -> str:
    """Return the finding's effect; empty if its message begins with the same words (`2 rows`, `2 of 465 rows: …`)."""
    return "" if found.message.startswith(f"{found.effect.partition(' ')[0]} of ") else found.effect


def _finding(found: Finding, width: int, folder: str) -> Iterator[str]:
    cells = " · ".join(part for part in (_named(found.rows), _named(found.columns)) if part)
    where = "  ".join(part for part in (_place(found, folder), cells) if part) or folder
    yield from textwrap.wrap(where, width, initial_indent="  ", subsequent_indent="    ")
    effect = f"{_effect(found)}: " if _effect(found) else ""
    yield from textwrap.wrap(f"{effect}{found.message}", width, initial_indent="    ", subsequent_indent="    ")


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return ", ".join(names[:_NAMES]) + more
