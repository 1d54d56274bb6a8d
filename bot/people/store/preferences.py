"""What players have chosen for themselves."""

from typing import Any, Final

from sqlalchemy import ColumnElement, exists

from bot.db.database import Transaction
from bot.db.keyed import Keyed
from bot.db.tables import preferences
from bot.people.model.preferences import Choices

choices: Final = Keyed[Choices, int](Choices, preferences)
"""A player's choices; nothing if they never made any."""


def hides(player_id: ColumnElement[Any] | int) -> ColumnElement[bool]:
    """What holds, in a statement, for a player who has chosen to be hidden."""
    return exists().where(preferences.c.player_id == player_id, preferences.c.hidden)


async def is_hidden(tx: Transaction, player_id: int) -> bool:
    """Whether a player has chosen to be hidden."""
    found = await choices.get(tx, player_id)
    return found is not None and found.hidden
