"""One message a channel and date with everybody's results, in servers that choose it.

Revises: 0029
"""

import sqlalchemy as sa
from alembic import op

from bot.db.tables import RowId, UtcDateTime

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    chosen = sa.Column("running_results", sa.Boolean(), server_default=sa.false(), nullable=False)
    op.add_column("guilds", chosen)
    op.create_table(
        "running_messages",
        sa.Column("id", RowId, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("closes_at", UtcDateTime(), nullable=False),
        sa.Column("look_at", UtcDateTime(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.Column("is_wanted", sa.Boolean(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("posted_at", UtcDateTime(), nullable=True),
        sa.Column("outdated_id", sa.BigInteger(), nullable=True),
        sa.Column("claimed_at", UtcDateTime(), nullable=True),
        sa.Column("tried_at", UtcDateTime(), nullable=True),
        sa.Column("drawn_at", UtcDateTime(), nullable=True),
        sa.Column("closed_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_running_messages")),
        sa.UniqueConstraint(
            "channel_id",
            "number",
            "length",
            name=op.f("uq_running_messages_channel_id_number_length"),
        ),
        comment="The one message of a puzzle in a channel, with everybody's results.",
    )
    op.create_index(op.f("ix_running_messages_look_at"), "running_messages", ["look_at"])
    op.create_table(
        "running_rows",
        sa.Column("running_id", RowId, nullable=False),
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("entered_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("running_id", "player_id", name=op.f("pk_running_rows")),
        sa.ForeignKeyConstraint(
            ["running_id"],
            ["running_messages.id"],
            name=op.f("fk_running_rows_running_id"),
            ondelete="CASCADE",
        ),
        comment=(
            "Whose results are in a running message; forgotten some days after it has closed."
        ),
    )
    op.create_index(op.f("ix_running_rows_player_id"), "running_rows", ["player_id"])
    op.create_table(
        "always_shares",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("chosen_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "guild_id", name=op.f("pk_always_shares")),
        comment="Where a player's dailies of a server go into the running message by themselves.",
    )
