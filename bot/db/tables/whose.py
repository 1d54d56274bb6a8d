"""Whom a column names, and what becomes of its row when whom it names is deleted.

Each column says so by its `info`: who adds one says it, too, or a test fails. Deletions follow it
(`bot/privacy/erasing.py`).
"""

from enum import Enum
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, true

from bot.db.tables.kinds import metadata


class Who(Enum):
    """Whom a column can name, by the word for it in `zones`."""

    PLAYER = "player"
    SERVER = "guild"
    PLACE = "channel, thread or message"
    NOBODY = "nobody"


class Fate(Enum):
    """What becomes of a row when whom it names is deleted."""

    GOES = "goes"
    LOSES_ID = "stays, with a stand-in for a player's id, and without any other"
    STAYS = "stays as it is"


PLAYERS: Final = {Who.PLAYER: Fate.GOES}
"""The player whose row it is."""

STAND_IN: Final = {Who.PLAYER: Fate.LOSES_ID}
"""A player of a row that is somebody else's as well, or of which there may be very many: what is
nobody's then goes bit by bit."""

CHOSEN: Final = {Who.PLAYER: Fate.STAYS}
"""A player about whom another has chosen something: that is the other's data alone."""

SERVERS: Final = {Who.SERVER: Fate.GOES}
"""The server whose row it is."""

AT_SERVER: Final = {Who.SERVER: Fate.LOSES_ID}
"""The server of a row that is players'."""

PLACE: Final = {Who.PLACE: Fate.LOSES_ID}
"""Where in that server; it is emptied with the server's id."""

PLAIN: Final = {Who.NOBODY: Fate.STAYS}
"""Nobody. What was typed is among it: it goes with its row, or with the row that this one belongs
to by a foreign key. So are digests: nobody can be told from one without trying all there are."""


def plain(*about: Any, **more: Any) -> Column[Any]:
    """A column that names nobody."""
    return Column(*about, info=PLAIN, **more)


def naming(who: Who, *fates: Fate) -> list[Column[Any]]:
    """The columns that name a player or a server, with what refers to other rows before these.

    Args:
        who: which of the two.
        fates: what may become of their rows; without any, whatever does.
    """
    columns = [column for table in reversed(metadata.sorted_tables) for column in table.c]
    return [c for c in columns if who in c.info and c.info[who] in (fates or Fate)]


def is_of(column: Column[Any], who: Who) -> ColumnElement[bool]:
    """In which rows a column names such: in `zones`, others have an id of the other kind."""
    subject = column.table.c.get("subject")
    return true() if subject is None else subject == who.value
