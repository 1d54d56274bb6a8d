"""Duels and ratings.

Revises: 0002
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.schema import UtcDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "duels",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("rules", sa.String(length=64), nullable=False),
        sa.Column("mode", sa.String(length=16), nullable=False),
        sa.Column("pace", sa.String(length=16), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("strength", sa.String(length=16), nullable=True),
        sa.Column("challenger_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("thread_id", sa.BigInteger(), nullable=True),
        sa.Column("nudge_message_id", sa.BigInteger(), nullable=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("draw_offered_by", sa.Integer(), nullable=True),
        sa.Column("rematch_of", sa.Integer(), nullable=True),
        sa.Column("opened_at", UtcDateTime(), nullable=False),
        sa.Column("moved_at", UtcDateTime(), nullable=False),
        sa.Column("accepted_at", UtcDateTime(), nullable=True),
        sa.Column("playing_at", UtcDateTime(), nullable=True),
        sa.Column("deadline_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.Column("ending", sa.String(length=16), nullable=True),
        sa.Column("winner", sa.Integer(), nullable=True),
        sa.CheckConstraint(
            "(finished_at IS NULL) = (state <> 'over')", name=op.f("ck_duels_over_when_finished")
        ),
        sa.CheckConstraint(
            "(finished_at IS NULL) = (ending IS NULL)", name=op.f("ck_duels_finished_with_ending")
        ),
        sa.CheckConstraint(
            "winner IS NULL OR finished_at IS NOT NULL", name=op.f("ck_duels_winner_at_end")
        ),
        sa.ForeignKeyConstraint(
            ["rematch_of"], ["duels.id"], name=op.f("fk_duels_rematch_of"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_duels")),
        comment="A duel of Bulls and Cows, from the challenge on.",
    )
    op.create_index(
        op.f("ix_duels_finished_at_deadline_at"), "duels", ["finished_at", "deadline_at"]
    )
    op.create_index(op.f("ix_duels_rematch_of"), "duels", ["rematch_of"])
    op.create_table(
        "ratings",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("changed_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_ratings")),
        comment="How strong a player is thought to be, and how sure that is.",
    )
    op.create_table(
        "duel_moves",
        sa.Column("duel_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=64), nullable=False),
        sa.Column("moved_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["duel_id"], ["duels.id"], name=op.f("fk_duel_moves_duel_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("duel_id", "number", name=op.f("pk_duel_moves")),
        sa.UniqueConstraint(
            "duel_id", "seat", "turn", name=op.f("uq_duel_moves_duel_id_seat_turn")
        ),
    )
    op.create_table(
        "duel_seats",
        sa.Column("duel_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), nullable=True),
        sa.Column("secret", sa.String(length=64), nullable=True),
        sa.Column("started_at", UtcDateTime(), nullable=True),
        sa.CheckConstraint("seat IN (0, 1)", name=op.f("ck_duel_seats_two_seats")),
        sa.ForeignKeyConstraint(
            ["duel_id"], ["duels.id"], name=op.f("fk_duel_seats_duel_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("duel_id", "seat", name=op.f("pk_duel_seats")),
        sa.UniqueConstraint("player_id", "duel_id", name=op.f("uq_duel_seats_player_id_duel_id")),
    )
    op.create_table(
        "rating_changes",
        sa.Column("duel_id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("opponent_id", sa.BigInteger(), nullable=False),
        sa.Column("mu_before", sa.Float(), nullable=False),
        sa.Column("sigma_before", sa.Float(), nullable=False),
        sa.Column("mu_after", sa.Float(), nullable=False),
        sa.Column("sigma_after", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("share", sa.Integer(), nullable=False),
        sa.Column("changed_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["duel_id"], ["duels.id"], name=op.f("fk_rating_changes_duel_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("duel_id", "player_id", name=op.f("pk_rating_changes")),
        comment="What each rated duel did to a player's rating.",
    )
    op.create_index(
        op.f("ix_rating_changes_player_id_opponent_id_changed_at"),
        "rating_changes",
        ["player_id", "opponent_id", "changed_at"],
    )
