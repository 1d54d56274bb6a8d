"""How hard a puzzle is for people is stored; practices of each level are ready.

Revises: 0064
"""

import sqlalchemy as sa
from alembic import op

revision = "0065"
down_revision = "0064"
branch_labels = None
depends_on = None

_ROW_ID = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    op.add_column("puzzles", sa.Column("difficulty", sa.Integer(), nullable=True))
    op.create_table(
        "ready_practices",
        sa.Column("id", _ROW_ID, nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("difficulty", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ready_practices")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_ready_practices_length"), "ready_practices", ["length"])
