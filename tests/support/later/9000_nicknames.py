# ruff: noqa: N999 - numbers order migrations

"""A column more, filled from another.

Revises: the last one of this version
"""

import sqlalchemy as sa
from alembic import op

from tests.support import later

revision = later.REVISION
down_revision = later.BEFORE
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("players", sa.Column(later.COLUMN, sa.String(64), nullable=True))
    later.halfway()
    op.execute(f"UPDATE players SET {later.COLUMN} = name")
