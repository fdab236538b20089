"""The verdict on a finished build: what `check` and `audit data` find in the files that it has written."""

from __future__ import annotations

from pathlib import Path

from triptych.audit.data.check import audit_data
from triptych.audit.data.problems import as_finding
from triptych.audit.verdict import count_in_words
from triptych.benchmarks import known_benchmarks, load_benchmark
from triptych.construction.release.verdict import Verdict
from triptych.errors import TriptychError
from triptych.records import Finding, Problem

_SHOWN = 5


def verdict_on(benchmark: str, out: Path) -> Verdict | None:
    """Return the verdict on a folder in the format of a benchmark; None if no benchmark has this name.

    Only the Tasks that have questions are audited. A folder that can't be read at all is not sound.
    """
    if benchmark not in known_benchmarks():
        return None
    bench = load_benchmark(benchmark)
    tasks = bench.spec.select([])
    try:
        problems = list(bench.check(out, tasks))
        audited = audit_data(bench, out, tasks, problems)
    except TriptychError as error:
        return Verdict("the output can't be read", "", (" ".join(str(error).split()),), sound=False)
    faults = [_fault(problem) for problem in problems if problem.severity == "error"]
    # What `check` reports as an error is a severe finding of the audit as well: its origin tells them apart.
    errors = [problem for problem in problems if problem.severity == "error"]
    reported = {as_finding(problem, benchmark).message for problem in errors}
    severe = [each for each in audited if each.severity == "severe" and each.message not in reported]
    severe = [each for each in severe if not any(problem.message in each.message for problem in errors)]
    faults += [_severe(finding) for finding in severe]
    kinds = [count_in_words(sum(p.severity == kind for p in problems), kind) for kind in ("error", "warning", "note")]
    return Verdict(", ".join(kinds), audited.verdict, tuple(_first_faults(faults)), sound=not faults)


def _fault(problem: Problem) -> str:
    task = f"{problem.task}: " if problem.task else ""
    return f"{task}{problem.message} ({problem.kind})"


def _severe(finding: Finding) -> str:
    text = ", ".join(finding.rows[:2])
    return f"{text}: {finding.message}" if text else finding.message


def _first_faults(faults: list[str]) -> list[str]:
    more = len(faults) - _SHOWN
    return faults if more <= 0 else [*faults[:_SHOWN], f"and {more:,} more"]
