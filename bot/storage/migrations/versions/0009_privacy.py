"""What outlives a deletion for a while, and servers that are to be forgotten.

Revises: 0008
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.schema import UtcDateTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "spent_dailies",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_spent_dailies")),
        comment="Dailies that somebody had opened who is forgotten, until their date is over.",
    )
    op.create_index(op.f("ix_spent_dailies_number_length"), "spent_dailies", ["number", "length"])
    op.create_table(
        "departed_guilds",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("left_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_departed_guilds")),
        comment="Servers that have removed the bot, and since when.",
    )
    op.create_index(op.f("ix_departed_guilds_left_at"), "departed_guilds", ["left_at"])
