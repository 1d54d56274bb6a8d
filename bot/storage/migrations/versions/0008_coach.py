"""The coach: analyses, hints, pars.

Revises: 0007
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.schema import UtcDateTime

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("play_id", sa.Integer(), nullable=True),
        sa.Column("mastermind_id", sa.Integer(), nullable=True),
        sa.Column("duel_id", sa.Integer(), nullable=True),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("remaining", sa.Text(), nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "CASE WHEN play_id IS NULL THEN 0 ELSE 1 END"
            " + CASE WHEN mastermind_id IS NULL THEN 0 ELSE 1 END"
            " + CASE WHEN duel_id IS NULL THEN 0 ELSE 1 END = 1",
            name=op.f("ck_analyses_of_one_game"),
        ),
        _cascade("analyses", "play_id", "plays.id"),
        _cascade("analyses", "mastermind_id", "masterminds.id"),
        _cascade("analyses", "duel_id", "duels.id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_analyses")),
        sa.UniqueConstraint("play_id", "seat", name=op.f("uq_analyses_play_id_seat")),
        sa.UniqueConstraint("mastermind_id", "seat", name=op.f("uq_analyses_mastermind_id_seat")),
        sa.UniqueConstraint("duel_id", "seat", name=op.f("uq_analyses_duel_id_seat")),
        comment="What the coach found in a finished game; may be worked out again.",
    )
    op.create_table(
        "hints",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("play_id", sa.Integer(), nullable=True),
        sa.Column("mastermind_id", sa.Integer(), nullable=True),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("answer", sa.String(length=64), nullable=False),
        sa.Column("given_at", UtcDateTime(), nullable=False),
        sa.CheckConstraint(
            "(play_id IS NULL) <> (mastermind_id IS NULL)", name=op.f("ck_hints_of_one_game")
        ),
        _cascade("hints", "play_id", "plays.id"),
        _cascade("hints", "mastermind_id", "masterminds.id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hints")),
        sa.UniqueConstraint("play_id", "turn", "kind", name=op.f("uq_hints_play_id_turn_kind")),
        sa.UniqueConstraint(
            "mastermind_id", "turn", "kind", name=op.f("uq_hints_mastermind_id_turn_kind")
        ),
        comment="What a player was told during a game.",
    )
    op.create_table(
        "pars",
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("length", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("mean", sa.Float(), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("made_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("number", "length", name=op.f("pk_pars")),
        comment="How hard a daily is.",
    )
    op.create_index(op.f("ix_plays_puzzle_id_guild_id"), "plays", ["puzzle_id", "guild_id"])


def _cascade(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}")
    return sa.ForeignKeyConstraint([column], [target], name=name, ondelete="CASCADE")
