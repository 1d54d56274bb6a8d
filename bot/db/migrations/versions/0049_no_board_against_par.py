"""There is no leaderboard against par: its rows go.

Revises: 0048
"""

from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("DELETE FROM standings WHERE slot LIKE 'p%'")
    op.execute("DELETE FROM standing_levels WHERE slot LIKE 'p%'")
