"""A chapter of the report: everything about the Runs of one benchmark."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import structs

from triptych.benchmarks import is_own
from triptych.experiment.run_commands import score_command
from triptych.records import Section, Table, TableRow
from triptych.records.checked import Audited
from triptych.records.findings import Finding
from triptych.reports.html.examples import Example, examples
from triptych.reports.html.links import run_slug
from triptych.reports.html.media import Embedder
from triptych.reports.html.runs import RunDescription, runs_with_folder
from triptych.reports.html.tables import HtmlTable, basis, html_table
from triptych.reports.html.units import units_data
from triptych.reports.plots.gallery import gallery
from triptych.reports.plots.section_figures import section_figures
from triptych.reports.tables import words
from triptych.reports.tables.book import Report
from triptych.reports.tables.fill import without_empty
from triptych.reports.tables.matrix import Block, block

if TYPE_CHECKING:
    from triptych.reports.plots.draw import Drawing, Marks

# The kinds of analysis, in the order in which a reader asks.
TITLES = {
    "significance": "Which differences are significant",
    "consistency": "Consistency",
    "robustness": "Robustness",
    "ablation": "How much the input contributes",
    "error_kinds": "Kinds of error",
    "agreement": "Agreement between judges and people",
    "hard_cases": "Right in one form, wrong in another",
    "groups": "Groups of models",
}


@dataclass(frozen=True)
class Part:
    """The tables of one protocol: the overview, then the paper's tables; `same`: titles of the tables that equal those
    of the first protocol cell by cell; `basis`: what all these tables' figures are, and what they are over."""

    name: str
    summary: str
    overview: HtmlTable
    tables: tuple[HtmlTable, ...]
    same: tuple[str, ...] = ()
    basis: str = ""


@dataclass(frozen=True)
class Analysis:
    """A Section with its tables; `id` is unique on the page."""

    id: str
    section: Section
    tables: tuple[HtmlTable, ...]


@dataclass(frozen=True)
class AnalysisGroup:
    """The Sections of one kind of analysis, for example the consistency of every Run by every facet."""

    id: str
    title: str
    figures: tuple[Drawing, ...]
    analyses: tuple[Analysis, ...]


@dataclass(frozen=True)
class Chapter:
    """Everything that the template needs for one benchmark."""

    report: Report
    runs: tuple[RunDescription, ...]
    parts: tuple[Part, ...]
    totals: HtmlTable | None
    figures: tuple[Drawing, ...]
    groups: tuple[AnalysisGroup, ...]
    examples: tuple[Example, ...]
    findings: tuple[Finding, ...]
    verdict: str  # of the audit, in one sentence
    units_data: Mapping[str, Any]
    block: Block
    root: str
    slugs: Mapping[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The chapter's anchor."""
        return self.report.benchmark.name.replace("_", "-")

    @property
    def title(self) -> str:
        """The benchmark's name up to the colon."""
        return self.report.benchmark.spec.title.partition(":")[0]

    @property
    def mini(self) -> bool:
        """True if any Run used the built-in mini set, whose figures say nothing about the benchmark itself."""
        return any(run.manifest.data == "mini" for run in self.runs)

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of the Runs, each once."""
        owners = words.note_owners({run.label: run.notes for run in self.runs})
        return tuple(f"{', '.join(labels)}: {note}" for note, labels in owners.items())

    @property
    def rerun_commands(self) -> tuple[str, ...]:
        """The commands that score and report these Runs again."""
        paths = [str(run.folder.path) for run in self.runs]
        name = shlex.quote(self.report.benchmark.name)
        scored = [score_command(run.folder, self.report.benchmark.spec) for run in self.runs]
        reported = shlex.join(["triptych", "report", *paths, "--format", "html,csv,md,latex", "--to", "report"])
        audited = [] if is_own(self.report.benchmark.name) else [f"triptych audit tables {name}"]
        return (*scored, reported, *audited)


def chapter(
    report: Report,
    protocols: Sequence[str],
    root: Path,
    embedder: Embedder,
    sections: Sequence[Section] = (),
    findings: Sequence[Finding] = (),
) -> Chapter:
    """Return a chapter. `root`: the folder that the viewer is opened on; `protocols`: the first one is selected."""
    slugs = {label: slug_below(folder.path, root) for label, folder in report.folders.items()}
    parts = _parts(report, protocols)
    totals = report.totals()
    return Chapter(
        report=report,
        runs=tuple(runs_with_folder(report)),
        parts=parts,
        totals=None if totals is None or len(protocols) < 2 else html_table(totals),
        figures=tuple(gallery(report, protocols[0])),
        groups=tuple(_groups(sections, report.benchmark.name.replace("_", "-"), report.run_marks())),
        examples=tuple(examples(report, protocols[0], slugs, embedder)),
        findings=tuple(findings),
        verdict=findings.verdict if isinstance(findings, Audited) else "",
        units_data=units_data(report, protocols, slugs),
        block=block(report, protocols[0], sections, findings),
        root=str(root),
        slugs=slugs,
    )


def _groups(sections: Sequence[Section], chapter_id: str, marks: Marks) -> list[AnalysisGroup]:
    """Return the Sections grouped by the first part of their ids, in reading order."""
    drawn: dict[str, list[Drawing]] = {}
    for kind, drawing in section_figures(sections, marks):
        drawn.setdefault(kind, []).append(drawing)
    by_kind: dict[str, list[Analysis]] = {kind: [] for kind in TITLES}
    for number, section in enumerate(sections):
        kind = section.id.partition(".")[0]
        name = f"{chapter_id}-a{number}"
        tables = tuple(html_table(structs.replace(t, id=f"a{number}-{t.id}")) for t in section.tables if _has_values(t))
        by_kind.setdefault(kind, []).append(Analysis(name, section, tables))
    return [
        AnalysisGroup(
            f"{chapter_id}-{kind.replace('_', '-')}",
            TITLES.get(kind, checks_of_kind[0].section.title),
            tuple(drawn.get(kind, ())),
            tuple(checks_of_kind),
        )
        for kind, checks_of_kind in by_kind.items()
        if checks_of_kind
    ]


def _has_values(table: Table) -> bool:
    return any(cell.value is not None for row in table.rows for cell in row.cells)


def slug_below(path: Path, root: Path) -> str:
    """Return the Run's name in the viewer's addresses."""
    return run_slug(Path(os.path.relpath(path.resolve(), root.resolve())))


def common_root(paths: Sequence[Path]) -> Path:
    """Return the folder that contains all Runs, on which the viewer is opened."""
    parents = [str(path.resolve().parent) for path in paths]
    return Path(os.path.commonpath(parents)) if parents else Path()


def _parts(report: Report, protocols: Sequence[str]) -> tuple[Part, ...]:
    parts: list[Part] = []
    rows_by_table: dict[str, tuple[TableRow, ...]] = {}
    for name in protocols:
        tables = report.tables(name)
        same = [table.title for table in tables if rows_by_table.get(table.id) == table.rows]
        first = report.overview(name)
        once = basis(first)
        shown_tables = tuple(
            html_table(without_empty(table), once) for table in tables if rows_by_table.get(table.id) != table.rows
        )
        overview, summary = html_table(without_empty(first), once), report.benchmark.protocol(name).summary
        text = ". ".join(f"{one[:1].upper()}{one[1:]}" for one in once)
        parts.append(Part(name, summary, overview, shown_tables, tuple(same), f"{text}." if text else ""))
        rows_by_table = rows_by_table or {table.id: table.rows for table in tables}
    return tuple(parts)
