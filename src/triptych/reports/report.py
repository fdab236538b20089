"""Reports over Runs: which tables are shown and where they are written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

from msgspec import structs

from triptych.benchmarks import Benchmark, load_benchmark
from triptych.errors import SpecError, nearest
from triptych.records import Aggregate, Table
from triptych.reports.files.csv_files import notes_csv, table_csv, tidy_csv
from triptych.reports.files.latex import latex_report
from triptych.reports.files.markdown import markdown_report
from triptych.reports.files.short import short_latex, short_markdown, short_rows
from triptych.reports.findings.analyses import analyses_markdown, show_analyses
from triptych.reports.findings.audited import findings_markdown
from triptych.reports.findings.checks import Checks
from triptych.reports.plots.text_style import HIGHLIGHTS, hiding, highlighting
from triptych.reports.tables.book import ByLabel, Report
from triptych.reports.tables.fill import is_empty, without_empty
from triptych.reports.tables.matrix import block
from triptych.reports.tables.published import Published, load_published
from triptych.reports.tables.words import losses
from triptych.scoring.notes.labels import label_of, labels_of
from triptych.scoring.outcome import Scored
from triptych.scoring.runs import up_to_date
from triptych.store.decoded import keep_files
from triptych.store.files.atomic import write_atomically
from triptych.store.files.names import file_names
from triptych.store.folder import RunFolder

FORMATS = ("terminal", "html", "csv", "md", "latex", "svg", "png", "pdf", "outputs")
FIGURES = ("svg", "png", "pdf")
MAX_RUNS_IN_DETAIL = 4  # Runs of one benchmark whose tables and analyses are printed without being asked for


def show_scores(
    benchmark: Benchmark,
    runs: ByLabel,
    folders: Mapping[str, RunFolder] | None = None,
    *,
    with_published: bool = False,
) -> None:
    """Print the first tables: an overview under the headline protocol and the totals under every protocol.

    With published rows, print instead every table of the headline protocol, as a report shows it. `folders`: label ->
    Run folder, for Runs that have one.
    """
    published = load_published(benchmark.folder) if with_published else None
    report = _make_report(benchmark, runs, folders or {}, published)
    names = report.protocols()
    if not names:
        return
    if with_published:
        _show(report.tables(names[0]), report.aggregates_of(names[0]))
        _tell_notes(runs)
        return
    overview, totals = report.overview(names[0]), report.totals()
    if totals and report.protocols_agree():
        same = f"all protocols give the same totals: {', '.join(names)}"
        notes = (*overview.notes, same, *_other_losses(overview, totals))
        overview, totals = structs.replace(overview, notes=notes), None
    _show([overview, *filter(None, [totals])], report.aggregates_of(names[0]))
    _tell_notes(runs)


def _other_losses(overview: Table, totals: Table) -> list[str]:
    """Return notes on Units that other protocols couldn't score: one protocol can fail to parse what another counts as
    wrong."""
    losses_by_run = {row.label: losses(row.counts) for row in overview.rows}
    return [
        f"{row.label}, {row.sub}: {loss_text}"
        for row in totals.rows
        if (loss_text := losses(row.counts)) and loss_text != losses_by_run.get(row.label)
    ]


def show_tables(benchmark: Benchmark, runs: ByLabel, folders: Mapping[str, RunFolder], layouts: Sequence[str]) -> None:
    """Print the given tables of the benchmark under the headline protocol, or the overview if they are empty."""
    prompts = {label: (folder.manifest.called, folder.manifest.prompt) for label, folder in folders.items()}
    report = Report(benchmark, runs, prompts=prompts, folders=folders)
    names = report.protocols()
    if not names:
        return
    chosen = [layout for layout in benchmark.spec.layouts if layout.id in layouts]
    tables = [_with_asked_rows(table) for layout in chosen if not is_empty(table := report.fill(layout, names[0]))]
    _show(tables or [report.overview(names[0])], report.aggregates_of(names[0]))
    _tell_notes(runs)


def _with_asked_rows(table: Table) -> Table:
    """Return the table without rows of Runs that were asked none of its questions."""
    return structs.replace(table, rows=tuple(row for row in table.rows if row.counts))


def show_run(folder: RunFolder, scores: Mapping[str, Sequence[Aggregate]]) -> None:
    """Print the end of a Run: scores and notes."""
    label = label_of(folder)
    show_scores(load_benchmark(folder.manifest.benchmark), {label: scores}, {label: folder})


def write_report(
    folders: Sequence[RunFolder],
    *,
    to: Path | None = None,
    formats: Sequence[str] = ("terminal",),
    with_published: bool = False,
    protocol: str | None = None,
    data: Mapping[str, Path] | None = None,
    title: str = "",
    public: bool = False,
    highlight: Sequence[str] = (),
    viewer: str = "",
    root: Path | None = None,
    details: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> list[Path]:
    """Report on Runs in the terminal or as files, and return the files written.

    `html`: one file over all Runs. `csv`, `md`, `latex`: tables; `svg`, `png`, `pdf`: figures; `outputs`: replies in
    the format of the authors' own scorer, if the benchmark supports it. Files are written to `to`; by default to the
    Run's own `tables/`, or to `./tables` for several Runs; several benchmarks get a subfolder each. A Run whose scores
    are older than its Responses is scored again. `data`: benchmark -> its media folder; files from a folder that only
    the Run's manifest names are shown only if their hashes match the Run. `title`: of the HTML file; `public`: all
    files without paths of this machine and addresses of endpoints; `viewer`: address of a running viewer for its links,
    by default the usual one if it answers; `root`: the folder that it shows, by default the one that contains all Runs;
    `details`: in the terminal all tables and analyses also of many Runs, instead of the matrix alone; `progress`
    receives the name of each step. Raises SpecError for an unknown format.
    """
    for name in formats:
        if name not in FORMATS:
            raise SpecError(f"unknown format {name!r}", expected=", ".join(FORMATS), fix=nearest(name, FORMATS))
    if viewer and (public or not viewer.startswith(("http://", "https://"))):
        problem = "--viewer can't be combined with --public" if public else "not the address of a viewer"
        raise SpecError(problem, where="--viewer", got=viewer, expected="http://127.0.0.1:8765")
    reports = [replace(report, data=data or {}) for report in collect(folders, with_published)]
    for report in reports:
        if with_published and not report.published:
            progress(
                f"{report.benchmark.name} has no published rows; docs/reports.md says where a benchmark keeps them"
            )
    shown = [_protocols(report, protocol) for report in reports]
    folder = to or (folders[0].tables_path if len(folders) == 1 else Path("tables"))
    _check_highlighted(highlight, [label for report in reports for label in report.runs])
    written: list[Path] = []
    checks = [Checks(report, names[0]) for report, names in zip(reports, shown, strict=True)]
    if {"html", "md"} & set(formats):
        for number, check in enumerate(checks, 1):
            runs = "1 Run" if len(check.folders) == 1 else f"{len(check.folders)} Runs"
            progress(f"analysing {check.report.benchmark.name} ({number} of {len(checks)}): {runs}")
            check.compute()
    if "terminal" in formats:
        _show_terminal(checks, shown, title, details=details)
    with highlighting(highlight), _hidden(folders) if public else nullcontext():
        for check, names in zip(checks, shown, strict=True):
            below = folder / check.report.benchmark.name if len(reports) > 1 else folder
            written += _write_one(check, names, below, formats)
        if public:
            from triptych.reports.html.public import hide_addresses

            hide_addresses(written, folders)
        if "html" in formats:
            from triptych.reports.html.write import write_html

            progress("drawing the figures and writing the HTML file")
            written.append(write_html(checks, shown, folder, title=title, shared=public, viewer=viewer, root=root))
    return written


def _hidden(folders: Sequence[RunFolder]) -> AbstractContextManager[None]:
    """Return a context in which figures are drawn without paths of this machine and addresses of endpoints."""
    from triptych.reports.html.public import public_text

    return hiding(lambda text: public_text(text, folders))


def _show_terminal(every: Sequence[Checks], protocols: Sequence[Sequence[str]], title: str, *, details: bool) -> None:
    """Print the matrix and a sentence for each benchmark, then all tables and analyses: of many Runs only with
    `details`. A single Run has its tables alone."""
    from triptych.reports.terminal.screen import show_screen
    from triptych.reports.terminal.tables import QUIET, stdout

    max_runs = max(len(checks.report.runs) for checks in every)
    short = not details and (max_runs > MAX_RUNS_IN_DETAIL or len(every) > 1)
    if max_runs > 1 or len(every) > 1:
        chosen = [checks.significance if short else checks.analyses for checks in every]
        made = [
            block(checks.report, names[0], sections, checks.known_findings)
            for checks, names, sections in zip(every, protocols, chosen, strict=True)
        ]
        show_screen(made, title)
    if short:
        stdout().print("all tables, analyses and notes: --details, or files with --to FOLDER", style=QUIET)
        return
    for checks, names in zip(every, protocols, strict=True):
        _show(map(without_empty, checks.report.tables(names[0])), checks.report.aggregates_of(names[0]))
        show_analyses(checks.analyses)
        _tell_notes(checks.report.runs)


def _check_highlighted(names: Sequence[str], labels: Sequence[str]) -> None:
    if len(names) > HIGHLIGHTS:
        raise SpecError("too many Runs are highlighted", got=len(names), expected=f"at most {HIGHLIGHTS}")
    for name in names:
        if name not in labels:
            labels_text = ", ".join(dict.fromkeys(labels))
            raise SpecError(
                f"no Run is called {name!r}", where="--highlight", expected=labels_text, fix=nearest(name, labels)
            )


def html_lacks() -> str:
    """Return the names of packages that HTML needs and that are not installed; empty if none is missing."""
    from importlib.util import find_spec

    return " and ".join(name for name in ("jinja2", "matplotlib") if find_spec(name) is None)


def _protocols(report: Report, protocol: str | None) -> list[str]:
    """Return the protocols to show. Raises SpecError if no Run is scored under the one asked for."""
    names = [report.benchmark.protocol(protocol).name] if protocol else report.protocols()
    if not names:
        raise SpecError("no Run is scored", where=report.benchmark.name, fix="triptych score RUN")
    if missing := [name for name in names if not report.aggregates_of(name)]:
        raise SpecError(f"no Run is scored under {missing[0]}", fix="triptych score RUN")
    return names


def _write_one(checks: Checks, names: Sequence[str], path: Path, formats: Sequence[str]) -> list[Path]:
    """Write all formats except HTML and the terminal's for one benchmark."""
    report = checks.report
    written = write_csv(report, path, names) if "csv" in formats else []
    written += write_markdown(report, path, names) if "md" in formats else []
    if "md" in formats and checks.sections:
        title = f"{report.benchmark.spec.title}, {names[0]}: analyses"
        text = analyses_markdown(title, checks.sections) + findings_markdown(checks.findings)
        written += _write(path, {"analyses.md": text})
    written += write_latex(report, path, names) if "latex" in formats else []
    written += write_short(report, path, names[0], formats)
    if kinds := [kind for kind in FIGURES if kind in formats]:
        from triptych.reports.plots.gallery import write_figures

        written += write_figures(report, names[0], path, kinds, checks.sections)
    return written + (_write_outputs(report, path) if "outputs" in formats else [])


def _write_outputs(report: Report, path: Path) -> list[Path]:
    """Write the replies of one Run to `outputs/`; those of several Runs to a subfolder each."""
    written, names = [], file_names(report.folders)
    for label, folder in report.folders.items():
        below = path / "outputs" / (names[label] if len(report.folders) > 1 else "")
        model = folder.manifest.model.removeprefix("replay/")
        written += report.benchmark.write_outputs(folder.items(), folder.responses(), below, model=model)
    return written


@keep_files()
def write_tables(folder: RunFolder, scores: Mapping[str, Sequence[Aggregate]]) -> list[Path]:
    """Write a Run's `tables/*.csv`. Tables of an earlier scoring in which no figure is left are deleted."""
    label = label_of(folder)
    benchmark = load_benchmark(folder.manifest.benchmark)
    report = _make_report(benchmark, {label: scores}, {label: folder}, None)
    written = write_csv(report, folder.tables_path, report.protocols())
    possible = {
        folder.tables_path / f"{name}.csv" for name in ("overview", *(one.id for one in benchmark.spec.layouts))
    }
    for path in possible.difference(written):
        if path.is_file():
            path.unlink()
    return written


def write_csv(report: Report, path: Path, protocols: Sequence[str]) -> list[Path]:
    """Write `scores.csv` with every figure, one file per layout with all protocols, and `notes.csv` with the notes
    below them."""
    chosen = {
        label: {p: label_runs[p] for p in protocols if p in label_runs} for label, label_runs in report.runs.items()
    }
    files = {"scores.csv": tidy_csv(chosen, report.marks())}
    layouts: dict[str, list[Table]] = {}
    for protocol in protocols:
        for table in report.tables(protocol):
            layouts.setdefault(table.id, []).append(table)
    files |= {f"{name}.csv": table_csv(tables) for name, tables in layouts.items()}
    files["notes.csv"] = notes_csv(table for tables in layouts.values() for table in tables)
    return _write(path, files)


def write_markdown(report: Report, path: Path, protocols: Sequence[str]) -> list[Path]:
    """Write `PROTOCOL.md` with all tables of a protocol."""
    title = report.benchmark.spec.title
    files = {f"{p}.md": markdown_report(f"{title}, {p}", report.tables(p), report.aggregates_of(p)) for p in protocols}
    return _write(path, files)


def write_short(report: Report, path: Path, protocol: str, kinds: Sequence[str]) -> list[Path]:
    """Write `headline.tex` or `headline.md`: a table of three columns to paste, with each Run's headline figures."""
    made = {"latex": ("headline.tex", short_latex), "md": ("headline.md", short_markdown)}
    table = short_rows(report, protocol)
    title = f"{report.benchmark.spec.title.partition(':')[0]}, protocol {protocol}"
    return _write(path, {made[kind][0]: made[kind][1](title, table) for kind in kinds if kind in made and table.rows})


def write_latex(report: Report, path: Path, protocols: Sequence[str]) -> list[Path]:
    """Write `PROTOCOL.tex`, a document with all tables of a protocol."""
    title = report.benchmark.spec.title
    files = {f"{p}.tex": latex_report(f"{title}, {p}", report.tables(p), report.aggregates_of(p)) for p in protocols}
    return _write(path, files)


def _write(path: Path, files: Mapping[str, str]) -> list[Path]:
    for name, content in files.items():
        write_atomically(path / name, content.encode())
    return [path / name for name in files]


def collect(folders: Sequence[RunFolder], with_published: bool = False) -> list[Report]:
    """Return a Report for each benchmark of the Runs, in order of appearance. Raises SpecError without Runs."""
    if not folders:
        raise SpecError("no Run was given to report on", fix="triptych report RUN…")
    by_name: dict[str, list[RunFolder]] = {}
    for folder in folders:
        by_name.setdefault(folder.manifest.benchmark, []).append(folder)
    return [
        _report(load_benchmark(name), benchmark_folders, with_published) for name, benchmark_folders in by_name.items()
    ]


def _report(benchmark: Benchmark, folders: Sequence[RunFolder], with_published: bool) -> Report:
    placed = dict(zip(labels_of(folders), folders, strict=True))
    scores = {label: up_to_date(folder) for label, folder in placed.items()}
    return _make_report(benchmark, scores, placed, load_published(benchmark.folder) if with_published else None)


def _make_report(
    benchmark: Benchmark, runs: ByLabel, folders: Mapping[str, RunFolder], published: Published | None
) -> Report:
    """Return a Report over Runs of one benchmark, with the facts from their folders."""
    return Report(
        benchmark,
        runs=runs,
        samples=frozenset(f.manifest.sample.partition("@")[0] for f in folders.values() if f.manifest.sample),
        prompts={label: (label_of(folder), folder.manifest.prompt) for label, folder in folders.items()},
        published=published,
        folders=folders,
    )


def _show(tables: Iterable[Table], runs: Mapping[str, Sequence[Aggregate]]) -> None:
    from triptych.reports.terminal.tables import print_signatures, print_table, stdout

    console = stdout()
    for table in tables:
        print_table(table, console)
    print_signatures(runs, console)


def _tell_notes(runs: ByLabel) -> None:
    from triptych.reports.terminal.tables import print_notes

    print_notes({label: run.notes for label, run in runs.items() if isinstance(run, Scored)})
