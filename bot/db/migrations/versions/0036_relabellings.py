"""Games that the bot breaks have other names for colours and places, each its own.

Revises: 0035
"""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("masterminds", sa.Column("relabelling", sa.String(32)))
