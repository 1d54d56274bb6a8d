"""Players set equations for a channel.

Revises: 0058
"""

import sqlalchemy as sa
from alembic import op

from bot.db.tables.kinds import UtcDateTime

revision = "0059"
down_revision = "0058"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("puzzles", sa.Column("closes_at", UtcDateTime(), nullable=True))
    takes = sa.Column("takes_equations", sa.Boolean(), nullable=False, server_default=sa.true())
    op.add_column("guilds", takes)
    op.create_table(
        "equations",
        sa.Column("puzzle_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql")),
        sa.Column("setter_id", sa.BigInteger(), nullable=False),
        sa.Column("invited_id", sa.BigInteger(), nullable=True),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("opened_at", UtcDateTime(), nullable=False),
        sa.Column("accepted_at", UtcDateTime(), nullable=True),
        sa.Column("par", sa.Float(), nullable=True),
        sa.Column("look_at", UtcDateTime(), nullable=True),
        sa.Column("tried_at", UtcDateTime(), nullable=True),
        sa.Column("shown", sa.String(32), nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("puzzle_id", name=op.f("pk_equations")),
        sa.ForeignKeyConstraint(["puzzle_id"], ["puzzles.id"], name=op.f("fk_equations_puzzle_id")),
    )
    op.create_index(op.f("ix_equations_look_at"), "equations", ["look_at"])
    op.create_index(
        op.f("ix_equations_setter_id_opened_at"), "equations", ["setter_id", "opened_at"]
    )
    op.create_index(
        op.f("ix_equations_invited_id_opened_at"), "equations", ["invited_id", "opened_at"]
    )
    is_in_a_server = sa.text("guild_id IS NOT NULL")
    op.create_index(
        op.f("ix_equations_guild_id"),
        "equations",
        ["guild_id"],
        sqlite_where=is_in_a_server,
        postgresql_where=is_in_a_server,
    )
