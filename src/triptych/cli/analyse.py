"""`triptych analyse`: consistency, robustness, ablation, significance, agreement and cost of stored Runs or results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triptych.cli.options import Json

if TYPE_CHECKING:
    from triptych.records import Section

HELP = (
    "Analyse stored Runs beyond scores: consistency, robustness, ablation, significance, agreement, cost, groups. "
    "No model is asked."
)


def command(
    runs: Annotated[
        list[str],
        typer.Argument(
            help="Run folders of one benchmark, or folders that contain them; with --predictions: the benchmark's name"
        ),
    ],
    kind: Annotated[
        list[str] | None,
        typer.Option(help="consistency, robustness, ablation, significance, agreement, cost, groups [all that apply]"),
    ] = None,
    predictions: Annotated[
        list[Path] | None,
        typer.Option(help="results made elsewhere, in the authors' format; one system per file or folder"),
    ] = None,
    data: Annotated[Path | None, typer.Option(help="with --predictions: the folder of the questions")] = None,
    ratings: Annotated[
        Path | None, typer.Option(help="people's ratings of the replies: CSV, XLSX or JSONL with item, value, rater")
    ] = None,
    protocol: Annotated[
        str | None, typer.Option(help="the protocol whose scores are analysed [the benchmark's first]")
    ] = None,
    seed: Annotated[int, typer.Option(help="seed of the resampling for intervals")] = 0,
    json: Json = False,
) -> int:
    """See HELP."""
    from triptych import api
    from triptych.cli.arguments import print_json, say, split_values
    from triptych.errors import SpecError

    if predictions and len(runs) != 1:
        raise SpecError("--predictions takes one benchmark's name", got=" ".join(runs))
    sections = api.analyse(
        runs[0] if predictions else list(runs),
        protocol=protocol,
        kinds=split_values(kind) or None,
        predictions=predictions or (),
        data=data,
        ratings=ratings,
        seed=seed,
    )
    if json:
        print_json(sections)
    else:
        _show(sections)
    if not sections:
        say("no analysis applies: no Instance has several forms, there is no second Run, and no reply was rated")
    return 0


def _show(sections: list[Section]) -> None:
    from triptych.reports.terminal.sections import show_section

    explained: set[str] = set()
    for section in sections:
        show_section(section, title=True, explain=section.explanation not in explained)
        explained.add(section.explanation)
