"""What no row names is removed: at the start of a server, and every hour by its process of checks."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import select

from triptych.portal.blobs.chunks import forget_abandoned
from triptych.portal.blobs.store import Blobs
from triptych.portal.project import Portal
from triptych.portal.store.engine import Database
from triptych.portal.store.tables import blobs, people
from triptych.portal.work.keeping import forget_intents
from triptych.portal.work.withdrawing import erase_leftovers

EVERY_S = 3600
PARTS_S = 24 * 3600  # parts to which nothing was added for so long


@dataclass(frozen=True)
class Swept:
    """Numbers of files that were removed.

    erased      media that a withdrawal has erased in the database
    unnamed     media that were stored for a transaction that never ended
    partial     files that were being received by a process that was killed
    copies      copies of a bucket's media that are erased
    """

    erased: int
    unnamed: int
    partial: int
    copies: int


def sweep(portal: Portal) -> Swept:
    """Remove what a killed process left, and what withdrawals deleted, from folders, bucket and database files.

    Media that no row names are removed only if this project's own process stored them: after a change of the database,
    the media of the other one stay.
    """
    database, media = portal.database, portal.blobs
    unnamed, partial = forget_intents(database, media), 0
    for path in media.abandoned_files():
        path.unlink(missing_ok=True)
        partial += 1
    forget_abandoned(media)
    _forget_parts(database, media)
    made = Swept(erase_leftovers(database, media), unnamed, partial, _forget_copies(database, media))
    database.overwrite()
    return made


def _forget_parts(database: Database, media: Blobs) -> None:
    """Remove parts of people who have withdrawn, and parts that nobody goes on with: the browser has the whole."""
    people_with_parts = media.parts.people()
    with database.reading() as connection:
        here = people.c.id.in_(people_with_parts) & people.c.withdrawn_at.is_(None)
        staying = set(connection.execute(select(people.c.id).where(here)).scalars())
    for person in people_with_parts - staying:
        media.parts.forget(person)
    for path in media.folder.glob("part-*"):
        with suppress(FileNotFoundError):
            if path.stat().st_mtime < time.time() - PARTS_S:
                path.unlink()


def _forget_copies(database: Database, media: Blobs) -> int:
    copies = {path.name.removeprefix("kept-"): path for path in media.folder.glob("kept-*")}
    with database.reading() as connection:
        named = set(connection.execute(select(blobs.c.sha256).where(blobs.c.erased_at.is_(None))).scalars())
    gone = [path for name, path in copies.items() if name not in named]
    for path in gone:
        path.unlink(missing_ok=True)
    return len(gone)
