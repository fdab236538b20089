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
        origin: {s: sum(f.severity == s for f in findings_of_origin) for s in FINDING_SEVERITIES}
        for origin, findings_of_origin in by_origin(findings).items()
    }


def by_origin(findings: Sequence[Finding]) -> dict[FindingOrigin, list[Finding]]:
    """Return the findings by origin, in display order."""
    groups = {origin: [f for f in findings if f.origin == origin] for origin in FINDING_ORIGINS}
    return {origin: group for origin, group in groups.items() if group}


def findings_markdown(findings: Sequence[Finding]) -> str:
    """Return every finding by severity and kind as a section of a Markdown document; empty without findings."""
    return "\n".join(_markdown(findings)) + "\n" if findings else ""


def _markdown(findings: Sequence[Finding]) -> Iterator[str]:
    yield from ("## Audit", "")
    if isinstance(findings, Audited) and findings.verdict:
        yield from (f"**{escaped(findings.verdict)}**", "")
    yield (f"Problems that make a figure less reliable than it looks: {summary(findings)}.")
    groups = by_origin(findings)
    for origin, group in groups.items():
        if len(groups) > 1:
            yield from ("", f"### {FINDING_ORIGINS[origin].capitalize()}: {summary(group)}")
        yield from _markdown_of(group)


def _markdown_of(findings: Sequence[Finding]) -> Iterator[str]:
    for severity in FINDING_SEVERITIES:
        for kind, group in _by_kind(findings, severity).items():
            yield from ("", f"**{severity}, {kind}**: {KINDS.get(kind, kind)}", "")
            for one in group:
                where = ", ".join(part for part in (one.place, _named(one.rows), _named(one.columns)) if part)
                effect = f" ({_effect(one)})" if _effect(one) else ""
                yield f"- {escaped(where)}: {escaped(one.message + effect)}"


def _by_kind(findings: Sequence[Finding], severity: str) -> dict[str, list[Finding]]:
    """Return the findings of a severity by kind, those with the widest gap first."""
    groups: dict[str, list[Finding]] = {}
    for one in sorted((f for f in findings if f.severity == severity), key=_gap, reverse=True):
        groups.setdefault(one.kind, []).append(one)
    order = dict.fromkeys(f.kind for f in findings if f.severity == severity)
    return {kind: groups[kind] for kind in order}


def _lines(findings: Sequence[Finding], title: str, everything: bool, width: int) -> Iterator[str]:
    files = [str(f.file) for f in findings if f.file]
    folder = _common([file for file in files if Path(file).is_absolute()] or files)
    yield f"{title}: {summary(findings)}"
    if folder:
        yield f"in {folder}"
    groups = by_origin(findings)
    for origin, group in groups.items():
        if len(groups) > 1:
            yield from ("", f"== {FINDING_ORIGINS[origin]}: {summary(group)}")
        yield from _lines_of(group, everything, width, folder)


def _lines_of(findings: Sequence[Finding], everything: bool, width: int, folder: str) -> Iterator[str]:
    for severity in FINDING_SEVERITIES:
        for kind, group in _by_kind(findings, severity).items():
            yield ""
            yield f"{severity.upper()}  {kind}: {KINDS.get(kind, kind)}"
            shown = group if everything else group[:_EACH]
            for one in shown:
                yield from _finding(one, width, folder)
            if len(group) > len(shown):
                yield f"  … and {len(group) - len(shown)} more of this kind; --all lists them"


def _gap(finding: Finding) -> float:
    """Return the difference between the two figures of a finding; -1 if it doesn't have two."""
    printed, follows = finding.published, finding.recomputed
    if isinstance(printed, str) or isinstance(follows, str) or printed is None or follows is None:
        return -1.0
    return abs(follows - printed)


def _common(files: Sequence[str]) -> str:
    """Return the folder (or file) that contains all files; empty if there is none."""
    try:
        return os.path.commonpath(files)
    except ValueError:
        return ""


def _table_or_file(finding: Finding, folder: str) -> str:
    """Return the table, or the file relative to the common folder."""
    file = str(finding.file or "")
    if not folder or not Path(file).is_relative_to(folder):
        return finding.place
    return "" if file == folder else str(Path(file).relative_to(folder))


def _effect(finding: Finding) -> str:
    """Return the finding's effect; empty if its message begins with the same words (`2 rows`, `2 of 465 rows: …`)."""
    return "" if finding.message.startswith(f"{finding.effect.partition(' ')[0]} of ") else finding.effect


def _finding(finding: Finding, width: int, folder: str) -> Iterator[str]:
    cells = " · ".join(part for part in (_named(finding.rows), _named(finding.columns)) if part)
    where = "  ".join(part for part in (_table_or_file(finding, folder), cells) if part) or folder
    yield from textwrap.wrap(where, width, initial_indent="  ", subsequent_indent="    ")
    effect = f"{_effect(finding)}: " if _effect(finding) else ""
    yield from textwrap.wrap(f"{effect}{finding.message}", width, initial_indent="    ", subsequent_indent="    ")


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMES} more" if len(names) > _NAMES else ""
    return ", ".join(names[:_NAMES]) + more
