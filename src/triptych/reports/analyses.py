"""What analyses and audits have to say of a report's Runs; a report without them is still a report."""

from __future__ import annotations

from triptych.records.estimates import Section
from triptych.records.findings import Finding
from triptych.reports.book import Report


def analyses_of(report: Report, protocol: str) -> list[Section]:
    """Every analysis that has something to say of these Runs."""
    return []


def findings_of(report: Report) -> list[Finding]:
    """What the audit of the published tables and of these Runs found, the severest first."""
    return []
