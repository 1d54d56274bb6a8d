"""Weekly recaps: a server's choice, and an index of its duels by when they ended.

Revises: 0030
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None


def upgrade() -> None:
    recap = sa.Column("weekly_recap", sa.Boolean(), server_default=sa.true(), nullable=False)
    op.add_column("guilds", recap)
    in_a_server = sa.text("guild_id IS NOT NULL")
    op.create_index(
        op.f("ix_duels_guild_id_finished_at"),
        "duels",
        ["guild_id", "finished_at"],
        sqlite_where=in_a_server,
        postgresql_where=in_a_server,
    )
    op.drop_index(op.f("ix_duels_guild_id"), "duels")
