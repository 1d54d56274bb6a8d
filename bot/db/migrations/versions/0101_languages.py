"""Languages that players and servers have chosen, and in which players were last answered."""

import sqlalchemy as sa
from alembic import op

from bot.db.revisions import BASELINE

revision = "0101"
down_revision = BASELINE
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("preferences", "guilds", "players"):
        op.add_column(table, sa.Column("language", sa.String(8), nullable=True))
