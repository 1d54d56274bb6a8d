"""Games that nobody has played are found by when they ended.

Revises: 0019
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_CALLED_OFF = sa.text("ending IN ('declined', 'withdrawn', 'lapsed')")
_FLEETING = sa.text("(kind = 'watch' OR (kind = 'challenge' AND accepted_at IS NULL))")


def upgrade() -> None:
    for name, table, which in (
        ("ix_duels_called_off", "duels", _CALLED_OFF),
        ("ix_masterminds_fleeting", "masterminds", _FLEETING),
    ):
        op.create_index(name, table, ["finished_at"], sqlite_where=which, postgresql_where=which)
