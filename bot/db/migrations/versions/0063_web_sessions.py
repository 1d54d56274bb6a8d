"""Players play on a page, by a link that a click in Discord has earned.

Revises: 0062
"""

import sqlalchemy as sa
from alembic import op

from bot.db.tables.kinds import UtcDateTime

revision = "0063"
down_revision = "0062"
branch_labels = None
depends_on = None

_ROW_ID = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    for name, play in (
        ("web_tickets", [sa.Column("play_id", _ROW_ID, nullable=False)]),
        ("web_sessions", []),
    ):
        op.create_table(
            name,
            sa.Column("digest", sa.String(64), nullable=False),
            sa.Column("player_id", sa.BigInteger(), nullable=False),
            sa.Column("guild_id", sa.BigInteger(), nullable=True),
            *play,
            sa.Column("ends_at", UtcDateTime(), nullable=False),
            sa.PrimaryKeyConstraint("digest", name=op.f(f"pk_{name}")),
        )
        for column in ("player_id", "ends_at"):
            op.create_index(op.f(f"ix_{name}_{column}"), name, [column])
