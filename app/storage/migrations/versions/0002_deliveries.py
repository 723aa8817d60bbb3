"""The outbox of what the shop's own system is told of."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "deliveries",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("event", sa.String, nullable=False),
        sa.Column("turn_id", sa.String, sa.ForeignKey("turns.turn_id", ondelete="CASCADE"), unique=True),
        sa.Column("ticket_id", sa.String, sa.ForeignKey("tickets.ticket_id", ondelete="CASCADE"), unique=True),
        sa.Column("payload", sa.JSON, nullable=False),
        sa.Column("made_at", sa.String, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        *(sa.Column(name, sa.String) for name in ("again_at", "claimed_until", "failure", "delivered_at")),
    )
    op.create_index("ix_deliveries_again_at", "deliveries", ["again_at"])
