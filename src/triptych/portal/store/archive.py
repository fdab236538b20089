"""Backup and restore: everything in one archive of JSON lines and media, the same for SQLite and PostgreSQL.

A ZIP file with `portal.json` (what it is, the number of rows of each table, and the media), `tables/NAME.jsonl` in an
order in which every reference is already there, and `media/SHA256`. The secret of the project folder is not in it:
sessions and unused invitations of a restored portal end, unless the file is copied, too.
"""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import msgspec
from sqlalchemy import Connection, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError

from triptych.errors import DataError
from triptych.portal.blobs.store import Blobs
from triptych.portal.store import tables
from triptych.portal.store.engine import Database
from triptych.portal.store.migrating import migrate, revision
from triptych.records.repeated_keys import decode_once
from triptych.records.unreadable import UNREADABLE, reason
from triptych.store.files.atomic import atomic_file

FORMAT = 1
BATCH = 1000  # rows written at once
MAX_LINE_BYTES = 64 << 20  # bytes of one row
MAX_PENDING_BYTES = 64 << 20  # bytes of rows that are written at once
MAX_MANIFEST_BYTES = 256 << 20
_MANIFEST = "portal.json"
# a name that is lacking, an early end, an unknown column or compression, a number too large, a list as value
_REFUSED = (KeyError, EOFError, NotImplementedError, RuntimeError, SQLAlchemyError, OverflowError, TypeError)
_ENCODER = msgspec.json.Encoder()  # documents keep the order of their fields: the first one of a form is special


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first file of an archive. `media`: SHA-256 -> size in bytes."""

    format: int
    revision: str
    rows: dict[str, int]
    media: dict[str, int]


def backup(database: Database, blobs: Blobs, to: Path) -> Manifest:
    """Write the archive; it is one state of the database. Raises DataError if a medium is missing or damaged."""
    with (
        database.reading_long() as connection,
        atomic_file(to) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive,
    ):
        rows = {table.name: _write_table(archive, connection, table) for table in tables.metadata.sorted_tables}
        media = _write_media(archive, connection, blobs)
        made = Manifest(FORMAT, revision(connection), rows, media)
        archive.writestr(_MANIFEST, _ENCODER.encode(made))
    return made


def check_archive(source: Path) -> None:
    """Raise DataError if a file is not an archive of a portal: before a project folder is made for it."""
    with _in_words(source), zipfile.ZipFile(source) as archive:
        _manifest(archive, source)


def restore(database: Database, blobs: Blobs, source: Path) -> Manifest:
    """Fill an empty database and the media from an archive: both are changed whole or not at all.

    Raises DataError if the database holds rows already, or for an archive that is damaged or of another version.
    """
    migrate(database)
    with _in_words(source), zipfile.ZipFile(source) as archive:
        made = _manifest(archive, source)
        with database.reading() as connection:
            _check_fits(connection, made, source)
        with _read_media(archive, made, blobs), database.writing() as connection:
            _check_fits(connection, made, source)
            for table in tables.metadata.sorted_tables:
                _read_table(archive, connection, table, made)
            _continue_numbers(database, connection)
    return made


@contextmanager
def _in_words(source: Path) -> Iterator[None]:
    """Raise DataError for what an archive that can't be read raises."""
    try:
        yield
    except (OSError, zipfile.BadZipFile, zlib.error, *_REFUSED, *UNREADABLE) as error:
        raise DataError("the archive can't be restored", where=source, got=reason(error).split("\n")[0]) from None


def _write_table(archive: zipfile.ZipFile, connection: Connection, table: Any) -> int:
    number = 0
    with archive.open(f"tables/{table.name}.jsonl", "w", force_zip64=True) as file:
        every = select(table).order_by(*table.primary_key)
        for row in connection.execute(every, execution_options={"yield_per": BATCH}):
            file.write(_ENCODER.encode(dict(row._mapping)) + b"\n")
            number += 1
    return number


def _write_media(archive: zipfile.ZipFile, connection: Connection, blobs: Blobs) -> dict[str, int]:
    column = tables.blobs.c
    media = {}
    for name, size in connection.execute(
        select(column.sha256, column.size).where(column.erased_at.is_(None)).order_by(column.sha256)
    ):
        with blobs.open_file(name) as source, archive.open(_stored(name), "w", force_zip64=True) as file:
            _copy(source, file, name, size)
        media[name] = size
    return media


def _stored(name: str) -> zipfile.ZipInfo:
    return zipfile.ZipInfo(f"media/{name}")  # not compressed: sound and pictures don't get smaller


def _copy(source: IO[bytes], file: IO[bytes], name: str, size: int) -> None:
    hasher, copied = hashlib.sha256(), 0
    while chunk := source.read(1 << 20):
        hasher.update(chunk)
        copied += len(chunk)
        if copied > size:
            break
        file.write(chunk)
    if copied != size or hasher.hexdigest() != name:
        raise DataError("a media file is damaged", where=name, expected=f"{size} bytes", got=f"{copied} bytes")


def _manifest(archive: zipfile.ZipFile, source: Path) -> Manifest:
    if archive.getinfo(_MANIFEST).file_size > MAX_MANIFEST_BYTES:
        raise DataError("the archive's list is too large", where=source)
    made = decode_once(archive.read(_MANIFEST), Manifest)
    if made.format != FORMAT:
        raise DataError("the archive is of another format", where=source, expected=FORMAT, got=made.format)
    return made


@contextmanager
def _read_media(archive: zipfile.ZipFile, made: Manifest, blobs: Blobs) -> Iterator[None]:
    """Media go first: rows must never name a file that isn't there. If the block raises, the new ones are erased."""
    new: list[str] = []
    try:
        for name, size in made.media.items():
            if archive.getinfo(f"media/{name}").compress_type != zipfile.ZIP_STORED:  # they could unpack to any size
                raise DataError("a media file of the archive is compressed", where=name, expected="stored as it is")
            with archive.open(f"media/{name}") as source, blobs.incoming_file() as incoming:
                with incoming.open("wb") as file:
                    _copy(source, file, name, size)
                if not blobs.has(name, size):
                    new.append(name)
                blobs.put(incoming, name)
        yield
    except BaseException:
        for name in new:
            blobs.erase(name)
        raise


def _check_fits(connection: Connection, made: Manifest, source: Path) -> None:
    if made.revision != (database_revision := revision(connection)):
        fix = "restore with the version of Triptych that made it, and start the newer one afterwards"
        raise DataError(
            "the archive has other tables", where=source, expected=database_revision, got=made.revision, fix=fix
        )
    for table in tables.metadata.sorted_tables:
        if connection.execute(select(func.count()).select_from(table)).scalar():
            fix = "restore into a new project folder or an empty database"
            raise DataError(f"the database is not empty: it has rows in {table.name}", where=source, fix=fix)


def _read_table(archive: zipfile.ZipFile, connection: Connection, table: Any, made: Manifest) -> None:
    number = 0
    for rows in _batches(archive, table):
        connection.execute(insert(table), rows)
        number += len(rows)
    if number != made.rows.get(table.name):
        raise DataError(
            "rows are missing in the archive", where=table.name, expected=made.rows.get(table.name), got=number
        )


def _batches(archive: zipfile.ZipFile, table: Any) -> Iterator[list[dict[str, Any]]]:
    rows: list[dict[str, Any]] = []
    waiting = 0
    with archive.open(f"tables/{table.name}.jsonl") as file:
        while line := file.readline(MAX_LINE_BYTES):
            rows.append(decode_once(line, dict[str, Any]))
            waiting += len(line)
            if len(rows) == BATCH or waiting > MAX_PENDING_BYTES:
                yield rows
                rows, waiting = [], 0
    if rows:
        yield rows


def _continue_numbers(database: Database, connection: Connection) -> None:
    """PostgreSQL's counters don't notice numbers that were given; SQLite goes on behind the highest."""
    if database.is_sqlite:
        return
    for table in tables.NUMBERED:
        line = f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), max(id)) FROM {table.name}"
        connection.execute(text(line))
