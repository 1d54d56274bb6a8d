"""Players who are asked before a guess that clues rule out.

Revises: 0027
"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    careful = sa.Column("is_careful", sa.Boolean(), server_default=sa.false(), nullable=False)
    op.add_column("preferences", careful)
