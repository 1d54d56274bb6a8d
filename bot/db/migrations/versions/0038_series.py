"""Duels one after another: how many there are to be, and which was the first.

Revises: 0037
"""

import sqlalchemy as sa
from alembic import op

from bot.db.tables import RowId

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "duels", sa.Column("best_of", sa.Integer(), server_default=sa.text("1"), nullable=False)
    )
    op.add_column("duels", sa.Column("series_id", RowId, nullable=True))
    op.add_column("duels", sa.Column("stop_offered_by", sa.Integer(), nullable=True))
    is_later = sa.text("series_id IS NOT NULL")
    op.create_index(
        op.f("ix_duels_series_id"),
        "duels",
        ["series_id"],
        sqlite_where=is_later,
        postgresql_where=is_later,
    )
