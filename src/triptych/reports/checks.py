"""What else a report says of its Runs: which kinds of error they make, and what an audit finds."""

from __future__ import annotations

from triptych.errors import TriptychError
from triptych.records import FINDING_SEVERITIES, Section
from triptych.records.findings import Finding
from triptych.reports.book import Report


def error_kinds_of(report: Report, protocol: str) -> list[Section]:
    """The kinds of error of all Runs, one Section; judges' and people's words are read, nobody is asked.

    None for Runs without folders.
    """
    from triptych.analysis.stored_errors import errors_of

    folders = [folder for label, folder in report.folders.items() if protocol in report.runs.get(label, ())]
    return [errors_of(folders, protocol)] if folders else []


def findings_of(report: Report) -> list[Finding]:
    """What the audit of these Runs found, and, where the paper's rows stand beside, of its tables; the gravest first.

    An audit that can't be made is no reason to have no report: it is told as a finding.
    """
    from triptych.audit.run import audit_run
    from triptych.audit.tables import audit_tables

    found: list[Finding] = []
    try:
        if report.folders:
            found += audit_run([folder.path for folder in report.folders.values()], None, None)
        if report.published is not None:
            found += audit_tables(report.benchmark)
    except TriptychError as error:
        from triptych.records.findings import finding

        found.append(finding("missing", "note", report.benchmark.name, f"the audit could not be made: {error.problem}"))
    return sorted(found, key=lambda one: FINDING_SEVERITIES.index(one.severity))
