"""Managers take members off a server's leaderboards; hosts keep users and servers out.

Revises: 0060
"""

import sqlalchemy as sa
from alembic import op

from bot.db.tables.kinds import UtcDateTime

revision = "0061"
down_revision = "0060"
branch_labels = None
depends_on = None

_ROW_ID = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.create_table(
        "exclusions",
        sa.Column("id", _ROW_ID),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("cause", sa.String(16), nullable=False),
        sa.Column("by_id", sa.BigInteger(), nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=False),
        sa.Column("from_day", sa.Date(), nullable=False),
        sa.Column("until_day", sa.Date(), nullable=True),
        sa.Column("is_on", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("is_told", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("look_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exclusions")),
        sqlite_autoincrement=True,
    )
    for columns in (["guild_id", "player_id"], ["player_id"], ["look_at"]):
        op.create_index(op.f(f"ix_exclusions_{'_'.join(columns)}"), "exclusions", columns)
    op.create_table(
        "kept_out",
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("since", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_kept_out")),
    )
    op.create_index(op.f("ix_kept_out_user_id"), "kept_out", ["user_id"])
