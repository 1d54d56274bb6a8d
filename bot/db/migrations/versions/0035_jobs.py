"""What worker processes are to do, and what came of it.

Revises: 0034
"""

import sqlalchemy as sa
from alembic import op

from bot.db.tables import UtcDateTime

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("work", sa.LargeBinary(), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=False),
        sa.Column("asked_at", UtcDateTime(), nullable=False),
        sa.Column("stale_at", UtcDateTime(), nullable=False),
        sa.Column("worker", sa.String(length=32), nullable=True),
        sa.Column("until", UtcDateTime(), nullable=True),
        sa.Column("tries", sa.Integer(), server_default="0", nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
        comment="What worker processes are to draw and compute, and what came of it, for moments.",
    )
    op.create_index(op.f("ix_jobs_stale_at"), "jobs", ["stale_at"])
    op.create_index(op.f("ix_jobs_kind_asked_at"), "jobs", ["kind", "asked_at"])
