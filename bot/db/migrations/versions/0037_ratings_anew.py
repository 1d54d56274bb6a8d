"""Ratings as they are counted now, beside what was told, and where they are worked out anew.

Revises: 0036
"""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reratings",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", name=op.f("pk_reratings")),
        comment="Ratings while they are worked out anew; empty else.",
    )
    for name in ("mean_before", "deviation_before", "mean_after", "deviation_after"):
        op.add_column("rating_changes", sa.Column(name, sa.Float(), nullable=True))
    is_unfolded = sa.text("mean_after IS NULL")
    op.create_index(
        "ix_rating_changes_unfolded",
        "rating_changes",
        ["changed_at", "duel_id"],
        sqlite_where=is_unfolded,
        postgresql_where=is_unfolded,
    )
    # The bot works them out when it has started.
    op.execute(
        "INSERT INTO facts (name, value) SELECT 'ratings are worked out anew', 'folding'"
        " WHERE EXISTS (SELECT 1 FROM ratings) OR EXISTS (SELECT 1 FROM kept_ratings)"
        " OR EXISTS (SELECT 1 FROM rating_changes)"
    )
