"""Which changes of a zone have corrected the one before; of those from before, none.

Revises: 0020
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "zones",
        sa.Column("is_correction", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
