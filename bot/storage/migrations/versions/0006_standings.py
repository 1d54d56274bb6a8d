"""Members and standings.

Revises: 0005
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.schema import UtcDateTime

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_MEMBERS = """
INSERT INTO members (guild_id, player_id, name, seen_at)
SELECT guild_id, player_id, '', MAX(seen_at) FROM (
    SELECT guild_id, player_id, opened_at AS seen_at FROM plays
    UNION ALL
    SELECT guild_id, owner_id, opened_at FROM masterminds
    UNION ALL
    SELECT guild_id, codebreaker_id, accepted_at FROM masterminds
    UNION ALL
    SELECT guild_id, challenger_id, opened_at FROM duels
    UNION ALL
    SELECT duels.guild_id, duel_seats.player_id, duels.accepted_at
    FROM duels JOIN duel_seats ON duel_seats.duel_id = duels.id
) AS doings
WHERE guild_id IS NOT NULL AND player_id IS NOT NULL AND seen_at IS NOT NULL
GROUP BY guild_id, player_id
"""

_REBUILDS = """
INSERT INTO standing_rebuilds (player_id)
SELECT player_id FROM plays
UNION SELECT codebreaker_id FROM masterminds WHERE codebreaker_id IS NOT NULL
UNION SELECT player_id FROM ratings
"""


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("seen_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_players")),
        comment="Who has done something, wherever.",
    )
    op.create_table(
        "members",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("seen_at", UtcDateTime(), nullable=False),
        sa.Column("looked_up_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", "player_id", name=op.f("pk_members")),
        comment="Who has done something in a server, and has not left it as far as is known.",
    )
    op.create_index(op.f("ix_members_player_id"), "members", ["player_id"])
    _create_boards()
    for name in ("hidden", "on_global_boards"):
        op.add_column(
            "preferences", sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false())
        )
    op.add_column("streaks", sa.Column("settles_at", UtcDateTime(), nullable=True))
    op.create_index(op.f("ix_streaks_settles_at"), "streaks", ["settles_at"])
    # What was played before: members now, rows and streaks by the sweep, a few at a time.
    op.execute(_MEMBERS)
    op.execute(_REBUILDS)
    op.execute("UPDATE streaks SET settles_at = '2026-01-01 00:00:00.000000' WHERE length > 0")


def _create_boards() -> None:
    op.create_table(
        "standings",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("slot", sa.String(length=16), nullable=False),
        sa.Column("sort_key", sa.BigInteger(), nullable=True),
        sa.Column("figures", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "guild_id", "slot", name=op.f("pk_standings")),
        comment="The rows of leaderboards: of those only who are shown, and of recent periods.",
        sqlite_with_rowid=False,
    )
    op.create_index(
        op.f("ix_standings_guild_id_slot_sort_key_player_id"),
        "standings",
        ["guild_id", "slot", "sort_key", "player_id"],
    )
    op.create_table(
        "standing_levels",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("slot", sa.String(length=16), nullable=False),
        sa.Column("level", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.CheckConstraint("players >= 0", name=op.f("ck_standing_levels_nobody_below_none")),
        sa.PrimaryKeyConstraint("guild_id", "slot", "level", name=op.f("pk_standing_levels")),
        comment="How many ranked rows a leaderboard has at each level.",
        sqlite_with_rowid=False,
    )
    op.create_table(
        "standing_rebuilds",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_standing_rebuilds")),
        comment="Whose rows are to be worked out anew.",
    )
