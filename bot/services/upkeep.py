"""What boards need without anybody's click: streaks that end, rows that wait to be worked out."""

from bot.services import streak_book
from bot.services.clock import Clock
from bot.services.standings.rebuilding import BATCH, rebuild_queued
from bot.storage import streaks
from bot.storage.database import Database


class Upkeep:
    """Use cases that a timer calls."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def settle(self) -> bool:
        """Do the next few of what is due; whether anything was.

        Each call is a short transaction of a few players, so that thousands of streaks that end
        at one midnight keep nobody's click waiting: call it until there is nothing left.
        """
        async with self._database.transaction() as tx:
            now = self._clock.now()
            due = await streaks.due(tx, now, BATCH)
            for player_id in due:
                await streak_book.refresh(tx, player_id, now)
            return bool(due) or await rebuild_queued(tx, now) > 0
