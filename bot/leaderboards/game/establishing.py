"""Whom it counts for a rank to have met: players who are established.

Else a rank would be made by accounts that do nothing but lose. A player is established after as
many rated duels against as many others as a rank takes, with an account that is a month old. Then
the player counts for everybody met before, and from there on, also once their data are deleted.
"""

from datetime import UTC, datetime, timedelta
from typing import Final

from bot.db.database import Transaction
from bot.leaderboards.store import rebuilds
from bot.ratings.model.ratings import FEWEST_DUELS, FEWEST_OPPONENTS
from bot.ratings.store import ratings

OF_AGE: Final = timedelta(days=30)
"""How old a Discord account must be."""

_DISCORD_EPOCH: Final = datetime(2015, 1, 1, tzinfo=UTC)
_BITS_BELOW_TIME: Final = 22


def of_age_at(player_id: int) -> datetime:
    """When a Discord account is old enough; its id says when it was made.

    >>> of_age_at(175928847299117063).isoformat()
    '2016-05-30T11:18:25.796000+00:00'
    """
    age = timedelta(milliseconds=player_id >> _BITS_BELOW_TIME)
    return _DISCORD_EPOCH + age + OF_AGE


async def look_at(tx: Transaction, player_id: int, now: datetime) -> None:
    """See whether a player who was not established is so after another rated duel."""
    met = await ratings.met(tx, player_id)
    if met.duels < FEWEST_DUELS or met.opponents < FEWEST_OPPONENTS:
        return
    at = of_age_at(player_id)
    if at > now:
        await ratings.wait_for_age(tx, player_id, at)
    else:
        await establish(tx, player_id)


async def establish(tx: Transaction, player_id: int) -> None:
    """Let a player count for all whom they have met, whose places on boards change by it."""
    await ratings.establish(tx, player_id)
    await rebuilds.opponents(tx, player_id)


async def leave(tx: Transaction, player_id: int) -> None:
    """Let all whom a player has met be ranked anew, who is about to be forgotten: they count less.

    All who are forgotten are one opponent, or none if they were not established.
    """
    await rebuilds.opponents(tx, player_id)
