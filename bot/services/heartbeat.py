"""The bot's own pulse: what it tells of outages, nobody's streak has to pay for.

While the bot runs, a gap between beats tells an outage, if it is long enough. Who stops or starts
a process, or loses the connection, knows better: from then on the bot is silent, however briefly,
until the next beat. Outages with less than a minute between them are one. One that is shorter than
that is given back to who plays against the clock, and keeps nobody from solving a daily.
"""

import secrets
from datetime import datetime, timedelta
from typing import Final

from bot.services.clock import Clock
from bot.services.streaks import BRIEF, Outage
from bot.storage import duels, facts, outages
from bot.storage.database import Database, Transaction
from bot.storage.outages import OutageRow

BEAT_SECONDS: Final = 60

_LAST_BEAT: Final = "last_beat"
_SILENT_SINCE: Final = "silent_since"
_LAST_PROCESS: Final = "last_process"
# A beat may be late; what is longer than one and a half was an outage.
_SHORTEST_OUTAGE: Final = timedelta(seconds=1.5 * BEAT_SECONDS)
_KEPT: Final = timedelta(days=30)
"""How long brief outages are remembered: no live deadline is so old."""


class Heartbeat:
    """Written once a minute while the bot is connected."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._process = secrets.token_hex(8)
        self._has_beaten = self._has_met_another = False

    async def wake(self) -> None:
        """Note that a process has started: until its first beat, nobody can play.

        Unless the one before has said when it stopped, it was there until its last beat or, if
        that is later, until something last happened in a duel, where seconds count.
        """
        async with self._database.transaction() as tx:
            last = await facts.get(tx, _LAST_BEAT)
            if last is not None:
                seen = [datetime.fromisoformat(last), await duels.last_change(tx)]
                await _fall_silent(tx, max(filter(None, seen)))

    async def stop(self, tx: Transaction) -> None:
        """Note, as the last thing that is done, that the bot stops."""
        await _fall_silent(tx, self._clock.now())

    async def pause(self) -> None:
        """Note that Discord cannot be heard from now on, until the next beat."""
        async with self._database.transaction() as tx:
            await _fall_silent(tx, self._clock.now())

    async def beat(self) -> bool:
        """Note that the bot is connected now, and since when it was not.

        Returns:
            Whether another process beats, too; only said once.
        """
        async with self._database.transaction() as tx:
            now = self._clock.now()
            is_alone = await facts.get(tx, _LAST_PROCESS) == self._process
            if not is_alone:
                await facts.put(tx, _LAST_PROCESS, self._process)
            running = await _running_outage(tx, now)
            if running is not None:
                await note_outage(tx, running)
            await facts.put(tx, _LAST_BEAT, now.isoformat())
            await facts.remove(tx, _SILENT_SINCE)
        # Who beats for the first time finds the process before it, which need not live any more.
        is_met = self._has_beaten and not is_alone
        is_news = is_met and not self._has_met_another
        self._has_beaten, self._has_met_another = True, self._has_met_another or is_met
        return is_news


async def find_outages(
    tx: Transaction, since: datetime, until: datetime, now: datetime, *, with_brief: bool
) -> list[Outage]:
    """The outages that touch a time, in order, with the one that nobody has noted yet.

    Args:
        tx: the transaction.
        since: when that time begins.
        until: when it ends.
        now: the present instant.
        with_brief: whether also those that matter to live deadlines only.
    """
    rows = await outages.get(tx, since, until, with_brief=with_brief)
    found = [Outage(row.began_at, row.ended_at) for row in rows]
    running = await _running_outage(tx, now)
    if running is None:
        return found
    running = await _with_neighbours(tx, running)
    if running.is_brief and not with_brief:
        return found
    return [*(outage for outage in found if outage.began_at < running.began_at), running]


async def note_outage(tx: Transaction, outage: Outage) -> None:
    """Note an outage that is over, as one with its neighbours; forget brief ones of long ago."""
    whole = await _with_neighbours(tx, outage)
    await outages.put(tx, OutageRow(whole.began_at, whole.ended_at, whole.is_brief))
    await outages.forget_brief(tx, before=outage.ended_at - _KEPT)


async def _with_neighbours(tx: Transaction, outage: Outage) -> Outage:
    """An outage, and those before it that are so near that nobody could do much in between."""
    near = await outages.get(tx, outage.began_at - BRIEF, outage.began_at, with_brief=True)
    return Outage(min([row.began_at for row in near] + [outage.began_at]), outage.ended_at)


async def _running_outage(tx: Transaction, now: datetime) -> Outage | None:
    known = await facts.get_all(tx, (_LAST_BEAT, _SILENT_SINCE))
    if _LAST_BEAT not in known:
        return None
    began_at, shortest = datetime.fromisoformat(known[_LAST_BEAT]), _SHORTEST_OUTAGE
    if _SILENT_SINCE in known:
        began_at, shortest = datetime.fromisoformat(known[_SILENT_SINCE]), timedelta()
    return Outage(began_at, now) if now - began_at > shortest else None


async def _fall_silent(tx: Transaction, seen: datetime) -> None:
    """Note that the bot was there last at an instant, unless it was silent or away by then."""
    if await facts.get(tx, _SILENT_SINCE) is None:
        running = await _running_outage(tx, seen)
        since = seen if running is None else running.began_at
        await facts.put(tx, _SILENT_SINCE, since.isoformat())
