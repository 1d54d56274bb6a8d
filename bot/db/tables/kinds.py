"""Column types, conditions that several tables share, and whose id each column holds."""

from datetime import UTC, datetime
from enum import Enum
from typing import Any, Final, TypeVar

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    DateTime,
    Dialect,
    Integer,
    MetaData,
    String,
    TypeDecorator,
    text,
    true,
)

E = TypeVar("E", bound=Enum)


class UtcDateTime(TypeDecorator[datetime]):
    """An instant: aware in Python, UTC without a zone in the database."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive datetime is no instant")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)


class Word(TypeDecorator[E]):
    """An enum stored as its value, of at most `length` characters."""

    impl = String
    cache_ok = True

    def __init__(self, kind: type[E], length: int) -> None:
        super().__init__(length)
        self.kind, self.length = kind, length

    def process_bind_param(self, value: E | str | None, dialect: Dialect) -> str | None:
        return None if value is None else self.kind(value).value

    def process_result_value(self, value: str | None, dialect: Dialect) -> E | None:
        return None if value is None else self.kind(value)


RowId: Final = Integer().with_variant(BigInteger(), "postgresql")
"""An id that the database gives: 64 bits, as SQLite's are. Discord's ids have a type of their own.
"""

FIRST_PLAYER: Final = 0
"""Ids below this are stand-ins for deleted players."""

FORGOTTEN: Final = -1
"""The common id of all deleted players, where they count as one opponent."""

IN_A_SERVER: Final = text("guild_id IS NOT NULL")
"""Games in a server."""

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


# A column's `info` has the kind of id that the column holds, and the fate of the row when a player
# or server with this id is deleted. A test fails for a column without. Deletions go by the `info`
# (`bot/privacy/erasing.py`).


class Who(Enum):
    """The kind of id in a column; `zones.subject` holds the values of PLAYER and SERVER."""

    PLAYER = "player"
    SERVER = "guild"
    PLACE = "channel, thread or message"
    NOBODY = "nobody"


class Fate(Enum):
    """The fate of a row when a player or server in it is deleted."""

    GOES = "goes"
    TAKEN_BACK = "stays until the bot has taken back what it gave"
    LOSES_ID = "stays, with a stand-in for a player's id, and without any other"
    STAYS = "stays as it is"


PLAYERS: Final = {Who.PLAYER: Fate.GOES}
"""The player whose row it is."""

STAND_IN: Final = {Who.PLAYER: Fate.LOSES_ID}
"""A player of a row that others share, or of which there may be very many; rows that are then
nobody's are deleted step by step.
"""

CHOSEN: Final = {Who.PLAYER: Fate.STAYS}
"""A player about whom another has chosen something: the row is the other's data alone."""

WORN: Final = {Who.PLAYER: Fate.TAKEN_BACK}
"""A player to whom the bot has given something at Discord."""

SERVERS: Final = {Who.SERVER: Fate.GOES}
"""The server whose row it is."""

AT_SERVER: Final = {Who.SERVER: Fate.LOSES_ID}
"""The server of a player's row."""

PLACE: Final = {Who.PLACE: Fate.LOSES_ID}
"""A place in that server; it is emptied with the server's id."""

PLAIN: Final = {Who.NOBODY: Fate.STAYS}
"""Nobody. What was typed is among it: it goes with its row, or with the row that this one belongs
to by a foreign key. So are digests: nobody can be told from one without trying all there are."""


def plain(*about: Any, **more: Any) -> Column[Any]:
    """Make a column that names nobody."""
    return Column(*about, info=PLAIN, **more)


def naming(who: Who, *fates: Fate) -> list[Column[Any]]:
    """List the columns that name a player or a server, in the order of deletion.

    With `fates`, only columns whose rows have one of these.
    """
    columns = [column for table in reversed(metadata.sorted_tables) for column in table.c]
    return [c for c in columns if who in c.info and c.info[who] in (fates or Fate)]


def is_of(column: Column[Any], who: Who) -> ColumnElement[bool]:
    """Match rows whose id in a column is of this kind; only `zones` mixes players and servers."""
    subject = column.table.c.get("subject")
    return true() if subject is None else subject == who.value
