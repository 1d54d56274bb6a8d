"""What a player has offered since the last guess is counted: the first offer calls the other.

Revises: 0041
"""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "duel_seats", sa.Column("offers", sa.Integer(), server_default=sa.text("0"), nullable=False)
    )
