"""Whether results may be shared below the daily post by who may not write there: not yet.

Revises: 0013
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    column = sa.Column("takes_results", sa.Boolean(), nullable=False, server_default=sa.false())
    op.add_column("guilds", column)
