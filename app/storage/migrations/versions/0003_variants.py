"""Which variant of the settings answers a conversation; those of before, none."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column."""
    op.add_column("threads", sa.Column("variant", sa.String))
