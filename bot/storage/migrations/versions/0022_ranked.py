"""Whether boards may count a game of Mastermind: all that there are, they may.

Revises: 0021
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    ranked = sa.Column("ranked", sa.Boolean(), nullable=False, server_default=sa.true())
    op.add_column("masterminds", ranked)
