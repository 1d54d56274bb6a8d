"""Games of players who are forgotten go bit by bit; those that nobody has any more first.

Revises: 0017
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.schema import UtcDateTime

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

# Until now, what waited for its board was looked for among all games.
_LEFT = """
INSERT INTO erasures (stand_in, look_at)
SELECT codebreaker_id, CURRENT_TIMESTAMP FROM masterminds WHERE codebreaker_id < 0 AND owner_id < 0
UNION
SELECT mine.player_id, CURRENT_TIMESTAMP FROM duel_seats AS mine
JOIN duel_seats AS other ON other.duel_id = mine.duel_id AND other.seat > mine.seat
WHERE mine.player_id < 0 AND other.player_id < 0
"""


def upgrade() -> None:
    op.create_table(
        "erasures",
        sa.Column("stand_in", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("look_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("stand_in", name=op.f("pk_erasures")),
        comment="Stand-ins of who is forgotten, of whose games some are still to be deleted.",
    )
    op.create_index(op.f("ix_erasures_look_at"), "erasures", ["look_at"])
    op.execute(_LEFT)
