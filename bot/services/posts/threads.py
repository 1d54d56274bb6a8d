"""Finishers' threads: one a date and server, private, for who has finished the puzzle there."""

import logging
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from bot.services.clock import Clock
from bot.services.errors import ThreadClosedError, ThreadNotForYouError
from bot.services.places import length_on
from bot.services.play import PuzzleName, day_of, number_of
from bot.services.posts.claims import LEASE
from bot.services.posts.planning import read_choice, timetable
from bot.storage import finishers, places, plays, preferences
from bot.storage.database import Database, Transaction

log = logging.getLogger(__name__)

OPEN_DAYS: Final = 3
"""So long a thread is open."""

_OPEN: Final = timedelta(days=OPEN_DAYS)
_MOST_AT_ONCE: Final = 20


@dataclass(frozen=True, slots=True)
class ThreadWork:
    """What is to be done for a date's thread.

    Attributes:
        guild_id: the server.
        day: the date.
        channel_id: the channel that the thread belongs to.
        thread_id: the thread; None if it is to be made.
        is_perhaps_there: whether an earlier attempt may have made it.
        player_ids: who is to be added.
    """

    guild_id: int
    day: date
    channel_id: int
    thread_id: int | None
    is_perhaps_there: bool
    player_ids: tuple[int, ...]

    @property
    def number(self) -> int:
        """The number of the date's puzzle."""
        return number_of(self.day)


@dataclass(frozen=True, slots=True)
class DueThread:
    """A thread that is to be closed; `thread_id` is None if it was never made."""

    guild_id: int
    day: date
    thread_id: int | None


class FinishersThreads:
    """Use cases around finishers' threads; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def join(self, player_id: int, guild_id: int, number: int) -> None:
        """Ask to be added to the thread of a puzzle, which was finished wherever.

        Raises:
            ThreadClosedError: the thread is closed, or there is none.
            ThreadNotForYouError: the player has not finished it at the server's length.
        """
        async with self._database.transaction() as tx:
            now, day = self._clock.now(), day_of(number)
            if not await _is_open(tx, guild_id, day, now):
                raise ThreadClosedError(number)
            length = length_on(await places.get_lengths(tx, guild_id), day)
            outcomes = await plays.outcomes(tx, player_id, [number], length)
            if outcomes.get(number) is None:
                raise ThreadNotForYouError(number)
            await finishers.ask(tx, guild_id, day, player_id, asked_at=now)
            await finishers.ask_again(tx, guild_id, day, player_id)

    async def waiting(self) -> list[tuple[int, date]]:
        """Servers and dates whose threads somebody waits to be added to."""
        async with self._database.transaction() as tx:
            return await finishers.waiting(tx, most=_MOST_AT_ONCE)

    async def claim(self, guild_id: int, day: date) -> ThreadWork | None:
        """What is to be done for a date's thread now; None for nothing."""
        async with self._database.transaction() as tx:
            now = self._clock.now()
            choice = await read_choice(tx, guild_id)
            if choice.channel_id is None or not await _is_open(tx, guild_id, day, now):
                await finishers.forget(tx, guild_id, day)
                return None
            players = await finishers.waiting_for(tx, guild_id, day, most=_MOST_AT_ONCE)
            row = await finishers.get_thread(tx, guild_id, day)
            if not players:
                return None
            if row is None:
                await finishers.add_thread(
                    tx,
                    guild_id,
                    day,
                    channel_id=choice.channel_id,
                    claimed_at=now,
                    closes_at=now + _OPEN,
                )
            elif row.thread_id is None:
                if now < row.claimed_at + LEASE:
                    return None
                await finishers.change_thread(tx, guild_id, day, claimed_at=now)
            return ThreadWork(
                guild_id,
                day,
                choice.channel_id if row is None else row.channel_id,
                row and row.thread_id,
                is_perhaps_there=row is not None,
                player_ids=tuple(players),
            )

    async def find(self, guild_id: int, number: int) -> int | None:
        """The thread of a puzzle, if it has been made and is open."""
        async with self._database.transaction() as tx:
            row = await finishers.get_thread(tx, guild_id, day_of(number))
        return None if row is None or row.closed_at else row.thread_id

    async def made(self, work: ThreadWork, thread_id: int) -> None:
        """Note the thread that Discord has made."""
        async with self._database.transaction() as tx:
            await finishers.change_thread(tx, work.guild_id, work.day, thread_id=thread_id)
        log.info("finishers' thread of %s in server %d: made", work.day, work.guild_id)

    async def still_waits(self, work: ThreadWork, player_id: int) -> bool:
        """Whether a player is to be added even now: they may have hidden or gone since."""
        async with self._database.transaction() as tx:
            return await finishers.waits(tx, work.guild_id, work.day, player_id)

    async def added(self, work: ThreadWork, player_id: int) -> None:
        """Note that a player is in the thread, or cannot be added to it."""
        async with self._database.transaction() as tx:
            now = self._clock.now()
            await finishers.added(tx, work.guild_id, work.day, player_id, added_at=now)

    async def to_close(self) -> list[DueThread]:
        """Threads whose three days are over."""
        async with self._database.transaction() as tx:
            rows = await finishers.threads_to_close(tx, self._clock.now(), most=_MOST_AT_ONCE)
        return [DueThread(row.guild_id, row.day, row.thread_id) for row in rows]

    async def closed(self, guild_id: int, day: date) -> None:
        """A thread is closed, was deleted or cannot be had: it is not opened again."""
        async with self._database.transaction() as tx:
            now = self._clock.now()
            await finishers.change_thread(tx, guild_id, day, closed_at=now)
            await finishers.forget(tx, guild_id, day)
        log.info("finishers' thread of %s in server %d: closed", day, guild_id)

    async def was_deleted(self, guild_id: int, thread_id: int) -> None:
        """Somebody has deleted a thread, which may be one of these."""
        async with self._database.transaction() as tx:
            day = await finishers.find_thread(tx, thread_id, guild_id)
        if day is not None:
            await self.closed(guild_id, day)


async def note_finisher(
    tx: Transaction, player_id: int, guild_id: int | None, puzzle: PuzzleName, now: datetime
) -> None:
    """A player has finished a daily in a server: if it has a thread, they belong into it.

    All in it see who is added, so players who are hidden are not; they may join by themselves.
    """
    if guild_id is None or not await _is_open(tx, guild_id, puzzle.day, now):
        return
    if await preferences.is_hidden(tx, player_id):
        return
    if puzzle.length == length_on(await places.get_lengths(tx, guild_id), puzzle.day):
        await finishers.ask(tx, guild_id, puzzle.day, player_id, asked_at=now)


async def _is_open(tx: Transaction, guild_id: int, day: date, now: datetime) -> bool:
    """Whether a date's thread is open in a server, or would be with its first finisher."""
    choice = await read_choice(tx, guild_id)
    if not choice.finishers_threads or choice.channel_id is None:
        return False
    row = await finishers.get_thread(tx, guild_id, day)
    if row is not None:
        return row.closed_at is None
    today = (await timetable(tx, guild_id, now)).today(now)
    return today - day < _OPEN
