"""Ratings and pairs that outlive a deletion for seven days.

Revises: 0016
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.schema import UtcDateTime

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "kept_salts",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_kept_salts")),
        comment="What ratings and pairs are hashed with, of who deleted their data that day.",
    )
    op.create_table(
        "kept_ratings",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("kept_until", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_kept_ratings")),
        comment="Ratings of who is forgotten, for seven days.",
    )
    op.create_index(op.f("ix_kept_ratings_kept_until"), "kept_ratings", ["kept_until"])
    op.create_table(
        "kept_pairs",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("duels", sa.Integer(), nullable=False),
        sa.Column("last_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_kept_pairs")),
        comment="How often two have played of whom one is forgotten, for seven days from the last.",
    )
    op.create_index(op.f("ix_kept_pairs_last_at"), "kept_pairs", ["last_at"])
