"""Which play a date counts by everywhere: the one in which its player guessed first.

Revises: 0044
"""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("plays", sa.Column("first_of_date", sa.Boolean(), nullable=True))
