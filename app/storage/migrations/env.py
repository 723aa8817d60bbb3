"""Runs the migrations on the connection that `app.storage.databases` holds."""

from alembic import context

from app.storage.tables import Table

context.configure(connection=context.config.attributes["connection"], target_metadata=Table.metadata)
context.run_migrations()
