"""Who wrote a fact, and which gaps it fills."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table and add the column."""
    op.create_table(
        "facts",
        sa.Column("evidence_id", sa.String, primary_key=True),
        sa.Column("by", sa.String, nullable=False),
    )
    op.add_column("gaps", sa.Column("settled_by", sa.String))
