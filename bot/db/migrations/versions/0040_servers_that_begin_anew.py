"""Servers may delete their data and go on; who was not seen for long can be found.

Revises: 0039
"""

import sqlalchemy as sa
from alembic import op

from bot.db.tables import UtcDateTime

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "guild_erasures",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("began_at", UtcDateTime(), nullable=False),
        sa.Column("look_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_guild_erasures")),
        comment="Servers that have deleted their data, of which some are still to be deleted.",
    )
    op.create_index(op.f("ix_guild_erasures_look_at"), "guild_erasures", ["look_at"])
    op.create_table(
        "kept_servers",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("kept_until", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_kept_servers")),
        comment="Servers that have deleted their data, and are no new ones for thirty days.",
    )
    op.create_index(op.f("ix_kept_servers_kept_until"), "kept_servers", ["kept_until"])
    op.create_index(op.f("ix_players_seen_at"), "players", ["seen_at"])
