"""One choice of the guesses before which players are asked, in place of two.

Revises: 0045
"""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None


def upgrade() -> None:
    asks = sa.Column("asks", sa.String(16), server_default="false", nullable=False)
    op.add_column("preferences", asks)
    # What was chosen goes to the nearest that asks no less.
    op.execute("UPDATE preferences SET asks = 'nothing' WHERE skip_question")
    op.execute("UPDATE preferences SET asks = 'impossible' WHERE is_careful")
    op.drop_column("preferences", "skip_question")
    op.drop_column("preferences", "is_careful")
