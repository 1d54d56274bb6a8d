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

IN_A_SERVER: Final = text("guild_id IS NOT NULL")
"""The condition of games that belong to a server."""

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


class IdOf(Enum):
    """Whom a column names, by what kind of id.

    The values of PLAYER and SERVER are stored, in `zones.subject`.
    """

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


PLAYERS: Final = {IdOf.PLAYER: Fate.GOES}
"""Marks the player whose row it is: it is deleted with them."""

STAND_IN: Final = {IdOf.PLAYER: Fate.LOSES_ID}
"""Marks a player of a row that others share: it gets a stand-in's id.

Games in which nobody is left are deleted once their boards show that.
"""

CHOSEN: Final = {IdOf.PLAYER: Fate.STAYS}
"""Marks a player about whom another has chosen something: the row is only the other's data."""

WORN: Final = {IdOf.PLAYER: Fate.TAKEN_BACK}
"""Marks a player to whom the bot has given something at Discord, until it is taken back."""

SERVERS: Final = {IdOf.SERVER: Fate.GOES}
"""Marks the server whose row it is: it is deleted with the server's data."""

AT_SERVER: Final = {IdOf.SERVER: Fate.LOSES_ID}
"""Marks the server of a player's row, which stays without it."""

PLACE: Final = {IdOf.PLACE: Fate.LOSES_ID}
"""Marks a place in the row's server; it is emptied with the server's id."""

PLAIN: Final = {IdOf.NOBODY: Fate.STAYS}
"""Marks what names nobody. What was typed goes with its row, or with the row that this one belongs
to by a foreign key. From a digest nobody can be told without trying all ids there are.
"""


def plain(*about: Any, **more: Any) -> Column[Any]:
    """Make a column that names nobody."""
    return Column(*about, info=PLAIN, **more)


def naming(whom: IdOf, *fates: Fate) -> list[Column[Any]]:
    """List the columns with ids of one kind, in an order in which their rows can be deleted.

    With `fates`, only columns that have one of these.
    """
    columns = [column for table in reversed(metadata.sorted_tables) for column in table.c]
    return [c for c in columns if whom in c.info and c.info[whom] in (fates or Fate)]


def is_of(column: Column[Any], whom: IdOf) -> ColumnElement[bool]:
    """Match rows whose id in a column is of a kind; only in `zones` are the kinds mixed."""
    subject = column.table.c.get("subject")
    return true() if subject is None else subject == whom.value
