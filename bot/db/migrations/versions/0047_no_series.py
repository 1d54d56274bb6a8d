"""Remove the series of duels; running duels keep a mark that they were part of one.

Revises: 0046
"""

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "duels",
        sa.Column("of_series", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.execute("UPDATE duels SET of_series = true WHERE best_of > 1 AND finished_at IS NULL")
    # A series' next duel is posted no more: its players have it in their lists.
    op.execute("UPDATE duels SET stale_at = NULL WHERE message_id IS NULL")
    op.drop_index(op.f("ix_duels_series_id"), "duels")
    for name in ("best_of", "series_id", "stop_offered_by"):
        op.drop_column("duels", name)
