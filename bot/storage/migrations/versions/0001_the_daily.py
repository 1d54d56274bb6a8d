"""The daily.

Revises: nothing
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.schema import UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "facts",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.String(length=256), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_facts")),
        comment="What the bot must remember about itself: the puzzle key, the synced commands.",
    )
    op.create_table(
        "puzzles",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("rules", sa.String(length=64), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_puzzles")),
        sa.UniqueConstraint("number", "length", name=op.f("uq_puzzles_number_length")),
        comment="A daily whose secret was fixed when somebody first opened it.",
    )
    op.create_table(
        "plays",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("puzzle_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("opened_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("outcome", sa.String(length=16), nullable=True),
        sa.CheckConstraint(
            "(finished_at IS NULL) = (outcome IS NULL)", name=op.f("ck_plays_finished_with_outcome")
        ),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzles.id"], name=op.f("fk_plays_puzzle_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plays")),
        sa.UniqueConstraint("puzzle_id", "player_id", name=op.f("uq_plays_puzzle_id_player_id")),
        comment="One player's one play of one puzzle.",
    )
    op.create_table(
        "guesses",
        sa.Column("play_id", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=64), nullable=False),
        sa.Column("guessed_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["play_id"], ["plays.id"], name=op.f("fk_guesses_play_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("play_id", "turn", name=op.f("pk_guesses")),
        sa.UniqueConstraint("play_id", "code", name=op.f("uq_guesses_play_id_code")),
    )
    op.create_table(
        "shares",
        sa.Column("play_id", sa.Integer(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("shared_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["play_id"], ["plays.id"], name=op.f("fk_shares_play_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("play_id", "channel_id", name=op.f("pk_shares")),
        comment="A result is posted to a channel once.",
    )
