"""`triptych portal invite` and `person`: links for people, and what an administrator does about one of them."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triptych.cli.arguments import say
from triptych.cli.options import ending
from triptych.cli.portal_target import check_packages

if TYPE_CHECKING:
    from triptych.portal.project import Portal

MAX_LINKS = 10_000
_Project = Annotated[Path, typer.Option("--project", help="the project folder: settings, database, media")]
_Db = Annotated[
    str, typer.Option("--db", help="URL of the database [TRIPTYCH_PORTAL_DB, portal.toml, or portal.db in the folder]")
]


def invite(
    project: _Project,
    role: Annotated[str, typer.Option(help="admin, recorder, reviewer, annotator or participant")] = "admin",
    label: Annotated[str, typer.Option(help="name or note; only administrators see it")] = "",
    address: Annotated[str, typer.Option(help="where the portal is served")] = "http://127.0.0.1:8780",
    days: Annotated[int, typer.Option(help="days until the link expires")] = 14,
    max_people: Annotated[
        int, typer.Option("--most", help="number of people who may use the link, each with an account")
    ] = 1,
    table: Annotated[
        Path | None, typer.Option(help="CSV with the columns label and role: a link for each line, instead of --role")
    ] = None,
    to: Annotated[
        Path | None, typer.Option("--to", callback=ending(".csv"), help="write label, role and link to this CSV file")
    ] = None,
    qr: Annotated[Path | None, typer.Option(help="folder for a QR code of each link, as SVG")] = None,
    db: _Db = "",
) -> int:
    """Print the links to standard output, or write them to files."""
    check_packages()
    from triptych.portal.people.person import read_invitations
    from triptych.portal.people.sessions import invite as inviting
    from triptych.portal.project import open_portal

    wanted = read_invitations(_text(table), MAX_LINKS) if table else [(label, role)]
    portal = open_portal(project, db)
    with portal.database.writing() as connection:
        made = [
            (
                name,
                kind,
                inviting(connection, portal.secret, kind, label=name, days=days, max_people=1 if table else max_people),
            )
            for name, kind in wanted
        ]
    links = [(name, kind, f"{address.rstrip('/')}/enter/{token}") for name, kind, token in made]
    if to:
        _write(to, links)
    if qr:
        _draw(qr, links)
    if not to:
        print("\n".join(link for _, _, link in links))
    return 0


def _text(path: Path) -> str:
    from triptych.errors import DataError

    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise DataError("the table isn't UTF-8", where=path, fix="save it as CSV UTF-8") from None
    except OSError as error:
        raise DataError("the table can't be read", where=path, got=str(error)) from None


def _write(path: Path, links: list[tuple[str, str, str]]) -> None:
    from triptych.records.harmless import harmless
    from triptych.store.files.atomic import write_atomically

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["label", "role", "link"])
    writer.writerows([harmless(cell) for cell in row] for row in links)
    write_atomically(path, out.getvalue().encode())
    say(f"{path}: {len(links)} {'link' if len(links) == 1 else 'links'}")


def _draw(folder: Path, links: list[tuple[str, str, str]]) -> None:
    from triptych.store.files.atomic import write_atomically
    from triptych.web.qr import qr_svg

    folder.mkdir(parents=True, exist_ok=True)
    for number, (label, role, link) in enumerate(links, 1):
        write_atomically(folder / f"{number:03}-{role}.svg", qr_svg(link, label).encode())


def person(
    pseudonym: Annotated[str, typer.Argument(help="the person's pseudonym, such as p-7k2m9x")],
    project: _Project,
    pause: Annotated[bool, typer.Option("--pause", help="let them do no more work; nothing is erased")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="end the pause")] = False,
    give_role: Annotated[str, typer.Option(help="a role that they get")] = "",
    take_role: Annotated[str, typer.Option(help="a role that they lose")] = "",
    end_sessions: Annotated[bool, typer.Option("--end-sessions", help="log them out everywhere")] = False,
    release: Annotated[bool, typer.Option("--release", help="free the tasks that they have open")] = False,
    work: Annotated[str, typer.Option(help="QUEUE/WORK to give away; their results in it don't count any more")] = "",
    to: Annotated[str, typer.Option("--to", help="pseudonym of who gets the work [whoever comes next]")] = "",
    db: _Db = "",
) -> int:
    """Carry out what is asked, then print what is known of the person."""
    check_packages()
    from triptych.errors import SpecError
    from triptych.portal.project import open_portal

    if pause and resume:
        raise SpecError("--pause can't be combined with --resume")
    if to and not work:
        raise SpecError("--to needs --work", expected="--work QUEUE/WORK")
    portal = open_portal(project, db)
    with portal.database.writing() as connection:
        id = _find(connection, pseudonym)
        _act(connection, id, pause, resume, give_role, take_role, end_sessions, release)
        if work:
            _give(connection, id, work, _find(connection, to) if to else "")
    _print(portal, id)
    return 0


def _find(connection: Any, pseudonym: str) -> str:
    from triptych.errors import DataError, nearest
    from triptych.portal.people.records import all_people

    names = {each.pseudonym: each for each in all_people(connection)}
    if pseudonym not in names or names[pseudonym].withdrawn_at:
        raise DataError(
            f"nobody has the pseudonym {pseudonym!r}, or they have withdrawn", fix=nearest(pseudonym, names)
        )
    return names[pseudonym].id


def _act(connection: Any, id: str, pause: bool, resume: bool, give: str, take: str, end: bool, release: bool) -> None:
    from triptych.portal.people import managing
    from triptych.portal.people.sessions import grant

    if pause:
        managing.pause(connection, id, None)
    if resume:
        managing.resume(connection, id, None)
    if give:
        grant(connection, id, give, by=None)
    if take:
        managing.take_role(connection, id, take, None)
    if end:
        managing.end_sessions(connection, id, None)
    for task in managing.held_by(connection, id).tasks if release else ():
        managing.release(connection, id, task["id"], None)


def _give(connection: Any, id: str, work: str, to: str) -> None:
    from triptych.errors import SpecError
    from triptych.portal.people import managing

    queue, slash, name = work.partition("/")
    if not slash:
        raise SpecError("not a valid name of a work", got=work, expected="QUEUE/WORK")
    moved = managing.give_work(connection, id, queue, name, to, None)
    say(f"{work}: {moved} {'result counts' if moved == 1 else 'results count'} no more")


def _print(portal: Portal, id: str) -> None:
    from triptych.portal.people import managing
    from triptych.portal.people.records import person_of

    with portal.database.reading() as connection:
        person, held = person_of(connection, id), managing.held_by(connection, id)
    assert person is not None
    print(
        f"{person.pseudonym}{' (paused)' if person.paused_at else ''}: {', '.join(sorted(person.roles)) or 'no roles'}"
    )
    print(f"sessions: {len(held.sessions)}")
    for task in held.tasks:
        print(f"open: {task['queue']}/{task['key']}")
    for each in held.works:
        print(f"work: {each['queue']}/{each['work']} ({each['slot']}), results that count: {each['done']}")
