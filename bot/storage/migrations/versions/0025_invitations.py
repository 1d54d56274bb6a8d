"""Who wants no challenges, from anybody or from somebody; who has asked whom of late.

Revises: 0024
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.schema import UtcDateTime

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

_CHALLENGES = sa.text("kind = 'challenge'")


def upgrade() -> None:
    column = sa.Column("no_challenges", sa.Boolean(), nullable=False, server_default=sa.false())
    op.add_column("preferences", column)
    op.create_table(
        "blocks",
        sa.Column("player_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("blocked_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("blocked_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("player_id", "blocked_id", name=op.f("pk_blocks")),
        comment="From whom a player wants no challenges; it stays when that one is forgotten.",
    )
    op.create_index(op.f("ix_duels_opened_at"), "duels", ["opened_at"])
    op.create_index(
        "ix_masterminds_challenges",
        "masterminds",
        ["codebreaker_id", "opened_at"],
        sqlite_where=_CHALLENGES,
        postgresql_where=_CHALLENGES,
    )
