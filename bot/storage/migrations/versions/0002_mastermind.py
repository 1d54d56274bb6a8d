"""Mastermind.

Revises: 0001
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.schema import UtcDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "masterminds",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("rules", sa.String(length=64), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=True),
        sa.Column("owner_id", sa.BigInteger(), nullable=False),
        sa.Column("codebreaker_id", sa.BigInteger(), nullable=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("pending", sa.String(length=64), nullable=False),
        sa.Column("opened_at", UtcDateTime(), nullable=False),
        sa.Column("moved_at", UtcDateTime(), nullable=False),
        sa.Column("deadline_at", UtcDateTime(), nullable=False),
        sa.Column("accepted_at", UtcDateTime(), nullable=True),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("ending", sa.String(length=16), nullable=True),
        sa.CheckConstraint(
            "(finished_at IS NULL) = (ending IS NULL)",
            name=op.f("ck_masterminds_finished_with_ending"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_masterminds")),
        comment="A game of Mastermind of any kind.",
    )
    op.create_index(
        op.f("ix_masterminds_codebreaker_id_finished_at"),
        "masterminds",
        ["codebreaker_id", "finished_at"],
    )
    op.create_index(
        op.f("ix_masterminds_finished_at_deadline_at"),
        "masterminds",
        ["finished_at", "deadline_at"],
    )
    op.create_index(
        op.f("ix_masterminds_owner_id_finished_at"), "masterminds", ["owner_id", "finished_at"]
    )
    op.create_table(
        "mastermind_turns",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=64), nullable=False),
        sa.Column("blacks", sa.Integer(), nullable=True),
        sa.Column("whites", sa.Integer(), nullable=True),
        sa.Column("guessed_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "whites IS NULL OR blacks IS NOT NULL",
            name=op.f("ck_mastermind_turns_whites_after_blacks"),
        ),
        sa.ForeignKeyConstraint(
            ["game_id"],
            ["masterminds.id"],
            name=op.f("fk_mastermind_turns_game_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("game_id", "turn", name=op.f("pk_mastermind_turns")),
    )
