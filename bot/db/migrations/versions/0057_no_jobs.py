"""Workers are each process's own: nothing waits for others' in the database.

Revises: 0056
"""

from alembic import op

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_table("jobs")
