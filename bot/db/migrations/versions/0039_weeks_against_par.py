"""A week against par counts after three puzzles: who has that many is looked at again.

Revises: 0038
"""

from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "INSERT INTO standing_rebuilds (player_id) SELECT DISTINCT player_id FROM standings"
        " WHERE slot LIKE 'pw%' AND sort_key IS NULL AND player_id NOT IN"
        " (SELECT player_id FROM standing_rebuilds)"
    )
