"""Shares are claims until they are posted; those that there are count as posted.

Revises: 0014
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.schema import UtcDateTime

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("shares", sa.Column("claimed_at", UtcDateTime(), nullable=True))
