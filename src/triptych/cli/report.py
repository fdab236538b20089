"""`triptych report`: tables and figures of Runs: in the terminal, as one HTML file, CSV, Markdown, LaTeX, images."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

HELP = (
    "Write tables and figures of Runs of one benchmark or of several: in the terminal; as one HTML file that needs no "
    "network; as CSV, Markdown and LaTeX in the layout of each paper's tables; as images; or the Runs' outputs in the "
    "authors' format."
)


def command(
    runs: Annotated[
        list[Path], typer.Argument(help="Run folders of one or more benchmarks, or folders that contain them")
    ],
    to: Annotated[
        Path | None,
        typer.Option(help="folder for the files; without --format: HTML, CSV and Markdown [the Run's tables/]"),
    ] = None,
    format_: Annotated[
        list[str] | None,
        typer.Option(
            "--format",
            help="terminal, html, csv, md, latex, svg, png, pdf (figures), outputs; separated by commas [terminal]",
        ),
    ] = None,
    figures: Annotated[
        bool, typer.Option("--figures", help="also write the figures for a paper, as PNG (300 dpi) and PDF")
    ] = False,
    with_published: Annotated[
        bool, typer.Option("--with-published", help="add the paper's rows, and an audit's findings on its tables")
    ] = False,
    protocol: Annotated[
        str | None, typer.Option(help="the protocol whose scores are shown [the benchmark's first]")
    ] = None,
    data: Annotated[
        list[str] | None,
        typer.Option(help="BENCHMARK=DIR: folder of its media [the Run's own, for files whose hashes match]"),
    ] = None,
    highlight: Annotated[
        list[str] | None,
        typer.Option(help="Run with a colour of its own in figures of more than eight; at most two [none]"),
    ] = None,
    title: Annotated[str, typer.Option(help="title of the HTML file [what was compared]")] = "",
    public: Annotated[
        bool,
        typer.Option("--public", help="leave paths, endpoints and viewer links of this machine out of all files"),
    ] = False,
    details: Annotated[
        bool,
        typer.Option(
            "--details", help="in the terminal, print all tables and analyses of more than four Runs or one benchmark"
        ),
    ] = False,
    viewer: Annotated[
        str, typer.Option(help="address of the viewer that numbers link to [http://127.0.0.1:8765, if it answers]")
    ] = "",
) -> int:
    """See HELP."""
    from triptych import api
    from triptych.cli.arguments import say, say_written, settings_of, split_values
    from triptych.reports.report import html_lacks

    formats = split_values(format_)
    if to and not formats and not figures and (lacking := html_lacks()):
        say(f"no html: it needs {lacking}; pip install 'triptych[report]'")
    formats += [kind for kind in ("png", "pdf") if figures and kind not in formats]
    folders = settings_of(data, "--data")
    written = api.report(
        list(runs),
        to=to,
        formats=formats or None,
        with_published=with_published,
        protocol=protocol,
        data=folders,
        title=title,
        public=public,
        highlight=tuple(highlight or ()),
        viewer=viewer,
        details=details,
        progress=say,
    )
    say_written(written)
    return 0
