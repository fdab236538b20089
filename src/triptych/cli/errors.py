"""`triptych errors`: kinds of errors in Runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from triptych.cli.options import Json, JudgeDescriptions, JudgeSameModel, JudgeSettings, JudgeUrls, judges_of

HELP = "Classify the errors of Runs: refusals, loops, wrong language, format …, optionally by a judge and by people."


def command(
    runs: Annotated[list[Path], typer.Argument(help="Run folders of one benchmark, or folders that contain them")],
    by: Annotated[
        str,
        typer.Option(
            help="the facet by which errors are grouped [category, genre, domain, family …]; answer or item: error "
            "rates by reference answer or by question, as means over the Runs; character: those of transcripts"
        ),
    ] = "",
    right: Annotated[str, typer.Option(help="list what is right in this form and wrong in the form --wrong")] = "",
    wrong: Annotated[str, typer.Option(help="the form in which it is wrong, such as text_audio")] = "",
    task: Annotated[list[str] | None, typer.Option(help="only this task; may be repeated")] = None,
    corrections: Annotated[
        Path | None, typer.Option(help="CSV, XLSX or JSONL: item,kind,note [the Run's annotations.jsonl]")
    ] = None,
    protocol: Annotated[
        str | None, typer.Option(help="the protocol that decides which replies are correct [the benchmark's first]")
    ] = None,
    judge: Annotated[
        list[str] | None, typer.Option(help="a judge that classifies wrong answers; may be repeated")
    ] = None,
    judge_base_url: JudgeUrls = None,
    judge_setting: JudgeSettings = None,
    judge_descriptions: JudgeDescriptions = None,
    judge_media: Annotated[
        str,
        typer.Option(
            help="which judges are sent the recordings, pictures and films of the questions: known (those that the "
            "catalogue says take them), all or none"
        ),
    ] = "known",
    data: Annotated[Path | None, typer.Option(help="folder of the benchmark's media, for judges")] = None,
    same_model: JudgeSameModel = False,
    json: Json = False,
) -> int:
    """See HELP."""
    from triptych.api.errors import analyse_errors
    from triptych.cli.arguments import print_json
    from triptych.running.loop import RunOptions

    options = RunOptions(progress=True, same_model=same_model)
    judges = judges_of(
        judge, judge_base_url, judge_setting, options, descriptions=judge_descriptions, media=judge_media
    )
    section = analyse_errors(
        runs,
        protocol=protocol,
        by=by,
        right=right,
        wrong=wrong,
        tasks=task or (),
        corrections=corrections,
        judges=judges,
        data=data,
    )
    if json:
        print_json(section)
    else:
        from triptych.reports.terminal.sections import show_section

        show_section(section)
    return 0
