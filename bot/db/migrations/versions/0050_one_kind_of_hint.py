"""Hints show symbols, two before the same guess too; dates with them lengthen streaks.

Revises: 0049
"""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("hints") as hints:
        for owner in ("play_id", "mastermind_id"):
            hints.drop_constraint(op.f(f"uq_hints_{owner}_turn_kind"), type_="unique")
            name = op.f(f"uq_hints_{owner}_turn_kind_answer")
            hints.create_unique_constraint(name, [owner, "turn", "kind", "answer"])
    assisted = sa.Column("assisted", sa.Integer(), nullable=False, server_default=sa.text("0"))
    op.add_column("streaks", assisted)
