"""Plays that their player has taken off the list of what is unfinished.

Revises: 0026
"""

import sqlalchemy as sa
from alembic import op

from bot.db.tables import UtcDateTime

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("plays", sa.Column("dismissed_at", UtcDateTime(), nullable=True))
