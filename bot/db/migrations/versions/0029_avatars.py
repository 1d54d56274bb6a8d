"""What Discord calls players' avatars, beside their names.

Revises: 0028
"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("players", sa.Column("avatar", sa.String(64)))
