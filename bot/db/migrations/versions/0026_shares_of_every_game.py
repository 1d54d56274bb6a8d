"""Results of every kind of game can be shared: each share names its game and its player.

Revises: 0025
"""

import sqlalchemy as sa
from alembic import op

from bot.db.tables import RowId, UtcDateTime

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

_GAMES = {"play_id": "plays", "mastermind_id": "masterminds", "duel_id": "duels"}


def upgrade() -> None:
    # A name of a constraint is free only when its table is gone, so the rows wait elsewhere.
    op.create_table(
        "shares_before",
        sa.Column("play_id", RowId, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("shared_at", UtcDateTime(), nullable=False),
        sa.Column("claimed_at", UtcDateTime(), nullable=True),
    )
    op.execute(
        "INSERT INTO shares_before (play_id, channel_id, shared_at, claimed_at) "
        "SELECT play_id, channel_id, shared_at, claimed_at FROM shares"
    )
    op.drop_table("shares")
    op.create_table(
        "shares",
        sa.Column("id", RowId, nullable=False),
        *(sa.Column(name, RowId, nullable=True) for name in _GAMES),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("shared_at", UtcDateTime(), nullable=False),
        sa.Column("claimed_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shares")),
        *(
            sa.ForeignKeyConstraint(
                [name], [f"{table}.id"], name=op.f(f"fk_shares_{name}"), ondelete="CASCADE"
            )
            for name, table in _GAMES.items()
        ),
        *(
            sa.UniqueConstraint(name, "channel_id", name=op.f(f"uq_shares_{name}_channel_id"))
            for name in _GAMES
        ),
        sa.CheckConstraint(
            "CASE WHEN play_id IS NULL THEN 0 ELSE 1 END"
            " + CASE WHEN mastermind_id IS NULL THEN 0 ELSE 1 END"
            " + CASE WHEN duel_id IS NULL THEN 0 ELSE 1 END = 1",
            name=op.f("ck_shares_of_one_game"),
        ),
        comment="A result is posted to a channel once.",
    )
    op.create_index(op.f("ix_shares_player_id_shared_at"), "shares", ["player_id", "shared_at"])
    op.execute(
        "INSERT INTO shares (play_id, channel_id, player_id, shared_at, claimed_at) "
        "SELECT shares_before.play_id, channel_id, plays.player_id, shared_at, claimed_at "
        "FROM shares_before JOIN plays ON plays.id = shares_before.play_id"
    )
    op.drop_table("shares_before")
