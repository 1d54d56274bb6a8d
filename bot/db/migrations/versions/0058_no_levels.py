"""Ranks are counted over an index: no counts of rows stand beside them.

Revises: 0057
"""

from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_table("standing_levels")
