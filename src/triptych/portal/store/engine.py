"""The database, opened: SQLite in one file by default, PostgreSQL by URL."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, OperationalError

from triptych.errors import SpecError

BUSY_S = 30  # how long a writer waits for another one before SQLite gives up
OVERWRITES = 1  # SQLite's user_version of a file in which deleted content has always been overwritten
CONNECTIONS = 20  # of one process to PostgreSQL
# Of each connection to SQLite: what was committed survives a power failure, and deleted content is overwritten
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON")


def now_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def sqlite_url(path: Path) -> str:
    """Return the URL of a SQLite file."""
    return URL.create("sqlite+pysqlite", database=str(path)).render_as_string(hide_password=False)


class Database:
    """Connections to the database. `reading` sees one state of it; `writing` is a transaction, kept or undone whole.

    Raises SpecError for a URL of another kind of database, or if the server doesn't answer.
    """

    def __init__(self, url: str) -> None:
        self.url: URL = _checked_url(url)
        self.is_sqlite: bool = self.url.get_backend_name() == "sqlite"
        self.engine: Engine = _sqlite(self.url) if self.is_sqlite else _postgresql(self.url)
        self._turn: AbstractContextManager[object] = Lock() if self.is_sqlite else nullcontext()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that changes nothing."""
        with self._connection() as connection, connection.begin():
            yield connection

    @contextmanager
    def reading_long(self) -> Iterator[Connection]:
        """As `reading`, for an export of several queries: all of them see the same state in PostgreSQL, too."""
        with self.reading() as connection:
            if not self.is_sqlite:
                connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is committed if the block ends without an exception.

        SQLite has one writer at a time. Threads wait for each other here, since SQLite would only try again and again.
        """
        with self._turn, self._connection() as connection:
            made = connection.execution_options(triptych_writes=True) if self.is_sqlite else connection
            with made.begin():
                yield made

    def overwrite(self) -> bool:
        """Remove what was deleted from the files of SQLite: pages are overwritten as they change (`secure_delete`), and
        the write-ahead log, which holds earlier versions, is emptied here. A file that was written before that setting
        is rewritten, once. False if a long export still needs the log; PostgreSQL cleans up by itself."""
        if not self.is_sqlite:
            return True
        with self._turn, self._connection() as connection:
            raw = connection.connection.driver_connection
            assert raw is not None
            if raw.execute("PRAGMA user_version").fetchone()[0] < OVERWRITES:
                raw.execute("VACUUM")
                raw.execute(f"PRAGMA user_version={OVERWRITES}")
            busy, *_ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        try:
            connection = self.engine.connect()
        except OperationalError as error:
            raise SpecError(
                "the database can't be opened",
                where=self.url.render_as_string(),
                got=str(error.orig).strip(),
                fix="check the server and the URL: sqlite:///FILE or postgresql://USER@HOST/NAME",
            ) from None
        with connection:
            yield connection


def _checked_url(url: str) -> URL:
    try:
        made = make_url(url)
        backend = made.get_backend_name()
    except ArgumentError:
        raise SpecError("not a database URL", expected="sqlite:///FILE or postgresql://USER@HOST/NAME") from None
    if backend == "postgresql":
        return made.set(drivername="postgresql+psycopg")
    if backend == "sqlite" and made.database and made.database != ":memory:":
        return made
    expected = "sqlite:///FILE or postgresql://USER@HOST/NAME"
    raise SpecError("the portal can't use this database", got=made.render_as_string(), expected=expected)


def _sqlite(url: URL) -> Engine:
    Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, connect_args={"timeout": BUSY_S})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: Any, record: object) -> None:
    """Set up a new connection; transactions are begun by `_begin`, since the driver would begin them too late."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for line in PRAGMAS:
        cursor.execute(f"PRAGMA {line}")
    cursor.close()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("triptych_writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _postgresql(url: URL) -> Engine:
    return create_engine(url, pool_size=CONNECTIONS, max_overflow=CONNECTIONS, pool_pre_ping=True)
