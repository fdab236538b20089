"""Schemas migrate: alembic brings a database of any earlier version to this one's. Nothing else creates tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from triptych.errors import DataError
from triptych.portal.store.engine import Database

if TYPE_CHECKING:
    from alembic.config import Config

SCRIPTS = Path(__file__).parents[1] / "migrations"
_LOCK = 8_207_511_033  # PostgreSQL's advisory lock of the portal's migrations; several servers may start at once


def migrate(database: Database, to: str = "head") -> None:
    """Create the tables, or bring them to this version. Raises DataError for a database of a newer version."""
    from alembic import command
    from alembic.util import CommandError

    with database.writing() as connection:
        if not database.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        try:
            command.upgrade(_config(connection), to)
        except CommandError as error:
            raise DataError(
                "the database was written by another version of the portal",
                where=database.url.render_as_string(),
                got=str(error),
                fix="use the newer version of Triptych",
            ) from None


def revision(connection: Connection) -> str:
    """Return the revision of a database; empty for one without tables."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")


def _config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
