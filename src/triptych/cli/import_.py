"""`triptych import`: convert logs of other harnesses to Runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from triptych.cli.options import Json

HELP = (
    "Convert a log of Inspect, lmms-eval, lm-evaluation-harness, EvalScope, VLMEvalKit, HELM or OpenCompass to a Run, "
    "to score, compare, audit or view it."
)


def command(
    log: Annotated[
        Path,
        typer.Argument(
            help="LOG.eval, LOG.json, …samples_TASK.jsonl, MODEL_DATASET.xlsx, or the folder of one evaluation"
        ),
    ],
    out: Annotated[Path | None, typer.Option(help="Run folder to write [runs/imported/NAME]")] = None,
    data: Annotated[Path | None, typer.Option(help="data of the benchmark that the log is of")] = None,
    json: Json = False,
) -> int:
    """See HELP."""
    from triptych.cli.arguments import print_json, say
    from triptych.interchange.exports import import_log
    from triptych.reports.report import show_run, write_tables
    from triptych.scoring.documents import as_document
    from triptych.scoring.runs import score_run
    from triptych.store.files.names import file_name

    folder = import_log(log, out or Path("runs") / "imported" / file_name(log.resolve().stem), data)
    scored = score_run(folder)
    write_tables(folder, scored)
    if folder.manifest.note:  # first: what a log lacks says more than its tables, which may be long
        say(folder.manifest.note)
    if json:
        print_json(as_document(folder.manifest.benchmark, scored))
    else:
        show_run(folder, scored)
    say(f"Run folder: {folder.path}")
    return 0
