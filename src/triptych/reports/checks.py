"""What else a report says of its Runs: which kinds of error they make, and what an audit finds."""

from __future__ import annotations

from msgspec import structs

from triptych.errors import TriptychError
from triptych.records import FINDING_SEVERITIES, Section
from triptych.records.findings import Finding
from triptych.reports.book import Report


def error_kinds_of(report: Report, protocol: str) -> list[Section]:
    """The kinds of error of all Runs, one Section; judges' and people's words are read, nobody is asked.

    None for Runs without folders.
    """
    from triptych.analysis.error_judging import judge_kinds, read_corrections
    from triptych.analysis.error_kinds import diagnose, error_kinds
    from triptych.analysis.observed import observe
    from triptych.scoring.judging import last_bench

    folders = [folder for label, folder in report.folders.items() if protocol in report.runs.get(label, ())]
    if not folders:
        return []
    runs, found = observe(folders, protocol), {}
    for folder, run in zip(folders, runs, strict=True):
        responses, people = list(folder.responses()), read_corrections(folder.path)
        others = [observe([folder], name)[0] for name in report.protocols() if name != protocol]
        plain = diagnose(run, responses, others=others)
        bench = last_bench(folder.verdicts_path)
        said = judge_kinds(plain, {item.id: item for item in run.item_list}, bench)[0] if bench else {}
        found[run.label] = diagnose(run, responses, others=others, judged=said, corrections=people)
    section = error_kinds(found, signatures={run.label: run.signature for run in runs})
    return [structs.replace(section, benchmark=report.benchmark.name, protocol=protocol)]


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
