"""Outages are one shard's, of so many; those so far were everybody's, as the first of one is.

Revises: 0022
"""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

from bot.storage.schema import UtcDateTime

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_SILENCES = sa.table(
    "silences",
    *(sa.column(name, sa.Integer()) for name in ("shard", "shard_count")),
    sa.column("since", UtcDateTime()),
)


def upgrade() -> None:
    # A primary key cannot be changed.
    op.drop_index(op.f("ix_outages_is_brief_ended_at"), "outages")
    op.rename_table("outages", "outages_of_all")
    op.create_table(
        "outages",
        sa.Column("began_at", UtcDateTime(), nullable=False),
        sa.Column("shard", sa.Integer(), server_default="0", nullable=False),
        sa.Column("shard_count", sa.Integer(), server_default="1", nullable=False),
        sa.Column("ended_at", UtcDateTime(), nullable=False),
        sa.Column("is_brief", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("began_at", "shard", "shard_count", name=op.f("pk_outages")),
        comment="When the bot was not connected, from its own heartbeat.",
    )
    op.execute(
        "INSERT INTO outages (began_at, ended_at, is_brief) "
        "SELECT began_at, ended_at, is_brief FROM outages_of_all"
    )
    op.drop_table("outages_of_all")
    op.create_index(op.f("ix_outages_is_brief_ended_at"), "outages", ["is_brief", "ended_at"])
    op.create_table(
        "silences",
        sa.Column("shard", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("shard_count", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("since", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("shard", "shard_count", name=op.f("pk_silences")),
        comment="Outages that go on: by which shards nothing comes now.",
    )
    fact = sa.text("SELECT value FROM facts WHERE name = 'silent_since'")
    since = op.get_bind().scalar(fact)
    if since is not None:
        row = (0, 1, datetime.fromisoformat(since).astimezone(UTC))
        op.execute(sa.insert(_SILENCES).values(row))
        op.execute("DELETE FROM facts WHERE name = 'silent_since'")
