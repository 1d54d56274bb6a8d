"""When the next shard may log in, whatever process has it.

Revises: 0033
"""

import sqlalchemy as sa
from alembic import op

from bot.db.tables import UtcDateTime

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "login_slots",
        sa.Column("bucket", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("free_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("bucket", name=op.f("pk_login_slots")),
        comment="When the next shard may log in: Discord lets so many do so within five seconds.",
    )
