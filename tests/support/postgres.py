"""A real PostgreSQL for tests: the one that TRIPTYCH_TEST_POSTGRES names, or one of our own, started and ended here.

Of our own: in a folder of the tests, reachable by a socket in it alone, with what Debian's packages install
(`apt-get install postgresql`). `postgres_url` skips, saying why, where there is neither.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url

# Variable with the URL of an empty database that tests may change; its user may create others
NAMED = "TRIPTYCH_TEST_POSTGRES"


def programs() -> Path | None:
    """The folder of initdb and pg_ctl, the newest of those that are installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
    if found:
        return found[-1].parent
    where = shutil.which("initdb")
    return Path(where).parent if where else None


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The URL of a database for tests."""
    if named := os.environ.get(NAMED):
        yield named
        return
    place = programs()
    if place is None:
        pytest.skip(f"PostgreSQL is not installed (apt-get install postgresql), and {NAMED} names no server")
    with running(place, "-c fsync=off") as url:
        yield url


def emptied(url: str) -> str:
    """The database of a URL, without tables."""
    with _executing(url) as execute:
        execute("DROP SCHEMA public CASCADE")
        execute("CREATE SCHEMA public")
    return url


def copied(url: str) -> str:
    """The URL of a copy of a database to which nobody is connected, in place of an earlier copy."""
    parts = make_url(url)
    copy = f"{parts.database}_copy"
    with _executing(parts.set(database="template1").render_as_string(hide_password=False)) as execute:
        execute(f'DROP DATABASE IF EXISTS "{copy}" WITH (FORCE)')
        execute(f'CREATE DATABASE "{copy}" TEMPLATE "{parts.database}"')
    return parts.set(database=copy).render_as_string(hide_password=False)


@contextmanager
def _executing(url: str) -> Iterator[Callable[[str], object]]:
    """What executes statements, each by itself."""
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield connection.exec_driver_sql
    engine.dispose()


@contextmanager
def running(place: Path, settings: str = "") -> Iterator[str]:
    """The URL of a server of our own, of the programs in a folder; it ends, and its files go, with the block."""
    root = Path(tempfile.mkdtemp(prefix="tpg", dir="/tmp"))
    try:
        yield from _started(place, root, settings)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _started(place: Path, root: Path, settings: str) -> Iterator[str]:
    user = _user()
    if user:
        shutil.chown(root, user)
    data = root / "data"
    _call([place / "initdb", "-D", data, "-U", "tests", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C"], user)
    options = f"-c listen_addresses= -c unix_socket_directories={root} -c max_connections=120 {settings}"
    _call([place / "pg_ctl", "-D", data, "-w", "-l", root / "log", "-o", options, "start"], user)
    try:
        yield f"postgresql://tests@/postgres?host={root}"
    finally:
        _call([place / "pg_ctl", "-D", data, "-m", "immediate", "stop"], user)


def _user() -> str:
    """PostgreSQL refuses to run as root: then it runs as its own user."""
    if os.geteuid():
        return ""
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in names), "")


def _call(command: list[object], user: str) -> None:
    done = subprocess.run(
        [str(part) for part in command],
        user=user or None,
        group=pwd.getpwnam(user).pw_gid if user else None,
        extra_groups=[] if user else None,
        cwd="/tmp",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LC_ALL": "C"},
    )
    if done.returncode:
        pytest.fail(f"{command[0]}: {done.stderr}")
