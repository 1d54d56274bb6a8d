"""Column types and conditions that several tables share."""

from datetime import UTC, datetime
from enum import Enum
from typing import Final, TypeVar

from sqlalchemy import (
    BigInteger,
    DateTime,
    Dialect,
    Integer,
    MetaData,
    String,
    TypeDecorator,
    text,
)

E = TypeVar("E", bound=Enum)


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


class Word(TypeDecorator[E]):
    """One of an enum's members: its value in the database.

    Args:
        kind: the enum; its values are words.
        length: how many characters the longest may have.
    """

    impl = String
    cache_ok = True

    def __init__(self, kind: type[E], length: int) -> None:
        super().__init__(length)
        self.kind, self.length = kind, length

    def process_bind_param(self, value: E | str | None, dialect: Dialect) -> str | None:
        """Store the value of a member, or of what is a member's value."""
        return None if value is None else self.kind(value).value

    def process_result_value(self, value: str | None, dialect: Dialect) -> E | None:
        """Give back the member."""
        return None if value is None else self.kind(value)


RowId: Final = Integer().with_variant(BigInteger(), "postgresql")
"""A number that the database gives: of 64 bits, as SQLite's are. Discord's ids are no such."""

FIRST_PLAYER: Final = 0
"""Players' ids below this are stand-ins for who is forgotten; Discord's are above."""

FORGOTTEN: Final = -1
"""Stands for all who are forgotten, where they count as one opponent."""

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
