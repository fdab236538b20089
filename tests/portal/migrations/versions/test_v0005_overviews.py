"""Tests of `portal/migrations/versions/v0005_overviews.py`: agreement in large queues."""

from __future__ import annotations

from collections.abc import Callable

from tests.portal.migrations.versions.older import AT, columns, put, put_queue, refused, rows, upgrade
from triptych.portal.store.engine import Database


def test_each_queue_of_the_version_before_may_have_one_overview(database_of: Callable[[str], Database]) -> None:
    database = database_of("0004")
    with database.writing() as connection:
        put_queue(connection, 1, name="scenes")
    assert not columns(database, "overviews")
    upgrade(database, "0005")
    row = {"asked_at": AT, "made_at": 0, "took": 0, "document": {"rated": [{"field": "题"}]}}
    with database.writing() as connection:
        put(connection, "overviews", queue_id=1, **row)
    assert refused(database, "overviews", queue_id=1, **row)
    assert refused(database, "overviews", queue_id=2, **row)  # there is no such queue
    query = "SELECT name, asked_at, document FROM overviews JOIN queues ON queues.id = queue_id"
    assert rows(database, query) == [("scenes", AT, {"rated": [{"field": "题"}]})]
