"""The report file: chapters of all benchmarks, with analyses and audit, written whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from triptych.records import Section
from triptych.reports.analyses import analyses_of
from triptych.reports.book import Report
from triptych.reports.checks import error_kinds_of, findings_of
from triptych.reports.html.chapter import chapter, common_root
from triptych.reports.html.media import Embedder
from triptych.reports.html.page import page
from triptych.store.atomic import write_atomically

NAME = "report.html"


def write_html(reports: Sequence[Report], protocols: Sequence[Sequence[str]], place: Path) -> Path:
    """Write `report.html`: a chapter a benchmark. `protocols`: for each those shown, the headline one first."""
    path = place / NAME
    write_atomically(path, html(reports, protocols).encode())
    return path


def html(reports: Sequence[Report], protocols: Sequence[Sequence[str]]) -> str:
    """The file's content; the same for the same Runs."""
    root = common_root([folder.path for report in reports for folder in report.folders.values()])
    embedder = Embedder()
    chapters = [
        chapter(report, names, root, embedder, _sections(report, names[0]), findings_of(report))
        for report, names in zip(reports, protocols, strict=True)
    ]
    return page(chapters, _title(reports))


def _sections(report: Report, protocol: str) -> list[Section]:
    return [*analyses_of(report, protocol), *error_kinds_of(report, protocol)]


def _title(reports: Sequence[Report]) -> str:
    names = [report.benchmark.spec.title.partition(":")[0] for report in reports]
    return " · ".join(names) if len(names) < 7 else f"{len(names)} benchmarks"
