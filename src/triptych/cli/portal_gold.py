"""`triptych portal gold`: tasks whose right answers are known, hidden among others or as practice before them."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from triptych.cli.arguments import count, say
from triptych.cli.portal_target import check_packages

if TYPE_CHECKING:
    from triptych.portal.work.gold import KnownTask

OR = " || "  # between values of which each is right
MAX_FILE_BYTES = 16 << 20
_Project = Annotated[Path, typer.Option("--project", help="the project folder: settings, database, media")]
_Db = Annotated[
    str, typer.Option("--db", help="URL of the database [TRIPTYCH_PORTAL_DB, portal.toml, or portal.db in the folder]")
]


def gold(
    queue: Annotated[str, typer.Argument(help="the queue: of recordings, reviews or annotations", metavar="QUEUE")],
    table: Annotated[
        Path,
        typer.Argument(help="CSV: id of a task of the queue, a column per field of its form, why", metavar="TABLE"),
    ],
    project: _Project,
    practice: Annotated[
        bool, typer.Option("--practice", help="tasks before all others, with feedback, instead of hidden ones")
    ] = False,
    db: _Db = "",
) -> int:
    """Make the tasks of the table the gold tasks, or the practice, of the queue; others cease to be."""
    check_packages()
    from triptych.errors import DataError
    from triptych.portal.project import open_portal
    from triptych.portal.work.gold import put_known
    from triptych.portal.work.queues import queue_of

    known_tasks = read_known(_text(table), table)
    portal = open_portal(project, db)
    with portal.database.writing() as connection:
        work_queue = queue_of(connection, queue)
        if work_queue is None:
            raise DataError(f"the portal has no queue {queue!r}", fix="triptych portal push")
        if work_queue.kind == "survey":
            raise DataError(
                "a survey has attention checks in place of gold tasks",
                where=queue,
                fix="triptych portal survey push --checks N --most-failed M",
            )
        empty = next((each.key for each in known_tasks if not each.values), None)
        if work_queue.kind == "review" and empty is not None:
            raise DataError(
                "the row has no right value",
                where=f"{table}, {empty}",
                expected="a value in at least one column of the form",
            )
        number = put_known(connection, work_queue.id, "practice" if practice else "gold", known_tasks, None)
    say(f"{queue}: {count(number, 'practice task' if practice else 'gold task')}")
    return 0


def read_known(text: str, where: object = None) -> Sequence[KnownTask]:
    """Return the rows of a table: `id`, `why` (also `why_zh`), and a column for each field. Empty cells say nothing;
    values of which each is right are separated by ` || `, several choices at once by ` | `. Raises DataError.

    >>> [known] = read_known("id,verdict,why\\nq1,reject || edit,The answer is wrong.\\n")
    >>> known.key, known.values["verdict"]
    ('q1', ['reject', 'edit'])
    """
    from triptych.errors import DataError
    from triptych.portal.work.gold import KnownTask
    from triptych.records.separators import separator_of

    rows = csv.DictReader(io.StringIO(text.lstrip("\ufeff")), delimiter=separator_of(text.partition("\n")[0]))
    names = [str(name).strip() for name in rows.fieldnames or ()]
    if "id" not in names or len(set(names)) < len(names):
        raise DataError("the table has no usable heading", where=where, got=", ".join(names), expected="id, …, why")
    made, seen = [], set()
    for line, row in enumerate(rows, 2):
        cells = {str(name).strip(): (cell or "").strip() for name, cell in row.items() if name is not None}
        key = cells.pop("id")
        if not key or key in seen or None in row:
            raise DataError(
                "not a row of the table",
                where=f"{where}, line {line}",
                got=key or "no id",
                expected="one row per task, as many cells as the heading",
            )
        seen.add(key)
        why = {name[4:] or "en": cell for name, cell in cells.items() if name in ("why", "why_en", "why_zh") and cell}
        fields = {n: c for n, c in cells.items() if c and n not in ("why", "why_en", "why_zh")}
        made.append(
            KnownTask(key, {name: [_value(each) for each in cell.split(OR)] for name, cell in fields.items()}, why)
        )
    if not made:
        raise DataError("the table has no rows", where=where)
    return made


def _value(text: str) -> Any:
    return [each.strip() for each in text.split(" | ")] if " | " in text else text


def _text(path: Path) -> str:
    from triptych.errors import DataError
    from triptych.store.files.run_files import read_own

    try:
        return read_own(path, MAX_FILE_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError("the table isn't UTF-8", where=path, fix="save it as CSV UTF-8") from None
    except OSError as error:
        raise DataError("the table can't be read", where=path, got=str(error)) from None
