"""When each shard was last heard, and by which process: until now the whole bot had one heartbeat.

Revises: 0032
"""

from datetime import datetime

import sqlalchemy as sa
from alembic import op

from bot.db.tables import UtcDateTime

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

_BEAT = "last_beat"
_PROCESS = "last_process"


def upgrade() -> None:
    op.create_table(
        "pulses",
        sa.Column("shard", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("shard_count", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("beat_at", UtcDateTime(), nullable=False),
        sa.Column("process", sa.String(32), nullable=False),
        sa.Column("silent_since", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("shard", "shard_count", name=op.f("pk_pulses")),
        comment="When each shard was last heard, and which process has it.",
    )
    _fill()
    op.drop_table("silences")
    op.execute("DELETE FROM facts WHERE name IN ('last_beat', 'last_process')")


def _fill() -> None:
    """Note a pulse for each shard that the bot had when one was last silent, or for all in one."""
    facts = sa.table("facts", *(sa.column(name, sa.String()) for name in ("name", "value")))
    silences = sa.table(
        "silences",
        *(sa.column(name, sa.Integer()) for name in ("shard", "shard_count")),
        sa.column("since", UtcDateTime()),
    )
    pulses = sa.table(
        "pulses",
        *(sa.column(name, sa.Integer()) for name in ("shard", "shard_count")),
        *(sa.column(name, UtcDateTime()) for name in ("beat_at", "silent_since")),
        sa.column("process", sa.String()),
    )
    connection = op.get_bind()
    known = {row.name: row.value for row in connection.execute(sa.select(facts))}
    if _BEAT not in known:
        return
    silent = {
        (shard, count): since
        for shard, count, since in connection.execute(
            sa.select(silences.c.shard, silences.c.shard_count, silences.c.since)
        )
    }
    everywhere = silent.get((0, 1))
    shards = max((count for _, count in silent), default=1)
    connection.execute(
        sa.insert(pulses),
        [
            {
                "shard": shard,
                "shard_count": shards,
                "beat_at": datetime.fromisoformat(known[_BEAT]),
                "process": known.get(_PROCESS, ""),
                "silent_since": silent.get((shard, shards), everywhere),
            }
            for shard in range(shards)
        ],
    )
