"""The bot's own pulse: what it tells of outages, nobody's streak has to pay for."""

from datetime import datetime, timedelta
from typing import Final

from bot.services.clock import Clock
from bot.services.streaks import Outage
from bot.storage import facts, streaks
from bot.storage.database import Database, Transaction
from bot.storage.streaks import OutageRow

BEAT_SECONDS: Final = 60

_LAST_BEAT: Final = "last_beat"
# A beat may be late; what is longer than one and a half was an outage.
_SHORTEST_OUTAGE: Final = timedelta(seconds=1.5 * BEAT_SECONDS)


class Heartbeat:
    """Written once a minute while the bot is connected."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def beat(self) -> None:
        """Note that the bot is connected now, and since when it was not."""
        async with self._database.transaction() as tx:
            now = self._clock.now()
            outage = await _running_outage(tx, now)
            if outage is not None:
                await streaks.add_outage(tx, OutageRow(outage.began_at, outage.ended_at))
            await facts.put(tx, _LAST_BEAT, now.isoformat())


async def find_outages(tx: Transaction, since: datetime, now: datetime) -> list[Outage]:
    """The outages that ended at an instant or later, with the one that nobody has noted yet."""
    rows = await streaks.get_outages(tx, since)
    found = [Outage(row.began_at, row.ended_at) for row in rows]
    running = await _running_outage(tx, now)
    return found if running is None else [*found, running]


async def _running_outage(tx: Transaction, now: datetime) -> Outage | None:
    last = await facts.get(tx, _LAST_BEAT)
    if last is None:
        return None
    began_at = datetime.fromisoformat(last)
    return Outage(began_at, now) if now - began_at > _SHORTEST_OUTAGE else None
