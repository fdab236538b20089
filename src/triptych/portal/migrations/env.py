"""How alembic runs a migration: in the transaction of `store.migrating.migrate`."""

from __future__ import annotations

from alembic import context

from triptych.portal.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=True,
    transaction_per_migration=False,
)
context.run_migrations()
