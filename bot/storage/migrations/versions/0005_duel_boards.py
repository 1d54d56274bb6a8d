"""What boards of duels need: which change Discord shows, who is to be called, threads.

Revises: 0004
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.schema import UtcDateTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Columns are added one by one: a rebuilt table would take its seats and moves with it.
    version = sa.Column("version", sa.Integer(), nullable=False, server_default=sa.text("0"))
    op.add_column("duels", version)
    for name in ("stale_at", "nudge_at"):
        op.add_column("duels", sa.Column(name, UtcDateTime(), nullable=True))
        op.create_index(op.f(f"ix_duels_{name}"), "duels", [name])
    op.add_column("duels", sa.Column("claimed_at", UtcDateTime(), nullable=True))
    threads = sa.Column("duel_threads", sa.Boolean(), nullable=False, server_default=sa.false())
    op.add_column("guilds", threads)
