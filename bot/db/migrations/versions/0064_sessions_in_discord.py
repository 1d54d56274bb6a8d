"""A session of the page is a browser's, or that of Discord's frame around the page.

Revises: 0063
"""

import sqlalchemy as sa
from alembic import op

revision = "0064"
down_revision = "0063"
branch_labels = None
depends_on = None


def upgrade() -> None:
    is_framed = sa.Column("is_framed", sa.Boolean(), nullable=False, server_default=sa.false())
    op.add_column("web_sessions", is_framed)
