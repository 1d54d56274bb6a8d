"""Note from which date on new rules of streaks and boards hold, where there is a past to keep.

Revises: 0011
"""

from datetime import timedelta

from alembic import op
from sqlalchemy import DateTime, column, func, insert, select, table

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_FACTS = table("facts", column("name"), column("value"))
_PLAYS, _ZONES = table("plays", column("id")), table("zones", column("subject"))
# No zone is further ahead of UTC.
_FURTHEST_EAST = timedelta(hours=14)


def upgrade() -> None:
    connection = op.get_bind()
    pasts = (select(_PLAYS.c.id).limit(1), select(_ZONES.c.subject).limit(1))
    if not any(connection.scalar(past) is not None for past in pasts):
        return
    now = connection.scalars(select(func.current_timestamp(type_=DateTime))).one()
    # A date that has begun anywhere ends under the rules it began with.
    first = (now + _FURTHEST_EAST).date() + timedelta(days=1)
    op.execute(insert(_FACTS).values(name="fair_since", value=first.isoformat()))
