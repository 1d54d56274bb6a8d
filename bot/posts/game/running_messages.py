"""Running messages at Discord: claimed before they are sent, drawn as they stand, closed once."""

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.games.game.send_once import LEASE, NONCE_LASTS, nonce
from bot.leaderboards.game.calendars import deadline_of
from bot.outages import ALL, ShardRange
from bot.posts.game.running_content import RunningContent, read_content
from bot.posts.game.running_life import (
    BETWEEN_EDITS,
    Step,
    begun,
    closed,
    is_over,
    next_step,
    rested,
)
from bot.posts.model.running import RunningMessage
from bot.posts.store import running

log = logging.getLogger(__name__)

MOST_AT_ONCE: Final = 50
"""Messages looked at in one round."""

_ABSENT: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class RunningWork:
    """What is to be done about a message at Discord; nobody else is at it for a minute.

    Attributes:
        id: the message's own.
        message: the message as it is stored.
        step: what is to be done.
        content: what it is to show, where it is sent or edited.
        is_first: whether nothing of it can be at Discord from an earlier try.
    """

    id: int
    message: RunningMessage
    step: Step
    content: RunningContent | None = None
    is_first: bool = True

    @property
    def nonce(self) -> str:
        """What Discord tells a new copy from other messages by."""
        message = self.message
        return nonce("running", message.channel_id, message.puzzle, message.claimed_at)

    @property
    def target_id(self) -> int:
        """The message that is to be edited or deleted; 0 without any."""
        return self.message.message_id or 0


class RunningMessages:
    """Use cases of keeping running messages at Discord; each is one transaction.

    All that they know is stored.
    """

    def __init__(self, database: Database, clock: Clock, shards: ShardRange = ALL) -> None:
        self._database = database
        self._clock = clock
        self._shards = shards

    async def due(self) -> list[int]:
        """The messages to look at now, at most `MOST_AT_ONCE`."""
        async with self._database.reading() as tx:
            now = self._clock.now()
            return await running.agenda.find_due(tx, now, most=MOST_AT_ONCE, shards=self._shards)

    async def claim(self, running_id: int) -> RunningWork | None:
        """What is to be done about a message now; None for nothing, or somebody is at it.

        Whoever claims it has half a minute, and says what came of it. If that is never said, it
        is handed out again a minute later.
        """
        async with self._database.reading() as tx:
            known = await running.messages.get(tx, running_id)
        if known is None or not self._shards.serves(known.guild_id):
            return None  # the process that hears its server sees to it
        async with self._database.transaction(keys.server(known.guild_id)) as tx:
            return await _claim(tx, running_id, self._clock.now())

    async def is_not_there(self, work: RunningWork) -> RunningWork | None:
        """The bot has looked and not found the message: it may be sent as if it were new.

        None if nobody is in it any more.
        """
        async with self._database.transaction(keys.server(work.message.guild_id)) as tx:
            message = await _claimed(tx, work)
            if message is None:
                return None
            message = replace(message, claimed_at=None, tried_at=None)
            if not await running.count(tx, work.id):
                await running.drop(tx, work.id)
                return None
            message = begun(message, Step.POST, self._clock.now())
            await running.messages.put(tx, message, work.id)
            content = await read_content(tx, work.id, message)
        return RunningWork(work.id, message, Step.POST, content)

    async def posted(self, work: RunningWork, message_id: int, *, is_whole: bool = True) -> None:
        """Note the message; what was found, or sent twice, may show an older version."""
        is_new = is_whole and work.step is Step.POST and work.is_first
        shown = work.message.version if is_new else 0
        await self._note(work, message_id=message_id, claimed_at=None, shown=shown)
        log.info("results of %s in channel %d: posted", work.message.puzzle, _channel(work))

    async def shown(self, work: RunningWork, *, is_whole: bool = True) -> None:
        """Note that Discord shows what it was told; what lacks something is soon drawn again."""
        await self._note(work, **({"shown": work.message.version} if is_whole else {}))

    async def deleted(self, work: RunningWork) -> None:
        """Note that the bot has deleted it; who has entered meanwhile gets another."""
        async with self._database.transaction(keys.server(work.message.guild_id)) as tx:
            message = await _claimed(tx, work)
            if message is not None and await running.count(tx, work.id):
                message = replace(message, message_id=None, tried_at=None, shown=0)
                await running.messages.put(tx, rested(message, self._clock.now()), work.id)
            elif message is not None:
                await running.drop(tx, work.id)

    async def was_deleted(self, work: RunningWork) -> None:
        """Others have deleted it: it stays away for as long as its date lasts."""
        async with self._database.transaction(keys.server(work.message.guild_id)) as tx:
            message, now = await _claimed(tx, work), self._clock.now()
            if message is None:
                return
            message = replace(message, tried_at=None, deleted_at=now)
            await running.empty(tx, work.id)
            await running.messages.put(tx, rested(message, now), work.id)
        log.info("results of %s in channel %d: deleted", work.message.puzzle, _channel(work))

    async def refused(self, work: RunningWork) -> None:
        """The channel takes no message: the next share tries again.

        One that may be there from an earlier try is looked for before.
        """
        async with self._database.transaction(keys.server(work.message.guild_id)) as tx:
            if await _claimed(tx, work) is None:
                return
            if work.is_first:
                await running.drop(tx, work.id)
            else:
                await running.agenda.put_off(tx, work.id, self._clock.now() + NONCE_LASTS)
        log.warning("results of %s in channel %d: refused", work.message.puzzle, _channel(work))

    async def unreachable(self, work: RunningWork) -> None:
        """The bot may not see the channel: what is there stays until the next share, or later."""
        await self._note(work)
        async with self._database.transaction(keys.server(work.message.guild_id)) as tx:
            await running.agenda.put_off(tx, work.id, self._clock.now() + _ABSENT)

    async def _note(self, work: RunningWork, **changes: Any) -> None:
        """Note what came of some work."""
        async with self._database.transaction(keys.server(work.message.guild_id)) as tx:
            message = await _claimed(tx, work)
            if message is None:
                return
            message = replace(message, tried_at=None, **changes)
            await running.messages.put(tx, rested(message, self._clock.now()), work.id)


async def _claim(tx: Transaction, running_id: int, now: datetime) -> RunningWork | None:
    message = await running.messages.get(tx, running_id)
    if message is None:
        return None
    if message.tried_at is not None and now < message.tried_at + LEASE:
        await running.agenda.put_off(tx, running_id, message.tried_at + LEASE)
        return None
    message = await _with_its_date(tx, replace(message, tried_at=None), now)
    is_empty = not await running.count(tx, running_id)
    if is_over(message, now, is_empty=is_empty):
        await running.drop(tx, running_id)
        return None
    step = next_step(message, now, is_empty=is_empty)
    if step is Step.EDIT:
        drawn_at = await running.last_drawn(tx, message.channel_id)
        if drawn_at is not None and now < drawn_at + BETWEEN_EDITS:
            message = replace(message, look_at=drawn_at + BETWEEN_EDITS)
            await running.messages.put(tx, message, running_id)
            return None
    if step is None:
        await running.messages.put(tx, rested(message, now), running_id)
        return None
    is_first = message.claimed_at is None
    message = begun(message, step, now)
    await running.messages.put(tx, message, running_id)
    content = None
    if step in {Step.POST, Step.EDIT}:
        content = await read_content(tx, running_id, message)
    return RunningWork(running_id, message, step, content, is_first)


async def _claimed(tx: Transaction, work: RunningWork) -> RunningMessage | None:
    """The message as it is now; None if somebody else is at it by now, or it is forgotten."""
    message = await running.messages.get(tx, work.id)
    is_ours = message is not None and message.tried_at == work.message.tried_at
    return message if is_ours else None


async def _with_its_date(tx: Transaction, message: RunningMessage, now: datetime) -> RunningMessage:
    """A message that closes if its date has ended; a change of the zone may have put that off."""
    if message.closed_at is not None or now < message.closes_at:
        return message
    deadline = await deadline_of(tx, message.guild_id, message.puzzle.day)
    if deadline is not None and now < deadline.finished_before:
        return replace(message, closes_at=deadline.finished_before)
    return closed(message, now)


def _channel(work: RunningWork) -> int:
    return work.message.channel_id
