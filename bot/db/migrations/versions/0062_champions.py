"""The first of a week or month has a role; closed months stay on leaderboards.

Revises: 0061
"""

import sqlalchemy as sa
from alembic import op

from bot.db.tables.kinds import UtcDateTime

revision = "0062"
down_revision = "0061"
branch_labels = None
depends_on = None


def upgrade() -> None:
    period = sa.Column("champion_period", sa.String(8), nullable=False, server_default="week")
    op.add_column("guilds", sa.Column("champion_role_id", sa.BigInteger(), nullable=True))
    op.add_column("guilds", period)
    op.add_column("guilds", sa.Column("champion_day", sa.Date(), nullable=True))
    op.add_column("guilds", sa.Column("champion_at", UtcDateTime(), nullable=True))
    op.create_index(op.f("ix_guilds_champion_at"), "guilds", ["champion_at"])
    op.create_table(
        "champions",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("role_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("look_at", UtcDateTime(), nullable=False),
        sa.Column("claimed_at", UtcDateTime(), nullable=True),
        sa.Column("given_at", UtcDateTime(), nullable=True),
        sa.Column("over_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "role_id", "player_id", name=op.f("pk_champions")),
    )
    op.create_index(op.f("ix_champions_look_at"), "champions", ["look_at"])
    # Rows of closed months, of which only the last had any.
    op.execute("UPDATE standing_rebuilds SET duels_only = false")
    op.execute(
        "INSERT INTO standing_rebuilds (player_id, duels_only) SELECT player_id, false FROM players"
        " WHERE player_id NOT IN (SELECT player_id FROM standing_rebuilds)"
    )
