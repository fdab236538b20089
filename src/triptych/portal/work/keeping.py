"""Media and the rows that name them. A file is stored in the transaction that may name it, and erased only in one that
makes sure that no row does; both hold the same lock, so that nothing is erased that somebody has just sent again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, insert, select, text, update

from triptych.portal.blobs.store import Blobs
from triptych.portal.store.engine import Database, now_ms
from triptych.portal.store.tables import blobs


@dataclass(frozen=True)
class Medium:
    """A file of a submission, or that a task shows."""

    field: str
    sha256: str
    size: int
    type: str


Keep = Callable[[Connection, Medium], None]


@contextmanager
def storing(database: Database, media: Blobs, source: Path, medium: Medium) -> Iterator[Keep]:
    """Give the block a function that stores a received file, in its transaction.

    If the block fails, or its process is killed (see `forget_intents`), no file is left that no row names. Raises
    DataError if the file has another SHA-256.
    """
    media.prepare(source, medium.sha256)

    def keep(connection: Connection, wanted: Medium) -> None:
        assert wanted == medium
        put_blob(connection, medium)
        media.put_prepared(source, medium.sha256)

    with media.incoming_file(f"put-{medium.sha256}-"):
        try:
            yield keep
        except BaseException:
            erase_unnamed(database, media, [medium.sha256])
            raise


def put_blob(connection: Connection, medium: Medium) -> None:
    """Write down a file, and lock its name until the transaction ends."""
    _hold(connection, medium.sha256)
    cells = connection.execute(select(blobs.c.erased_at).where(blobs.c.sha256 == medium.sha256)).one_or_none()
    if cells is None:
        row = {"sha256": medium.sha256, "size": medium.size, "type": medium.type, "created_at": now_ms()}
        connection.execute(insert(blobs), row)
    elif cells.erased_at is not None:
        connection.execute(update(blobs).where(blobs.c.sha256 == medium.sha256).values(erased_at=None))


def erase_unnamed(database: Database, media: Blobs, names: Iterable[str]) -> int:
    """Erase those of these files that no row names, and return their number."""
    number = 0
    for name in names:
        with database.writing() as connection:
            _hold(connection, name)
            there = (blobs.c.sha256 == name) & blobs.c.erased_at.is_(None)
            if connection.execute(select(blobs.c.sha256).where(there)).scalar() is None:
                media.erase(name)
                number += 1
    return number


def forget_intents(database: Database, media: Blobs) -> int:
    """Erase files that a killed process stored for a transaction that it didn't end; returns their number."""
    number = 0
    for intent in media.abandoned_files("put-"):
        number += erase_unnamed(database, media, [intent.name.split("-")[1]])
        intent.unlink(missing_ok=True)
    return number


def _hold(connection: Connection, name: str) -> None:
    """Lock the name of a file. SQLite has one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": int(name[:15], 16)})
