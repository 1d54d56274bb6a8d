"""Ratings are computed anew in every database, and nothing is stored for that.

Revises: 0047
"""

from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_rating_changes_unfolded", table_name="rating_changes")
    op.drop_table("reratings")
    op.execute("DELETE FROM facts WHERE name = 'ratings are worked out anew'")
