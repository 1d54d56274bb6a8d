"""Finishers' threads are looked at in turn, so that one that fails holds up no other.

Revises: 0012
"""

from datetime import timedelta

import sqlalchemy as sa
from alembic import op

from bot.storage.schema import UtcDateTime

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

# Until now, a thread had no row before it was made.
_MISSING = """
SELECT finishers.guild_id, finishers.day, guilds.channel_id, min(asked_at) AS asked_at
FROM finishers JOIN guilds ON guilds.guild_id = finishers.guild_id
WHERE finishers.added_at IS NULL AND guilds.channel_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM finishers_threads AS known
    WHERE known.guild_id = finishers.guild_id AND known.day = finishers.day
)
GROUP BY finishers.guild_id, finishers.day, guilds.channel_id
"""
_LOOK = """
UPDATE finishers_threads SET look_at = (
    SELECT min(asked_at) FROM finishers
    WHERE finishers.guild_id = finishers_threads.guild_id
        AND finishers.day = finishers_threads.day AND finishers.added_at IS NULL
) WHERE closed_at IS NULL
"""
_COLUMNS = {
    "guild_id": sa.BigInteger(),
    "day": sa.Date(),
    "channel_id": sa.BigInteger(),
    "closes_at": UtcDateTime(),
}
_THREADS = sa.table("finishers_threads", *(sa.column(*pair) for pair in _COLUMNS.items()))


def upgrade() -> None:
    with op.batch_alter_table("finishers_threads") as batch:
        batch.alter_column("claimed_at", existing_type=UtcDateTime(), nullable=True)
        batch.add_column(sa.Column("look_at", UtcDateTime(), nullable=True))
    missing = sa.text(_MISSING).columns(day=sa.Date(), asked_at=UtcDateTime())
    for guild_id, day, channel_id, asked_at in op.get_bind().execute(missing).all():
        row = (guild_id, day, channel_id, asked_at + timedelta(days=3))
        op.execute(sa.insert(_THREADS).values(row))
    op.execute(_LOOK)
    op.create_index(op.f("ix_finishers_threads_look_at"), "finishers_threads", ["look_at"])
    op.drop_index(op.f("ix_finishers_added_at"), "finishers")
    op.create_index(op.f("ix_finishers_player_id"), "finishers", ["player_id"])
