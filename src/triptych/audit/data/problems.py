"""Convert what `check` found to Findings: an audit reports it too, and does not look for it again."""

from __future__ import annotations

from fnmatch import fnmatchcase

from triptych.records import Finding, FindingSeverity, Problem, finding

_SEVERITY: dict[str, FindingSeverity] = {"error": "severe", "warning": "warning", "note": "note"}
# Slugs of problems (patterns, the first that fits) -> kinds of findings.
_KINDS = {
    "missing-media": "missing",
    "*-missing": "missing",
    "how-to-apply": "missing",
    "no-traditional": "missing",
    "no-content": "missing",
    "no-reference": "missing",
    "empty-media": "media",
    "no-picture": "media",
    "unsafe-path": "media",
    "count": "count",
    "rows": "count",
    "target-*": "target",
    "option-doubled": "target",
    "option-same-words": "target",
    "key-doubled": "target",
    "key-ambiguous": "target",
    "answer-*": "target",
    "no-answer": "target",
    "options-unread": "target",
    "option-separator": "target",
    "key-*": "skew",
    "shared-letters": "skew",
    "*-doubled": "duplicate",
    "pairing": "pairing",
    "instance-incomplete": "pairing",
    "direction-swapped": "pairing",
    "dual-mismatch": "pairing",
    "not-parallel": "pairing",
    "question-repeats-stem": "duplicate",
    "unused-file": "version",
    "header": "version",
}
# To a reader that knows of them these are in order; of the published figures they say that labels mean something else.
_GRAVER: dict[str, FindingSeverity] = {"direction-swapped": "severe"}
# The audit computes these itself, from the Items and with the best published figure.
RECOMPUTED = ("key-position", "key-length")


def as_finding(problem: Problem, benchmark: str) -> Finding:
    """Return a Problem as a Finding: `file` is its place, `rows` the Task, `effect` the number of rows concerned."""
    file, _, rest = problem.where.partition(": ")
    return finding(
        kind_of(problem.kind),
        _GRAVER.get(problem.kind, _SEVERITY[problem.severity]),
        benchmark,
        f"{problem.message} ({problem.kind}{': ' + rest if rest else ''})",
        file=file,
        rows=[problem.task] if problem.task else [],
        effect=f"{problem.rows:,} row{'s' * (problem.rows != 1)}",
        about=f"{problem.kind} {problem.where}",
    )


def kind_of(slug: str) -> str:
    """Return the kind of finding for a problem's slug; unknown slugs are `malformed`."""
    return next((kind for pattern, kind in _KINDS.items() if fnmatchcase(slug, pattern)), "malformed")
