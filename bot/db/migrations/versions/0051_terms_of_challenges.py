"""A challenge has its number, and its terms a version; a duel that is ready may wait for *Start*.

Revises: 0050
"""

import sqlalchemy as sa
from alembic import op

from bot.db.tables.kinds import UtcDateTime

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("duels", sa.Column("terms", sa.Integer(), nullable=True))
    op.add_column("duels", sa.Column("ready_at", UtcDateTime(), nullable=True))
    # Boards that stand are drawn anew.
    op.execute(
        "UPDATE duels SET stale_at = opened_at"
        " WHERE finished_at IS NULL AND message_id IS NOT NULL AND stale_at IS NULL"
    )
