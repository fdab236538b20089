"""`triptych portal remind` and `status`: whom to write to, and how far a portal is."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Annotated

import typer

from triptych.cli.arguments import count, print_json, say
from triptych.cli.options import Json, ending
from triptych.cli.portal_target import check_packages

MAX_FILE_BYTES = 16 << 20
MAX_NAMES = 10  # of rows that fit nobody, in a message
HEAD = ("address", "pseudonym", "label", "subject", "text", "link")
_Project = Annotated[Path, typer.Option("--project", help="the project folder: settings, database, media")]
_Db = Annotated[
    str, typer.Option("--db", help="URL of the database [TRIPTYCH_PORTAL_DB, portal.toml, or portal.db in the folder]")
]


def remind(
    project: _Project,
    addresses: Annotated[
        Path, typer.Option(help="CSV with the columns address, and label or pseudonym; it stays on this computer")
    ],
    to: Annotated[
        Path,
        typer.Option("--to", callback=ending(".csv"), help="write address, subject, text and link to this CSV file"),
    ],
    idle: Annotated[int, typer.Option(help="days without a result")] = 3,
    address: Annotated[str, typer.Option(help="where the portal is served")] = "http://127.0.0.1:8780",
    language: Annotated[str, typer.Option(help="language of the text: en or zh [the first of portal.toml]")] = "",
    links: Annotated[bool, typer.Option("--links", help="give each person a new link to their own account")] = False,
    db: _Db = "",
) -> int:
    """Write the file. Nothing is sent, and no address reaches the portal's database, log or audit trail."""
    check_packages()
    from triptych.errors import SpecError
    from triptych.portal.people.reminding import addressed, idle_people, letter, without_person
    from triptych.portal.people.sessions import invite
    from triptych.portal.project import open_portal
    from triptych.portal.site.languages import LANGUAGES
    from triptych.records.harmless import harmless
    from triptych.store.files.atomic import write_atomically

    rows = _rows(addresses)
    portal = open_portal(project, db)
    spoken = language or portal.settings.languages[0]
    if spoken not in LANGUAGES:
        raise SpecError("unknown language", got=spoken, expected=", ".join(LANGUAGES))
    with portal.database.reading() as connection:
        all_addresses = addressed(idle_people(connection, idle), rows)
        nobody = without_person(connection, rows)
    if nobody:
        more = " …" if len(nobody) > MAX_NAMES else ""
        say(f"nobody has the label or pseudonym of {count(len(nobody), 'row')}: {', '.join(nobody[:MAX_NAMES])}{more}")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEAD)
    base = address.rstrip("/")
    with portal.database.writing() as connection:
        for each, where in all_addresses:
            link = base
            if links:
                role = _role(connection, each.id)
                link = f"{base}/enter/{invite(connection, portal.secret, role, person=each.id)}"
            subject, text = letter(spoken, each, portal.settings.title, link, portal.settings.contact)
            writer.writerow([harmless(cell) for cell in (where, each.pseudonym, each.label, subject, text, link)])
    write_atomically(to, ("\ufeff" + out.getvalue()).encode())
    say(f"{to}: {len(all_addresses)} {'reminder' if len(all_addresses) == 1 else 'reminders'}")
    return 0


def _role(connection: object, person: str) -> str:
    from sqlalchemy import Connection

    from triptych.portal.people.records import person_of

    assert isinstance(connection, Connection)
    someone = person_of(connection, person)
    assert someone is not None and someone.roles
    return min(someone.roles)


def _rows(path: Path) -> list[dict[str, str]]:
    from triptych.errors import DataError
    from triptych.records.separators import separator_of
    from triptych.store.files.run_files import read_own

    try:
        text = read_own(path, MAX_FILE_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError("the table isn't UTF-8", where=path, fix="save it as CSV UTF-8") from None
    except OSError as error:
        raise DataError("the table can't be read", where=path, got=str(error)) from None
    return [
        {str(name).strip().lower(): cell or "" for name, cell in row.items() if name is not None}
        for row in csv.DictReader(io.StringIO(text), delimiter=separator_of(text.partition("\n")[0]))
    ]


def status(project: _Project, db: _Db = "", json: Json = False) -> int:
    """Print a line for each queue: what is done, and when all of it will be; then what the disk holds."""
    check_packages()
    from triptych.portal.dashboard.figures import figures
    from triptych.portal.dashboard.pages import size
    from triptych.portal.project import open_portal, unknown_queues
    from triptych.portal.site.languages import day

    portal = open_portal(project, db)
    headline_figures = figures(portal)
    if unknown := unknown_queues(portal.settings, [row.name for row in headline_figures.queues]):
        say(f"portal.toml names queues that the portal doesn't have: {', '.join(unknown)}")
    if json:
        print_json(headline_figures)
        return 0
    for row in headline_figures.queues:
        end = row.forecast
        when = f"; done on {day('en', end.at)} at {end.per_day:.1f} a day" if end else ""
        gold = f"; gold tasks {100 * row.gold:.0f}% of {row.judged} right" if row.gold is not None else ""
        print(f"{row.name} ({row.kind}): {row.done} of {row.wanted} done, {row.days[-1]} today{when}{gold}")
    disk = headline_figures.disk
    free = f"; {size(disk.free)} free" if disk.free is not None else ""
    files = count(disk.files, "file")
    print(f"disk: {size(disk.media)} of media in {files}, database {size(disk.database)}{free}")
    return 0
