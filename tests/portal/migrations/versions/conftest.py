"""Databases of an earlier version, of either kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.portal.conftest import BOTH
from tests.support.postgres import copied, emptied
from triptych.portal.store.engine import Database, sqlite_url
from triptych.portal.store.migrating import migrate


@pytest.fixture(params=BOTH)
def database_of(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], Database]]:
    """Makes a database as it was in a version, without rows."""
    made: list[Database] = []

    def make(version: str) -> Database:
        if request.param == "postgresql":
            url = emptied(copied(request.getfixturevalue("postgres_url")))
        else:
            url = sqlite_url(tmp_path / f"{version}.db")
        made.append(Database(url))
        migrate(made[-1], version)
        return made[-1]

    yield make
    for database in made:
        database.close()
