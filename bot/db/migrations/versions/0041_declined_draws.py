"""A declined draw can be seen until the next guess.

Revises: 0040
"""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("duels", sa.Column("draw_declined_by", sa.Integer(), nullable=True))
