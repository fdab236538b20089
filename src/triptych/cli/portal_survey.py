"""`triptych portal survey`: people answer a benchmark's Items, and their answers become Runs."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triptych.cli.arguments import count, filters_of, pairs, print_json, say, split_values
from triptych.cli.options import Json
from triptych.cli.portal_target import check_packages, end_of

if TYPE_CHECKING:
    from triptych.portal.exchange.ends import End

HELP = "Ask people a benchmark's questions, as models are asked, and write their answers as Runs."
app: typer.Typer = typer.Typer(
    help=HELP,
    short_help="Ask people a benchmark's questions.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_Here = Annotated[Path | None, typer.Option("--project", help="the project folder, on this computer")]
_Url = Annotated[
    str, typer.Option("--url", help="address of a portal elsewhere; the token is read from TRIPTYCH_PORTAL_TOKEN")
]
_Db = Annotated[
    str, typer.Option("--db", help="URL of the database [TRIPTYCH_PORTAL_DB, portal.toml, or portal.db in the folder]")
]


@app.command("push", help="Put a survey of a benchmark's Items into a queue of the portal.")
def push(
    benchmark: Annotated[str, typer.Argument(help="BENCH or BENCH/TASK: xmodbench, xmodbench/linguistic, cmdar/main")],
    tasks: Annotated[list[str] | None, typer.Argument(help="further tasks of the same benchmark")] = None,
    project: _Here = None,
    url: _Url = "",
    queue: Annotated[str, typer.Option(help="name of the survey [the benchmark's]")] = "",
    data: Annotated[str | None, typer.Option(help="data folder [the built-in mini set]")] = None,
    condition: Annotated[
        list[str] | None,
        typer.Option(help="a change to the Items (`triptych list conditions`); repeated: applied in order"),
    ] = None,
    prompt: Annotated[str | None, typer.Option(help="a prompt of the benchmark, FILE.toml or FILE.toml#NAME")] = None,
    filter_: Annotated[
        list[str] | None, typer.Option("--filter", help="facet=value: only questions with it; may be repeated")
    ] = None,
    items: Annotated[Path | None, typer.Option(help="file of the ids of the Items to ask, one per line [all]")] = None,
    seed: Annotated[int, typer.Option(help="seed of everything that is drawn")] = 0,
    per_cell: Annotated[int, typer.Option(help="questions of each cell (a Task in one direction or modality)")] = 10,
    people: Annotated[int, typer.Option(help="valid participants of each cell")] = 10,
    most_cells: Annotated[int, typer.Option(help="cells that a person gets at most; 0: no limit")] = 0,
    checks: Annotated[int, typer.Option(help="attention checks of each person")] = 2,
    practice: Annotated[int, typer.Option(help="questions before the first one, with feedback, that don't count")] = 0,
    break_after: Annotated[int, typer.Option(help="questions between two breaks; 0: no breaks")] = 20,
    form: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[TASK=]FORM",
            help="form of answers: choice, choices, text, transcript or rating:LOW-HIGH [by Task]",
        ),
    ] = None,
    may_decline: Annotated[bool, typer.Option("--may-decline", help="people may leave a question unanswered")] = False,
    most_failed: Annotated[int, typer.Option(help="attention checks that may be failed")] = 0,
    least_seconds: Annotated[float, typer.Option(help="a shorter answer is a fast one, seconds")] = 2.0,
    most_fast: Annotated[float, typer.Option(help="share of questions that may have a fast answer")] = 0.2,
    most_declined: Annotated[float, typer.Option(help="share of questions that may be left unanswered")] = 0.5,
    patience: Annotated[float, typer.Option(help="hours after which an unfinished person's places are free")] = 48.0,
    db: _Db = "",
    json: Json = False,
) -> int:
    """Push."""
    check_packages()
    from triptych.experiment.planning import plan
    from triptych.portal.survey.creation import Wanted, make_survey
    from triptych.portal.survey.rules import Validity

    end = end_of(project, url, db)
    ready = plan(
        benchmark,
        "baseline/constant",
        tasks=tasks or (),
        data=data,
        conditions=split_values(condition),
        prompt=prompt,
        filters=filters_of(filter_),
        items_file=items,
        seed=seed,
    )
    forms = {name.strip("/"): kind for name, kind in (_form(words) for words in split_values(form))}
    valid = Validity(most_failed, least_seconds, most_fast, most_declined)
    wanted = Wanted(per_cell, people, most_cells, checks, break_after, may_decline, patience, valid, forms, practice)
    with tempfile.TemporaryDirectory() as folder:
        made = make_survey(ready, wanted, lambda data, sha: _keep(end, Path(folder), data, sha))
    done = end.put_survey(queue or ready.benchmark.name, made.survey)
    for note in made.notes:
        say(note)
    if json:
        print_json(done)
    else:
        cells = count(len(made.survey.settings.cells), "cell")
        say(f"{done.queue}: {cells}, {count(done.open, 'question')} open, {done.added} new, {done.closed} closed")
    return 0


@app.command(
    "pull",
    help="Write the answers as Runs: one for each participant who counts, and one of all of them.",
    short_help="Write the answers as Runs.",
)
def pull(
    queue: Annotated[str, typer.Argument(help="name of the survey")],
    to: Annotated[Path, typer.Option("--to", help="folder of Runs; the survey's are below TO/QUEUE")],
    project: _Here = None,
    url: _Url = "",
    db: _Db = "",
    json: Json = False,
) -> int:
    """Pull."""
    check_packages()
    from triptych.portal.survey.exporting import export

    end = end_of(project, url, db)
    made = export(end.answers(queue), queue, to, lambda ids, target: end.confirm(queue, ids, target))
    if json:
        print_json(made)
        return 0
    low, high = min(made.cells.values()), max(made.cells.values())
    people, answers = count(made.people, "participant"), count(made.answers, "answer")
    say(f"{made.folder}: {people}, {answers}; {low} to {high} in each of {count(len(made.cells), 'cell')}")
    for reason, number in sorted(made.left.items()):
        say(f"not counted: {number} ({reason})")
    for name in made.removed:
        say(f"removed: {name}, whose answers don't count any more")
    say(f"triptych report {made.folder}/human-joined RUN… puts people next to models")
    return 0


def _form(words: str) -> tuple[str, str]:
    """`[TASK=]FORM` as Task (empty for all) and form."""
    return pairs([words], "--form")[0] if "=" in words else ("", words)


def _keep(end: End, folder: Path, data: bytes, sha: str) -> None:
    path = folder / sha
    path.write_bytes(data)
    end.put_medium(path, sha, len(data))
    path.unlink(missing_ok=True)
