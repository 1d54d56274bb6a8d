"""Note who is established, and whom it counts for a rank to have met.

Revises: 0023
"""

from datetime import datetime, timedelta

import sqlalchemy as sa
from alembic import op

from bot.storage.schema import UtcDateTime

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

_EPOCH = datetime(2015, 1, 1)  # noqa: DTZ001 - as the database has instants: of UTC, without it
_OF_AGE = timedelta(days=30)

# Stand-ins for who is forgotten count neither for a rank nor for being established: nobody can
# tell any more what they were.
_MET_ENOUGH = """
    SELECT player_id FROM rating_changes GROUP BY player_id
    HAVING COUNT(*) >= 5
        AND COUNT(DISTINCT CASE WHEN opponent_id > 0 THEN opponent_id END) >= 3
"""
_ESTABLISH = f"UPDATE ratings SET established = 1 WHERE player_id IN ({_MET_ENOUGH})"  # noqa: S608 - both are ours
_TOO_YOUNG = "SELECT player_id FROM ratings WHERE established AND player_id > :oldest"
_WAIT = "UPDATE ratings SET established = 0, of_age_at = :at WHERE player_id = :player"
_COUNT = """
    UPDATE rating_changes SET established = 1
    WHERE opponent_id IN (SELECT player_id FROM ratings WHERE established)
"""
_REBUILD = """
    INSERT INTO standing_rebuilds (player_id, duels_only)
    SELECT DISTINCT player_id, true FROM rating_changes
    WHERE NOT established AND player_id > 0
        AND player_id NOT IN (SELECT player_id FROM standing_rebuilds)
"""


def upgrade() -> None:
    for table in ("ratings", "rating_changes"):
        op.add_column(
            table,
            sa.Column("established", sa.Boolean(), server_default=sa.false(), nullable=False),
        )
    op.add_column(
        "standing_rebuilds",
        sa.Column("duels_only", sa.Boolean(), server_default=sa.false(), nullable=False),
    )
    op.add_column("ratings", sa.Column("of_age_at", UtcDateTime(), nullable=True))
    op.create_index(op.f("ix_ratings_of_age_at"), "ratings", ["of_age_at"])
    connection = op.get_bind()
    connection.execute(sa.text(_ESTABLISH))
    now = connection.scalars(sa.select(sa.func.current_timestamp(type_=sa.DateTime))).one()
    oldest = int((now - _OF_AGE - _EPOCH) / timedelta(milliseconds=1)) << 22
    for player in connection.scalars(sa.text(_TOO_YOUNG), {"oldest": oldest}).all():
        at = _EPOCH + timedelta(milliseconds=player >> 22) + _OF_AGE
        connection.execute(
            sa.text(_WAIT).bindparams(sa.bindparam("at", type_=sa.DateTime)),
            {"at": at, "player": player},
        )
    # The places of who has met somebody that is not established follow, a few at a time.
    connection.execute(sa.text(_COUNT))
    connection.execute(sa.text(_REBUILD))
