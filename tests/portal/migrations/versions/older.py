"""Databases of earlier versions of the portal for tests: made by the migrations before, and filled row by row."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, text

from triptych.portal.store.engine import Database
from triptych.portal.store.migrating import migrate

AT = 1_700_000_000_000  # milliseconds since 1970, as in rows of 2023


def put(connection: Connection, table: str, **values: Any) -> None:
    """Insert a row by SQL alone: the tables of the code are those of today, with columns that weren't there yet."""
    put_all(connection, table, [values])


def put_all(connection: Connection, table: str, entries: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows that have the same columns."""
    columns, places = ", ".join(entries[0]), ", ".join(f":{name}" for name in entries[0])
    cells = [{name: _encoded(cell) for name, cell in entry.items()} for entry in entries]
    connection.execute(text(f"INSERT INTO {table} ({columns}) VALUES ({places})"), cells)


def _encoded(cell: Any) -> Any:
    return json.dumps(cell) if isinstance(cell, dict | list) else cell


def put_person(connection: Connection, name: str, **values: Any) -> None:
    """Insert a person, with the columns of the first version."""
    row = {
        "pseudonym": f"p-{name}",
        "label": "",
        "gender": "undisclosed",
        "age_band": "",
        "native_language": "",
        "major": "",
        "created_at": AT,
    }
    put(connection, "people", id=name, **(row | values))


def put_queue(connection: Connection, number: int, kind: str = "review", name: str = "") -> None:
    """Insert a queue."""
    row = {"name": name or f"queue {number}", "kind": kind, "settings": {}, "created_at": AT}
    put(connection, "queues", id=number, **row)


def put_task(connection: Connection, number: int, queue: int, body: Any = None, **values: Any) -> None:
    """Insert a task of a queue."""
    put(connection, "tasks", **(task_row(number, queue, body) | values))


def task_row(number: int, queue: int, body: Any = None) -> dict[str, Any]:
    """Return the row of a task, with the columns of the first version."""
    row = {"key": f"key {number}", "shown": "d", "work": "", "place": 0, "wanted": 1, "created_at": AT}
    return {"id": number, "queue_id": queue, "body": {} if body is None else body, **row}


def put_submission(connection: Connection, number: int, task: int, person: str, state: str, **values: Any) -> str:
    """Insert a submission, and return its id."""
    row = submission_row(number, task, person, state) | values
    put(connection, "submissions", **row)
    return str(row["id"])


def submission_row(number: int, task: int, person: str, state: str) -> dict[str, Any]:
    """Return the row of a submission, with the columns of the first version."""
    named = {"id": f"submission-{number:08}", "task_id": task, "person_id": person, "state": state}
    row = {"slot": "1", "digest": "d", "answers": {"verdict": "right"}, "seconds": 5, "reasons": [], "received_at": AT}
    return named | row


def rows(database: Database, query: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query; documents as SQLite has them and as PostgreSQL does are the same."""
    with database.reading() as connection:
        return [tuple(map(_plain, row)) for row in connection.execute(text(query))]


def _plain(cell: Any) -> Any:
    return json.loads(cell) if isinstance(cell, str) and cell[:1] in ("{", "[") else cell


def columns(database: Database, table: str) -> set[str]:
    """Return the names of the columns of a table; none if there is no such table."""
    with database.reading() as connection:
        inspector = sa.inspect(connection)
        return {each["name"] for each in inspector.get_columns(table)} if inspector.has_table(table) else set()


def indexes(database: Database, table: str) -> dict[str, list[str | None]]:
    """Return the indexes of a table, each with its columns."""
    with database.reading() as connection:
        return {str(each["name"]): each["column_names"] for each in sa.inspect(connection).get_indexes(table)}


def refused(database: Database, table: str, **values: Any) -> bool:
    """Whether the database refuses a row; nothing is kept of it."""
    try:
        with database.writing() as connection:
            put(connection, table, **values)
            connection.rollback()
    except sa.exc.IntegrityError:
        return True
    return False


def upgrade(database: Database, to: str) -> None:
    """Carry out the migrations up to a version."""
    migrate(database, to)
