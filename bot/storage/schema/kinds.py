"""Column types and conditions that several tables share."""

from datetime import UTC, datetime
from typing import Final

from sqlalchemy import (
    DateTime,
    Dialect,
    MetaData,
    TypeDecorator,
    text,
)


class UtcDateTime(TypeDecorator[datetime]):
    """An instant: aware in Python, UTC without a zone in the database."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Store UTC; a naive datetime is a bug of the caller's."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive datetime is no instant")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Give back what was stored, aware."""
        return None if value is None else value.replace(tzinfo=UTC)


FIRST_PLAYER: Final = 0
"""Players' ids below this are stand-ins for who is forgotten; Discord's are above."""

IN_A_SERVER: Final = text("guild_id IS NOT NULL")
"""Which games are of a server."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
