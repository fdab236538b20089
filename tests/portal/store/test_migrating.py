"""Tests of `portal/store/migrating.py`: schemas migrate."""

from __future__ import annotations

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from triptych.errors import DataError
from triptych.portal.project import Portal
from triptych.portal.store import tables
from triptych.portal.store.migrating import SCRIPTS, migrate, revision


def test_migrations_give_exactly_the_tables_of_the_code(portal: Portal) -> None:
    with portal.database.reading() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, tables.metadata) == []
        assert revision(connection) == ScriptDirectory(str(SCRIPTS)).get_current_head()
    migrate(portal.database)  # a second time changes nothing


def test_a_database_of_a_newer_version_is_refused(portal: Portal) -> None:
    with portal.database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(DataError, match="another version"):
        migrate(portal.database)
