"""`triptych report`: tables and figures over Runs: in the terminal, as one HTML file, CSV, Markdown, LaTeX, images."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

HELP = (
    "Tables and figures over Runs, of one benchmark or of several: in the terminal; as one HTML file that needs no "
    "network; as CSV, Markdown and LaTeX in the layout of each paper's tables; as images; or the Runs' outputs in the "
    "authors' format."
)


def command(
    runs: Annotated[list[Path], typer.Argument(help="Run folders, or folders of them; of several benchmarks too")],
    to: Annotated[
        Path | None,
        typer.Option(help="the folder for files; without --format: HTML, CSV and Markdown [the Run's tables/]"),
    ] = None,
    format_: Annotated[
        list[str] | None,
        typer.Option(
            "--format",
            help="terminal, html, csv, md, latex, svg, png, pdf (figures), outputs; several with commas [terminal]",
        ),
    ] = None,
    figures: Annotated[
        bool, typer.Option("--figures", help="the figures for a paper too, as PNG (300 dpi) and PDF")
    ] = False,
    with_published: Annotated[
        bool, typer.Option("--with-published", help="the paper's rows beside, and what an audit finds in its tables")
    ] = False,
    protocol: Annotated[str | None, typer.Option(help="the protocol shown [the benchmark's first]")] = None,
    data: Annotated[
        list[str] | None,
        typer.Option(help="BENCHMARK=DIR: where its media are [where the Run says, for files whose hashes it tells]"),
    ] = None,
) -> int:
    """See HELP."""
    from triptych import api
    from triptych.cli.arguments import listed, pairs, say_written

    formats = listed(format_) or (_usual() if to and not figures else [] if figures else ["terminal"])
    formats += [kind for kind in ("png", "pdf") if figures and kind not in formats]
    folders = dict(pairs(data or [], "--data"))
    written = api.report(
        list(runs), to=to, formats=formats, with_published=with_published, protocol=protocol, data=folders
    )
    say_written(written)
    return 0


def _usual() -> list[str]:
    """What goes into a folder where no format is named: HTML too, if what it needs is installed."""
    from triptych.cli.arguments import say
    from triptych.reports.report import html_lacks

    if lacking := html_lacks():
        say(f"no html: it needs {lacking}; pip install 'triptych[report]'")
        return ["csv", "md"]
    return ["html", "csv", "md"]
