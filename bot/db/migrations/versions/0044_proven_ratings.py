"""Ratings without duels against who is not established; the dates of rated duels.

Revises: 0041
"""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "ratings", sa.Column("dates", sa.Integer(), nullable=False, server_default=sa.text("0"))
    )
    for table in ("ratings", "kept_ratings"):
        for name in ("proven_mu", "proven_sigma"):
            op.add_column(
                table, sa.Column(name, sa.Float(), nullable=False, server_default=sa.text("0"))
            )
    for name in ("base_mu", "base_sigma"):
        op.add_column("ratings", sa.Column(name, sa.Float(), nullable=True))
    for name in ("opponent_mean", "opponent_deviation"):
        op.add_column("rating_changes", sa.Column(name, sa.Float(), nullable=True))
    # What stands is taken as it is, and who is ranked stays so.
    op.execute(
        "UPDATE ratings SET dates = games, proven_mu = mu, proven_sigma = sigma,"
        " base_mu = mu, base_sigma = sigma"
    )
    op.execute("UPDATE kept_ratings SET proven_mu = mu, proven_sigma = sigma")
