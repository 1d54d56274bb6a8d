"""Games that count for nothing: how many a player may begin on one day.

Whoever begins a game that no leaderboard, rating or streak counts passes here, whatever game it is.
What was begun is never cut.
"""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from bot.db.database import Transaction
from bot.games.model.free_games import FreeGames
from bot.games.store import free_games
from bot.refused import EnoughGamesError

MOST_A_DAY: Final = 300
"""How many a player may begin on a date, in UTC, which is everybody's."""


async def begin(tx: Transaction, player_id: int, now: datetime) -> None:
    """Note that a player begins one more.

    Raises:
        EnoughGamesError: there were as many today as there may be.
    """
    games = await _begun(tx, player_id, now)
    await free_games.of_player.put(tx, FreeGames(_today(now), games + 1), player_id)


async def require_more(tx: Transaction, player_id: int, now: datetime) -> None:
    """Refuse what `begin` would.

    Raises:
        EnoughGamesError: there were as many today as there may be.
    """
    await _begun(tx, player_id, now)


async def purge(tx: Transaction, now: datetime) -> None:
    """Forget what no longer counts."""
    await free_games.purge(tx, _today(now))


async def _begun(tx: Transaction, player_id: int, now: datetime) -> int:
    found, today = await free_games.of_player.get(tx, player_id), _today(now)
    games = found.games if found is not None and found.day == today else 0
    if games >= MOST_A_DAY:
        again_at = datetime.combine(today + timedelta(days=1), time.min, UTC)
        raise EnoughGamesError(games=games, again_at=again_at)
    return games


def _today(now: datetime) -> date:
    return now.astimezone(UTC).date()
