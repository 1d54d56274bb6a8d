"""Boards against par: whoever has finished dailies on their date is to be on them.

Revises: 0010
"""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

# By the sweep, a few at a time.
_REBUILDS = """
INSERT INTO standing_rebuilds (player_id)
SELECT DISTINCT player_id FROM plays
WHERE on_date AND player_id NOT IN (SELECT player_id FROM standing_rebuilds)
"""


def upgrade() -> None:
    op.execute(_REBUILDS)
