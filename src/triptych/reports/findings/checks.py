"""Results of a report besides scores: analyses, kinds of error, audit findings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from triptych.errors import TriptychError
from triptych.records import FINDING_SEVERITIES, Section
from triptych.records.checked import Audited
from triptych.records.findings import Finding
from triptych.reports.tables.book import Report

if TYPE_CHECKING:
    from triptych.analysis.observed import Observed
    from triptych.store.folder import RunFolder


MAX_ANSWERS = 100  # rows of answers in a report; `triptych errors --by answer` has all


@dataclass(frozen=True)
class Checks:
    """Results of analyses and audits of a report's Runs, under one protocol.

    Each part is computed once, on first use or by `compute`; all formats of a report share it.
    """

    report: Report
    protocol: str

    def compute(self) -> None:
        """Compute analyses, kinds of error and findings together: those of large Runs in several processes."""
        from triptych.analysis.analyse import analyses, join_sections, side_by_side

        if self.folders:
            jobs: list[Callable[[], list[Any]]] = [lambda: self.findings, *analyses(self.runs)]
            findings, *results, kinds = side_by_side([*jobs, lambda: self.error_kinds], self.runs)
            vars(self).update(
                findings=findings, error_kinds=kinds, analyses=join_sections(results)
            )  # its cached properties

    @cached_property
    def folders(self) -> Sequence[RunFolder]:
        """The Run folders that were scored under the protocol."""
        report = self.report
        return [folder for label, folder in report.folders.items() if self.protocol in report.runs.get(label, ())]

    @cached_property
    def runs(self) -> list[Observed]:
        """The Runs in the form that analyses take."""
        from triptych.analysis.observed import observe

        return observe(self.folders, self.protocol) if self.folders else []

    @cached_property
    def analyses(self) -> list[Section]:
        """Every analysis with a result for these Runs; empty for scores without a Run folder."""
        from triptych.analysis.analyse import analyse_observed

        return analyse_observed(self.runs) if self.folders else []

    @property
    def significance(self) -> list[Section]:
        """The differences between the Runs, without the other analyses unless these are known."""
        from triptych.analysis.analyse import analyse_observed

        if "analyses" in vars(self) or not self.folders:
            return self.analyses
        return analyse_observed(self.runs, ("significance",))

    @property
    def known_findings(self) -> Sequence[Finding]:
        """The audit's findings if they were computed, otherwise none."""
        return self.findings if "findings" in vars(self) else ()

    @cached_property
    def error_kinds(self) -> list[Section]:
        """The kinds of error of all Runs as one Section, from existing verdicts and annotations: no judge is asked;
        then the answers that are wrong most often. None for Runs without folders."""
        from triptych.analysis.errors.questions import errors_by, first_rows
        from triptych.analysis.errors.stored import errors_in

        if not self.folders:
            return []
        return [errors_in(self.runs, self.folders), first_rows(errors_by(self.runs, "answer"), MAX_ANSWERS)]

    @property
    def sections(self) -> list[Section]:
        """The analyses and the kinds of error."""
        return [*self.analyses, *self.error_kinds]

    @cached_property
    def findings(self) -> Audited:
        """Audit findings of these Runs and, if published rows are shown, of the paper's tables; the most severe first.

        If the audit fails, the failure is reported as a finding and the report is still written.
        """
        from triptych.audit.results.check import audit_run
        from triptych.audit.tables.check import audit_tables

        report, findings_, verdicts = self.report, list[Finding](), list[str]()
        try:
            if report.folders:
                findings = audit_run([folder.path for folder in report.folders.values()], None, None)
                findings_ += findings
                verdicts.append(findings.verdict)
            if report.published is not None:
                printed = audit_tables(report.benchmark)
                findings_ += printed
                verdicts.append(f"The paper: {printed.verdict}")
        except TriptychError as error:
            from triptych.records.findings import finding

            why = f"the audit could not be made: {error.problem}"
            findings_.append(finding("missing", "note", report.benchmark.name, why))
        return Audited(sorted(findings_, key=lambda one: FINDING_SEVERITIES.index(one.severity)), " ".join(verdicts))
