"""Games of a server are found without looking at all games.

Revises: 0018
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_IN_A_SERVER = sa.text("guild_id IS NOT NULL")


def upgrade() -> None:
    for table in ("duels", "masterminds"):
        op.create_index(
            op.f(f"ix_{table}_guild_id"),
            table,
            ["guild_id"],
            sqlite_where=_IN_A_SERVER,
            postgresql_where=_IN_A_SERVER,
        )
