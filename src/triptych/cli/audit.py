"""`triptych audit`: check data, Runs and published tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triptych.cli.arguments import tell
from triptych.cli.options import Json

if TYPE_CHECKING:
    from triptych.records import Finding

HELP = "Check whether figures are true: audit a benchmark's data, Runs or released results, and published tables."
app = typer.Typer(
    help=HELP,
    short_help="Check whether figures are true: data, Runs, results, tables.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_All = Annotated[bool, typer.Option("--all", help="show all findings instead of the first of each kind")]


@app.command(
    "data",
    help="Audit a benchmark's questions and media: guessable answers, leaks, duplicates, missing files.",
    short_help="Audit questions and media: guesses, leaks, duplicates.",
)
def data(
    benchmark: Annotated[str, typer.Argument(help="BENCH or BENCH/TASK")],
    folder: Annotated[str, typer.Option("--data", help="data folder [the built-in mini set]")] = "mini",
    everything: _All = False,
    json: Json = False,
) -> int:
    """Exits with 1 if a finding is severe."""
    from triptych import api

    return _end(api.audit_data(benchmark, folder), f"{benchmark}: data", everything, json)


@app.command(
    "run",
    help="Audit Runs or released results: whether the scores follow from the replies, and which replies they count.",
    short_help="Audit Runs or released results: scores and replies.",
)
def run(
    results: Annotated[list[Path], typer.Argument(help="Run folders, or files and folders of results")],
    benchmark: Annotated[
        str | None, typer.Option(help="the benchmark of the results [recognised from the files]")
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
    json: Json = False,
) -> int:
    """Exits with 1 if a finding is severe."""
    from triptych import api
    from triptych.cli.arguments import pairs, say

    found = api.audit_run(
        results, benchmark=benchmark, data=folder, repeats=pairs(repeats or [], "--repeats"), say=say, rows=_rows(row),
        recover=recover,
    )  # fmt: skip
    return _end(found, "runs", everything, json)


@app.command(
    "tables",
    help="Audit the tables of a benchmark's paper: derived figures, impossible shares, repeated cells.",
    short_help="Audit a paper's tables.",
)
def tables(
    benchmark: Annotated[str, typer.Argument(help="the benchmark")],
    everything: _All = False,
    json: Json = False,
) -> int:
    """Exits with 1 if a finding is severe."""
    from triptych import api

    return _end(api.audit_tables(benchmark), f"{benchmark}: published tables", everything, json)


def _rows(given: list[str] | None) -> dict[str, str]:
    """Return {name of a result, or *: row}. Raises SpecError if two rows are named for one result."""
    from triptych.errors import SpecError

    rows: dict[str, str] = {}
    for text in given or []:
        name, _, row = text.rpartition("=")
        if (name or "*") in rows:
            raise SpecError(
                "two published rows for one result", where="--row", got=text, fix="--row RESULT=ROW for each"
            )
        rows[name or "*"] = row
    return rows


def _end(findings: list[Finding], title: str, everything: bool, json: bool) -> int:
    if json:
        from triptych.cli.arguments import print_json
        from triptych.reports.findings.audited import counts_by_origin

        print_json({"findings": findings, "counts": counts_by_origin(findings)})
    else:
        from triptych.reports.findings.audited import findings_text

        tell(findings_text(findings, title, everything=everything))
    return 1 if any(found.severity == "severe" for found in findings) else 0
