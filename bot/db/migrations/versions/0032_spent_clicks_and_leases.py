"""Clicks that spent their message as rows, and leases of what one process at a time does.

Revises: 0031
"""

import sqlalchemy as sa
from alembic import op

from bot.db.tables import UtcDateTime

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "spent_clicks",
        sa.Column("message_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("spent_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("message_id", name=op.f("pk_spent_clicks")),
        comment="Messages whose button works once, and on which it was pressed.",
    )
    op.create_index(op.f("ix_spent_clicks_spent_at"), "spent_clicks", ["spent_at"])
    op.create_table(
        "leases",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("holder", sa.String(length=32), nullable=False),
        sa.Column("until", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
        comment="What one process does, so that others do not.",
    )
    op.execute("DELETE FROM facts WHERE name = 'spent_clicks'")
