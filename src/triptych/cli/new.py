"""`triptych new`: a folder with a benchmark made from a file of questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from triptych.cli.arguments import say
from triptych.cli.questions import questions_of, show_questions

HELP = "Make a benchmark from a file of questions: a folder with the mapping, the questions, their media and a README."


def command(
    name: Annotated[str, typer.Argument(help="name of the benchmark, and of its folder")],
    source: Annotated[
        str, typer.Option("--from", help="file or folder of questions (JSONL, CSV, XLSX, Parquet …), or hf/ORG/NAME")
    ],
    data: Annotated[str | None, typer.Option(help="folder of the media [that of the file]")] = None,
    to: Annotated[Path, typer.Option(help="folder in which the new one is made")] = Path(),
    map_: Annotated[
        list[str] | None, typer.Option("--map", help="role=COLUMN: what a column is (answer=gold, id=, …)")
    ] = None,
    instance: Annotated[str, typer.Option(help="column whose equal values mark forms of one question")] = "",
) -> int:
    """See HELP."""
    from triptych.api import new_benchmark
    from triptych.errors import SpecError

    bench = questions_of(source, None, map_, instance)
    if isinstance(bench, str):
        expected = "JSONL, JSON, CSV, TSV, XLSX, Parquet, or ./FOLDER"
        raise SpecError("not a file of questions", where=source, expected=expected)
    show_questions(bench, data)
    folder = new_benchmark(name, bench, data=data, to=to)
    say(f"wrote {folder}: complete licence and citation in benchmark.toml and README.md")
    say(f"triptych run {folder} --model …")
    return 0
