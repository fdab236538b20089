"""`triptych export`: write Runs for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

HELP = "Write Runs for other tools: an Inspect log, lmms-eval's sample files, or a dataset folder with a card."


def command(
    runs: Annotated[list[Path], typer.Argument(help="Run folders")],
    format_: Annotated[str, typer.Option("--format", help="format: inspect, lmms or dataset")],
    to: Annotated[Path, typer.Option(help="the folder to write to")] = Path("exports"),
    protocol: Annotated[
        str | None, typer.Option(help="the protocol whose scores are exported [the benchmark's first]")
    ] = None,
) -> int:
    """See HELP."""
    from triptych.cli.arguments import say_written
    from triptych.interchange.exports import export_run
    from triptych.store.folder import RunFolder

    for path in runs:
        folder = to / path.resolve().name if len(runs) > 1 else to
        say_written(export_run(RunFolder.open(path), format_, folder, protocol))
    return 0
