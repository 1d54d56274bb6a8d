"""Salts, for commitments to secrets; what was fixed before has none.

Revises: 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Columns are added as they are: a rebuilt table would take what refers to it with it.
    for table in ("puzzles", "masterminds", "duel_seats"):
        op.add_column(table, sa.Column("salt", sa.String(length=32), nullable=True))
