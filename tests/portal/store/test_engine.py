"""Tests of `portal/store/engine.py`: the database, opened."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from tests.portal.conftest import DURABLE
from triptych.errors import SpecError
from triptych.portal.store.engine import Database, sqlite_url


@pytest.mark.parametrize("url", ["mysql://root@localhost/x", "nonsense", "sqlite://", "sqlite:///:memory:"])
def test_other_databases_are_refused(url: str) -> None:
    with pytest.raises(SpecError, match="database"):
        Database(url)


def test_sqlite_writes_ahead_and_syncs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triptych.portal.store.engine.PRAGMAS", DURABLE)
    database = Database(sqlite_url(tmp_path / "one.db"))
    with database.reading() as connection:
        pragmas = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "foreign_keys", "synchronous")
        }
    assert pragmas == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 2}
