"""A column for whether a server's manager was asked about the daily post.

Revises: 0053
"""

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None


def upgrade() -> None:
    asked = sa.Column("asked_to_post", sa.Boolean(), server_default=sa.false(), nullable=False)
    op.add_column("guilds", asked)
