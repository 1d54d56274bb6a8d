"""Tell brief outages from those that streaks look at, and find either by when it ended.

Revises: 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

_BRIEF = """
UPDATE outages SET is_brief = 1
WHERE (julianday(ended_at) - julianday(began_at)) * 24 * 60 * 60 < 60
"""


def upgrade() -> None:
    op.add_column(
        "outages", sa.Column("is_brief", sa.Boolean(), server_default=sa.false(), nullable=False)
    )
    op.execute(_BRIEF)
    op.create_index(op.f("ix_outages_is_brief_ended_at"), "outages", ["is_brief", "ended_at"])
