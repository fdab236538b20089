"""`triptych audit`: check data, Runs and published tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triptych.cli.arguments import tell
from triptych.cli.options import Json, ending

if TYPE_CHECKING:
    from triptych.records.checked import Audited

HELP = "Check whether figures are true: audit a benchmark's data, Runs or released results, and published tables."
app: typer.Typer = typer.Typer(
    help=HELP,
    short_help="Check whether figures are true: data, Runs, results, tables.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_All = Annotated[bool, typer.Option("--all", help="show all findings instead of the first of each kind")]
_To = Annotated[
    Path | None,
    typer.Option("--to", callback=ending(".html", ".md", ""), help="page of all findings to write (.html or .md)"),
]


@app.command(
    "data",
    help="Audit a benchmark's questions and media: guessable answers, leaks, duplicates, missing files.",
    short_help="Audit questions and media: guesses, leaks, duplicates.",
)
def data(
    benchmark: Annotated[str, typer.Argument(help="BENCH or BENCH/TASK")],
    folder: Annotated[str, typer.Option("--data", help="data folder [the built-in mini set]")] = "mini",
    map_: Annotated[
        list[str] | None,
        typer.Option("--map", help="role=COLUMN: what a column of a question file is (answer=gold, id=, …)"),
    ] = None,
    everything: _All = False,
    to: _To = None,
    json: Json = False,
) -> int:
    """Exits with 1 if a finding is severe."""
    from triptych import api
    from triptych.cli.questions import questions_of

    questions_file = questions_of(benchmark, None, map_, "")
    return _end(api.audit_data(questions_file, folder), f"{benchmark}: data", everything, to, json)


@app.command(
    "run",
    help="Audit Runs, released results or other harnesses' logs: whether the scores follow from the replies, and which "
    "replies they count.",
    short_help="Audit Runs, results or logs: scores and replies.",
)
def run(
    results: Annotated[
        list[Path], typer.Argument(help="Run folders, or files and folders of results or of other harnesses' logs")
    ],
    benchmark: Annotated[
        str | None,
        typer.Option(
            help="the benchmark of the results, or the file of your own questions [recognised from the files]"
        ),
    ] = None,
    folder: Annotated[
        str | None, typer.Option("--data", help="data folder, to recognise versions of the data and missing questions")
    ] = None,
    repeats: Annotated[
        list[str] | None,
        typer.Option(help="A=B: two of the results are one model asked twice; a reference for the agreement of others"),
    ] = None,
    row: Annotated[
        list[str] | None,
        typer.Option(
            help="ROW, or RESULT=ROW: the row of the paper's tables that the results are [found by name or figures]"
        ),
    ] = None,
    recover: Annotated[bool, typer.Option("--recover", help="read damaged result files up to the damage")] = False,
    everything: _All = False,
    to: _To = None,
    json: Json = False,
) -> int:
    """Exits with 1 if a finding is severe."""
    from triptych.benchmarks import addressed
    from triptych.cli.arguments import pairs, say
    from triptych.interchange.audit_logs import audit_results

    if benchmark is not None:
        addressed(benchmark)  # a misspelt name is also refused for Runs, which name their own benchmark
    outcomes = audit_results(
        results,
        benchmark=benchmark,
        data=Path(folder) if folder else None,
        repeats=pairs(repeats or [], "--repeats"),
        say=say,
        rows=_rows(row),
        recover=recover,
    )
    names = ", ".join(path.name or str(path) for path in results[:3]) + " …" * (len(results) > 3)
    return _end(outcomes, names, everything, to, json)


@app.command(
    "released",
    help="Compare all that a benchmark's authors released with all that their paper prints: each printed figure "
    "follows, differs, or can't be known.",
    short_help="Compare a release with its paper, cell by cell.",
)
def released(
    benchmark: Annotated[str, typer.Argument(help="the benchmark")],
    folder: Annotated[
        Path, typer.Option("--data", help="folder with everything that was released: results, questions")
    ],
    recover: Annotated[bool, typer.Option("--recover", help="read damaged result files up to the damage")] = False,
    everything: _All = False,
    to: _To = None,
    json: Json = False,
) -> int:
    """Exits with 1 if a finding is severe."""
    from triptych import api
    from triptych.cli.arguments import print_json, say
    from triptych.reports.findings.audited import counts_by_origin
    from triptych.reports.findings.cells import cells_text

    results = api.audit_released(benchmark, folder, say=say, recover=recover)
    if json:
        document = {"verdict": results.verdict, "cells": results.cells, "findings": list(results)}
        print_json(document | {"counts": counts_by_origin(results)})
        _write(results, f"{benchmark}: released", to)
    else:
        tell(f"{results.verdict}\n\n{cells_text(results.cells, everything=everything)}\n")
        return _end(results, f"{benchmark}: released", everything, to, json, cells=True)
    return _exit_code(results)


@app.command(
    "tables",
    help="Audit the tables of a benchmark's paper, or of any CSV, TSV, Markdown, HTML, LaTeX or XLSX files: averages "
    "and differences that don't follow, impossible shares, repeated cells, impossible orders. Files need no rules.",
    short_help="Audit tables: of a paper, or of any files.",
)
def tables(
    what: Annotated[list[str], typer.Argument(metavar="BENCH | FILE...", help="a benchmark, or files with tables")],
    rules: Annotated[Path | None, typer.Option(help="rules about the files' tables, as TOML")] = None,
    questions: Annotated[
        list[str] | None,
        typer.Option("--n", metavar="COLUMN=N", help="number of questions of a column of the files; may be repeated"),
    ] = None,
    no_tables_ok: Annotated[
        bool, typer.Option("--no-tables-ok", help="accept files without any table, as a hook for all files needs it")
    ] = False,
    everything: _All = False,
    to: _To = None,
    json: Json = False,
) -> int:
    """Exits with 1 if a finding is severe, and with 2 if no file has a table."""
    from triptych.api.audits import audit_tables, is_table_file
    from triptych.errors import SpecError

    if all(is_table_file(one) for one in what):
        return _files(what, rules, questions or [], to, everything, json, no_tables_ok=no_tables_ok)
    if len(what) > 1 or rules or questions or no_tables_ok:
        wrong = next(one for one in what if not is_table_file(one))
        raise SpecError(
            "not a file with tables", got=wrong, expected="only files, or one benchmark and no other option"
        )
    return _end(audit_tables(what[0]), f"{what[0]}: published tables", everything, to, json)


def _files(
    files: list[str],
    rules: Path | None,
    questions: list[str],
    page: Path | None,
    everything: bool,
    json: bool,
    *,
    no_tables_ok: bool,
) -> int:
    from triptych.api.audits import audit_table_files
    from triptych.cli.arguments import print_json, say
    from triptych.errors import DataError
    from triptych.reports.findings.audited import counts_by_origin, findings_text
    from triptych.reports.findings.tables_page import write_tables_page

    sheets, findings = audit_table_files(files, rules=rules, questions=_questions(questions))
    with_tables = {sheet.name.rpartition("#")[0] for sheet in sheets}
    if without := [file for file in files if not with_tables & {file, Path(file).name}]:
        if not sheets and not no_tables_ok:
            raise DataError(
                "no table was found",
                where=", ".join(without),
                expected="a table with at least two rows and two columns of figures",
                fix="check that it is the file that was meant; --no-tables-ok accepts files without a table",
            )
        say(f"no table in {', '.join(without)}")
    if page:
        write_tables_page(page, sheets, findings)
        say(f"wrote {page}")
    if json:
        read = [
            {
                "name": s.name,
                "line": s.line,
                "caption": s.caption,
                "rows": s.rows,
                "columns": s.columns,
                "figures": sum(map(len, s.cells.values())),
            }
            for s in sheets
        ]
        counts = counts_by_origin(findings)
        print_json({"verdict": findings.verdict, "findings": list(findings), "counts": counts, "tables": read})
    else:
        tell(findings_text(findings, ", ".join(files), everything=everything, verdict=findings.verdict))
    return _exit_code(findings)


def _questions(paths: list[str]) -> dict[str, int]:
    """Return {column: number of questions}. Raises SpecError for a number that isn't a positive integer."""
    from triptych.errors import SpecError

    counts: dict[str, int] = {}
    for text in paths:
        column, _, number = text.rpartition("=")
        if not column or not number.strip().isdecimal() or not 0 < int(number[:12]) <= 100_000_000:
            raise SpecError("--n takes COLUMN=N", got=text, expected="N a number of questions, as in --n Avg=1500")
        if column.strip() in counts:
            got = f"--n {column.strip()}={counts[column.strip()]} --n {text}"
            raise SpecError(f"--n {column.strip()} is given twice", got=got, fix="give each column one number")
        counts[column.strip()] = int(number)
    return counts


def _rows(values: list[str] | None) -> dict[str, str]:
    """Return {name of a result, or *: row}. Raises SpecError if two rows are named for one result."""
    from triptych.errors import SpecError

    rows: dict[str, str] = {}
    for text in values or []:
        name, _, row = text.rpartition("=")
        if (name or "*") in rows:
            raise SpecError(
                "two published rows for one result", where="--row", got=text, fix="--row RESULT=ROW for each"
            )
        rows[name or "*"] = row
    return rows


def _end(findings: Audited, title: str, everything: bool, to: Path | None, json: bool, *, cells: bool = False) -> int:
    _write(findings, title, to)
    if json:
        from triptych.cli.arguments import print_json
        from triptych.reports.findings.audited import counts_by_origin

        print_json({"verdict": findings.verdict, "findings": list(findings), "counts": counts_by_origin(findings)})
    else:
        from triptych.reports.findings.audited import findings_text

        tell(findings_text(findings, title, everything=everything, verdict="" if cells else findings.verdict))
    return _exit_code(findings)


def _write(findings: Audited, title: str, to: Path | None) -> None:
    if to is not None:
        from triptych.cli.arguments import say
        from triptych.reports.html.audit_page import write_audit_page

        say(f"Page: {write_audit_page(findings, title, to)}")


def _exit_code(findings: Audited) -> int:
    return 1 if any(one.severity == "severe" for one in findings) else 0
