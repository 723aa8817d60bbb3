"""Migrations of the records, run by alembic when the file is opened."""
