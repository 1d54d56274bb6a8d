"""Finishers' threads: private, for players who have finished the puzzle."""

import logging
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final

from bot.clock import Clock, PuzzleName, day_of, number_of
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.focdle import store as focdle_store
from bot.games.game import LEASE
from bot.moderation import store as moderation_store
from bot.outages import ShardRange
from bot.people import store as people_store
from bot.people.game import length_on
from bot.posts import store
from bot.posts.model import (
    DueThread,
    Finisher,
    FinishersThread,
    FinishersThreadClosedError,
    ThreadNotForYouError,
    ThreadUnjoinableError,
)
from bot.posts.plans import read_choice, timetable

log = logging.getLogger(__name__)

OPEN_DAYS: Final = 3
"""The number of days for which a thread is open."""

_OPEN: Final = timedelta(days=OPEN_DAYS)
_ABSENT: Final = timedelta(minutes=10)
_REST: Final = timedelta(hours=1)
"""The wait until closing a thread is tried again after a failure."""
_MOST_AT_ONCE: Final = 20


@dataclass(frozen=True, slots=True)
class ThreadWork:
    """Pending work on a date's thread.

    Attributes:
        channel_id: the channel that the thread is in, or is to be made in.
        thread_id: the thread; None if it must be made.
        is_perhaps_there: an earlier attempt may have made it.
        player_ids: the players to add.
    """

    guild_id: int
    day: date
    channel_id: int
    thread_id: int | None
    is_perhaps_there: bool
    player_ids: tuple[int, ...]

    @property
    def number(self) -> int:
        return number_of(self.day)


class FinishersThreads:
    """Use cases of finishers' threads."""

    def __init__(self, database: Database, clock: Clock, shards: ShardRange) -> None:
        self._database = database
        self._clock = clock
        self._shards = shards

    async def join(self, player_id: int, guild_id: int, number: int) -> None:
        """Queue a player to be added to the thread of a daily that they have finished.

        Raises:
            FinishersThreadClosedError: the thread has closed, or the server wants none.
            ThreadNotForYouError: the player has not finished the server's daily.
        """

        def body(tx: Transaction) -> None:
            now, day = self._clock.now(), day_of(number)
            thread = _open_thread(tx, guild_id, day, now)
            if thread is None:
                raise FinishersThreadClosedError(number=number)
            length = length_on(people_store.get_lengths(tx, guild_id), day)
            outcomes = focdle_store.outcomes(tx, player_id, [number], length)
            if outcomes.get(number) is None:
                raise ThreadNotForYouError(number=number)
            _ask(tx, thread, player_id, now, again=True)

        await self._database.write(body, keys.server(guild_id))

    async def waiting(self) -> list[tuple[int, date]]:
        """List servers and dates whose threads have players to add now."""
        return await self._database.read(
            lambda tx: store.threads_to_fill(
                tx, self._clock.now(), self._shards, most=_MOST_AT_ONCE
            )
        )

    async def put_off(self, guild_id: int, day: date, *, is_known: bool) -> None:
        """Put a thread's work off: the bot is not in the server, or cannot see it now.

        Without `is_known`, it is a minute until the bot looks whether it is in the server.
        """
        rest = _ABSENT if is_known else LEASE
        await self._database.write(
            lambda tx: store.change_thread(tx, guild_id, day, look_at=self._clock.now() + rest),
            keys.server(guild_id),
        )

    async def claim(self, guild_id: int, day: date) -> ThreadWork | None:
        """Claim a thread's pending work; None if there is none, or the thread is being made.

        Work that is not marked as `served` is due again in a minute.
        """

        def body(tx: Transaction) -> ThreadWork | None:
            now = self._clock.now()
            thread = _open_thread(tx, guild_id, day, now)
            if thread is None:
                store.drop_finishers(tx, guild_id, day)
                return None
            players = store.waiting_finishers(tx, guild_id, day, most=_MOST_AT_ONCE)
            if thread.row is None or not players:
                store.change_thread(tx, guild_id, day, look_at=None)
                return None
            claimed_at, thread_id = thread.row.claimed_at, thread.row.thread_id
            claim: dict[str, object] = {"look_at": now + LEASE}
            is_claimed = claimed_at is not None and now < claimed_at + LEASE
            if thread_id is None and not is_claimed:
                claim |= {"claimed_at": now, "channel_id": thread.channel_id}
            store.change_thread(tx, guild_id, day, **claim)
            if thread_id is None and is_claimed:
                return None
            return ThreadWork(
                guild_id,
                day,
                thread.channel_id,
                thread_id,
                is_perhaps_there=claimed_at is not None,
                player_ids=tuple(players),
            )

        return await self._database.write(body, keys.server(guild_id))

    async def served(self, work: ThreadWork) -> None:
        """Note that a thread's work is done; it is due again at once if more players wait."""

        def body(tx: Transaction) -> None:
            others = store.waiting_finishers(tx, work.guild_id, work.day, most=1)
            look_at = self._clock.now() if others else None
            store.change_thread(tx, work.guild_id, work.day, look_at=look_at)

        await self._database.write(body, keys.server(work.guild_id))

    async def find(self, player_id: int, guild_id: int, number: int) -> int | None:
        """Find the id of the thread that a player has asked to join; None until they are in it.

        Raises:
            FinishersThreadClosedError: the thread has closed, or could not be made.
            ThreadUnjoinableError: the player could not be added.
        """

        def body(tx: Transaction) -> int | None:
            day = day_of(number)
            thread = store.threads.get(tx, guild_id, day)
            if thread is None or thread.closed_at is not None:
                raise FinishersThreadClosedError(number=number)
            finisher = store.thread_finishers.get(tx, guild_id, day, player_id)
            if finisher is None:
                raise ThreadUnjoinableError(number=number)
            return None if finisher.added_at is None else thread.thread_id

        return await self._database.read(body)

    async def made(self, work: ThreadWork, thread_id: int) -> None:
        await self._database.write(
            lambda tx: store.change_thread(tx, work.guild_id, work.day, thread_id=thread_id),
            keys.server(work.guild_id),
        )
        log.info("finishers' thread of %s in server %d: made", work.day, work.guild_id)

    async def still_waits(self, work: ThreadWork, player_id: int) -> bool:
        """Return true if a player is still to be added: they may have hidden or left meanwhile."""
        key = (work.guild_id, work.day, player_id)
        found = await self._database.read(lambda tx: store.thread_finishers.get(tx, *key))
        return found is not None and found.added_at is None

    async def added(self, work: ThreadWork, player_id: int) -> None:
        def body(tx: Transaction) -> None:
            key = (work.guild_id, work.day, player_id)
            finisher = store.thread_finishers.get(tx, *key)
            if finisher is not None:  # they have not hidden or left meanwhile
                store.thread_finishers.put(tx, replace(finisher, added_at=self._clock.now()), *key)

        await self._database.write(body, keys.server(work.guild_id))

    async def refused(self, work: ThreadWork, player_id: int) -> None:
        """Note that a player cannot be added, which ends their waiting; they can ask again."""
        await self._database.write(
            lambda tx: store.thread_finishers.drop(tx, work.guild_id, work.day, player_id),
            keys.server(work.guild_id),
        )

    async def to_close(self) -> list[DueThread]:
        return await self._database.read(
            lambda tx: store.threads_to_close(
                tx, self._clock.now(), self._shards, most=_MOST_AT_ONCE
            )
        )

    async def claim_closing(self, due: DueThread) -> bool:
        """Claim the closing of a thread; false if it is not due. A failed one is due in an hour.

        A thread that has been closed is forgotten: its date is too old for another.
        """

        def body(tx: Transaction) -> bool:
            now = self._clock.now()
            thread = store.threads.get(tx, due.guild_id, due.day)
            if thread is None or thread.closes_at > now:
                return False
            if thread.closed_at is not None:
                store.threads.drop(tx, due.guild_id, due.day)
                return False
            store.change_thread(tx, due.guild_id, due.day, closes_at=now + _REST)
            return True

        return await self._database.write(body, keys.server(due.guild_id))

    async def closed(self, guild_id: int, day: date) -> None:
        """Note that a thread is closed, deleted or out of reach; nobody is added to it any more."""

        def body(tx: Transaction) -> None:
            store.change_thread(tx, guild_id, day, closed_at=self._clock.now())
            store.drop_finishers(tx, guild_id, day)

        await self._database.write(body, keys.server(guild_id))
        log.info("finishers' thread of %s in server %d: closed", day, guild_id)

    async def was_deleted(self, guild_id: int, thread_id: int) -> None:
        """Note that a thread at Discord was deleted, if it is a finishers' thread of the server."""
        day = await self._database.read(lambda tx: store.find_thread(tx, thread_id, guild_id))
        if day is not None:
            await self.closed(guild_id, day)


def note_finisher(
    tx: Transaction, player_id: int, guild_id: int, puzzle: PuzzleName, now: datetime
) -> None:
    """Queue a player who has finished the server's daily of a date for its thread, if that is open.

    Everybody in the thread sees who is added. So players who are hidden, or taken off the
    leaderboards, are not queued, but can join by themselves.
    """
    thread = _open_thread(tx, guild_id, puzzle.day, now)
    if thread is None or moderation_store.leaves_unnamed(tx, guild_id, player_id):
        return
    if puzzle.length == length_on(people_store.get_lengths(tx, guild_id), puzzle.day):
        _ask(tx, thread, player_id, now)


@dataclass(frozen=True, slots=True)
class _OpenThread:
    """A date's open thread; `row` is None before the first finisher."""

    guild_id: int
    day: date
    channel_id: int
    row: FinishersThread | None


def _open_thread(tx: Transaction, guild_id: int, day: date, now: datetime) -> _OpenThread | None:
    """Find a date's open thread, perhaps still to be made; None if it is closed or not wanted.

    While a manager has turned the daily post off, no other is made.
    """
    choice = read_choice(tx, guild_id)
    if not choice.finishers_threads or choice.channel_id is None:
        return None
    row = store.threads.get(tx, guild_id, day)
    channel_id = choice.channel_id
    if row is None:
        plan = store.plans_of_posts.get(tx, guild_id)
        is_off = plan is not None and plan.is_turned_off
        is_open = not is_off and timetable(tx, guild_id, now).today(now) - day < _OPEN
    else:
        is_open = row.closed_at is None
        if row.claimed_at is not None:  # an attempt may have made it
            channel_id = row.channel_id
    return _OpenThread(guild_id, day, channel_id, row) if is_open else None


def _ask(
    tx: Transaction, thread: _OpenThread, player_id: int, now: datetime, *, again: bool = False
) -> None:
    """Queue a player to be added; with `again`, even one who was added and may have left."""
    key = (thread.guild_id, thread.day, player_id)
    if again or store.thread_finishers.get(tx, *key) is None:
        store.thread_finishers.put(tx, Finisher(asked_at=now), *key)
    if thread.row is None:
        new = FinishersThread(thread.channel_id, closes_at=now + _OPEN, look_at=now)
        store.threads.add(tx, new, thread.guild_id, thread.day)
    elif thread.row.look_at is None:
        store.change_thread(tx, thread.guild_id, thread.day, look_at=now)
