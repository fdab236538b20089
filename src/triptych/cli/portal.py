"""`triptych portal`: people record, review, annotate and take part, in one web application."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from triptych.cli.arguments import count, print_json, say, split_values
from triptych.cli.options import Json, ending
from triptych.cli.portal_gold import gold
from triptych.cli.portal_people import invite, person
from triptych.cli.portal_remind import remind, status
from triptych.cli.portal_survey import app as survey
from triptych.cli.portal_target import check_packages, end_of

HELP = "Serve the portal, a web app in which people record, review and annotate."
app: typer.Typer = typer.Typer(
    help=HELP,
    short_help="Serve the portal, a web app for people's work.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(survey, name="survey")
_Project = Annotated[Path, typer.Option("--project", help="the project folder: settings, database, media")]
_Db = Annotated[
    str, typer.Option("--db", help="URL of the database [TRIPTYCH_PORTAL_DB, portal.toml, or portal.db in the folder]")
]


@app.command("serve", help="Serve a project; the folder is made if it doesn't exist.")
def serve(
    project: _Project,
    db: _Db = "",
    port: Annotated[int, typer.Option(help="port; 0 for any free one")] = 8780,
    host: Annotated[str, typer.Option(help="address to listen on")] = "127.0.0.1",
    allow_host: Annotated[
        list[str] | None, typer.Option(help="an additional host name to answer to, besides localhost")
    ] = None,
    certificate: Annotated[Path | None, typer.Option(help="certificate for HTTPS, in PEM format")] = None,
    key: Annotated[Path | None, typer.Option(help="the certificate's private key, in PEM format")] = None,
    workers: Annotated[int, typer.Option(help="processes that answer requests; several are for PostgreSQL")] = 1,
) -> int:
    """See HELP."""
    check_packages()
    from triptych.portal.serve import serve as serving

    serving(
        project,
        db=db,
        host=host,
        port=port,
        names=split_values(allow_host),
        certificate=certificate,
        key=key,
        workers=workers,
        say=say,
    )
    return 0


@app.command(
    "demo",
    help="Make a project with made-up people and work, print a link for each role, and serve it.",
    short_help="Make and serve a project with made-up people and work.",
)
def demo(
    to: Annotated[Path, typer.Option("--to", help="the project folder; an earlier demo there is served again")] = Path(
        "portal-demo"
    ),
    port: Annotated[int, typer.Option(help="port")] = 8780,
    no_serve: Annotated[bool, typer.Option("--no-serve", help="make the project and its links only")] = False,
) -> int:
    """See HELP."""
    check_packages()
    from triptych.portal.demo.make import demo as making
    from triptych.portal.serve import serve as serving

    making(to, f"http://127.0.0.1:{port}", say).close()
    if not no_serve:
        serving(to, port=port, say=say)
    return 0


app.command(
    "invite",
    help="Make invitation links: for one person, for each line of a table, or one for many.",
    short_help="Make invitation links.",
)(invite)
app.command(
    "person",
    help="Pause a person, change roles, end sessions, free tasks, or give a work to somebody else.",
    short_help="Pause a person, change roles, free tasks …",
)(person)
app.command(
    "remind",
    help="Write reminders to people without recent results into a CSV file; the portal sends nothing and never sees "
    "the addresses.",
    short_help="Write reminders into a file; nothing is sent.",
)(remind)
app.command(
    "status",
    help="Print how far each queue is, when it will be done, and what fills the disk.",
    short_help="Print the progress of each queue and the disk use.",
)(status)
app.command(
    "gold",
    help="Hide tasks with known answers among those of a queue, or put practice before them.",
    short_help="Add tasks with known answers, hidden or as practice.",
)(gold)


@app.command("backup", help="Write everything into one archive: JSON lines and media.")
def backup(
    project: _Project,
    to: Annotated[Path, typer.Option("--to", callback=ending(".zip"), help="the archive, a ZIP file")],
    db: _Db = "",
) -> int:
    """Write the archive."""
    check_packages()
    from triptych.portal.project import open_portal
    from triptych.portal.store.archive import backup as writing

    portal = open_portal(project, db)
    made = writing(portal.database, portal.blobs, to)
    say(f"{to}: {count(sum(made.rows.values()), 'row')}, {count(len(made.media), 'media file')}")
    return 0


@app.command("restore", help="Fill a new project folder, or an empty database, from an archive.")
def restore(
    archive: Annotated[Path, typer.Argument(help="the archive", metavar="ARCHIVE")],
    project: _Project,
    db: _Db = "",
) -> int:
    """Read the archive."""
    check_packages()
    from triptych.portal.restoring import restore_portal

    made = restore_portal(archive, project, db)
    say(f"{project}: {count(sum(made.rows.values()), 'row')}, {count(len(made.media), 'media file')}")
    return 0


@app.command(
    "token",
    help="Make a token for push and pull from another computer; it is printed once.",
    short_help="Make a token for push and pull from another computer.",
)
def token(
    project: _Project,
    label: Annotated[str, typer.Option(help="name of the token, needed to end it")],
    end: Annotated[bool, typer.Option("--end", help="end all tokens with this name instead")] = False,
    db: _Db = "",
) -> int:
    """Print the token to standard output."""
    check_packages()
    from triptych.errors import DataError
    from triptych.portal.project import open_portal
    from triptych.portal.work.tokens import add_token, end_tokens

    portal = open_portal(project, db)
    with portal.database.writing() as connection:
        if end:
            if not (ended := end_tokens(connection, label)):
                raise DataError("no API token has this label", got=label)
            say(f"{count(ended, 'token')} ended")
        else:
            print(add_token(connection, label))
    return 0


@app.command(
    "doctor",
    help="Try the public address of a portal as a browser would: certificate, proxy, limits, clock.",
    short_help="Try the public address of a portal.",
)
def doctor(
    url: Annotated[str, typer.Option("--url", help="the address that people open")],
    json: Json = False,
) -> int:
    """Print a line for each check."""
    check_packages()
    from triptych.portal.doctor import examine

    report = examine(url)
    if json:
        print_json(report)
    else:
        for each in report:
            print(f"{'ok  ' if each.good else 'NOT '} {each.name}: {each.observed}")
            if each.fix:
                print(f"     what to do: {each.fix}")
    return 0 if all(each.good for each in report) else 1


_Build = Annotated[Path, typer.Argument(help="the build folder, or a Run folder", metavar="FOLDER")]
_Stage = Annotated[
    str, typer.Argument(help="the stage whose tasks people do; of a Run: errors, verdicts", metavar="STAGE")
]
_Queue = Annotated[str, typer.Option("--queue", help="the queue [the stage's name; of a Run: RUN-STAGE]")]
_Here = Annotated[Path | None, typer.Option("--project", help="the project folder, on this computer")]
_Url = Annotated[
    str, typer.Option("--url", help="address of a portal elsewhere; the token is read from TRIPTYCH_PORTAL_TOKEN")
]


@app.command("push", help="Put the open tasks of a build's stage into a queue of the portal.")
def push(
    build: _Build,
    stage: _Stage,
    project: _Here = None,
    url: _Url = "",
    queue: _Queue = "",
    kind: Annotated[
        str,
        typer.Option(help="recording, review, annotation or survey [by the first field: a medium, a choice, a text]"),
    ] = "",
    reviewers: Annotated[
        int, typer.Option(help="people who do each review or annotation independently; the build gets one result")
    ] = 0,
    verify: Annotated[
        bool, typer.Option("--verify", help="a verifier sees each annotation, corrects it, and decides")
    ] = False,
    native: Annotated[
        bool, typer.Option("--native", help="verifiers must have the task's language as their native language")
    ] = False,
    abstract_first: Annotated[
        bool,
        typer.Option("--abstract-first", help="the questions from a talk's abstract are written before it is heard"),
    ] = False,
    others: Annotated[
        list[Path] | None,
        typer.Option("--with", help="one more Run, whose replies are mixed with those of the first; may be repeated"),
    ] = None,
    sample: Annotated[
        float, typer.Option(help="for a Run: share of the questions of each Task, drawn at random, such as 0.1")
    ] = 1.0,
    seed: Annotated[int, typer.Option(help="seed of the draw")] = 0,
    scale: Annotated[
        str, typer.Option(help="for verdicts: people's scale LOW-HIGH, such as 0-5 [that of the judge's rubric]")
    ] = "",
    db: _Db = "",
    json: Json = False,
) -> int:
    """Push."""
    check_packages()
    from triptych.errors import SpecError
    from triptych.portal.exchange.push import push as pushing
    from triptych.portal.exchange.runs import Sheet, is_run, push_run

    end = end_of(project, url, db)
    if is_run(build):
        of_builds = {"--kind": kind, "--verify": verify, "--native": native, "--abstract-first": abstract_first}
        if build_options := [name for name, value in of_builds.items() if value]:
            raise SpecError(
                f"{', '.join(build_options)} can be used only for stages of a build",
                where=build,
                got="the folder of a Run",
            )
        if scale and stage == "errors":
            raise SpecError("--scale is for verdicts", where=build, got=stage)
        sheet = Sheet(tuple(others or ()), sample, seed, _points(scale) if scale else None)
        made = push_run(end, build, stage, queue=queue, reviewers=reviewers, sheet=sheet)
    elif others or scale or sample != 1 or seed:
        raise SpecError("--with, --sample, --seed and --scale are for Runs", where=build, got="the folder of a build")
    else:
        made = pushing(
            end,
            build,
            stage,
            queue=queue,
            kind=kind,
            reviewers=reviewers,
            verify=verify,
            native=native,
            abstract_first=abstract_first,
        )
    if json:
        print_json(made)
    else:
        again = f"; {count(made.again, 'result')} to be made again" if made.again else ""
        tasks = count(made.open, "task")
        say(f"{made.queue} ({made.kind}): {tasks} open, {made.added} new, {made.closed} closed{again}")
    return 0


def _points(scale: str) -> tuple[int, int]:
    from triptych.errors import SpecError

    low, dash, high = scale.partition("-")
    if not (dash and low.isdecimal() and high.isdecimal() and int(low) < int(high) <= 100):
        raise SpecError("not a scale", where="--scale", got=scale, expected="LOW-HIGH, such as 0-5")
    return int(low), int(high)


@app.command(
    "pull",
    help="Write the accepted results of a queue into the build: results/STAGE.jsonl and its media.",
    short_help="Write the accepted results of a queue into the build.",
)
def pull(
    build: _Build,
    stage: _Stage,
    project: _Here = None,
    url: _Url = "",
    queue: _Queue = "",
    db: _Db = "",
    json: Json = False,
) -> int:
    """Pull."""
    check_packages()
    from triptych.portal.exchange.pull import pull as pulling
    from triptych.portal.exchange.run_words import pull_run
    from triptych.portal.exchange.runs import is_run

    end = end_of(project, url, db)
    made = pull_run(end, build, stage, queue=queue) if is_run(build) else pulling(end, build, stage, queue=queue)
    if json:
        print_json(made)
        return 0
    received, others = (
        f"{count(made.results, 'result')}, {count(made.media, 'media file')}",
        count(made.others, "result"),
    )
    say(f"{made.queue}: {received}; {others} of other origin kept")
    for name in () if is_run(build) else made.withdrawn:
        say(f"{name} has withdrawn: triptych build withdraw {build} speaker:{name} --config FILE")
    return 0
