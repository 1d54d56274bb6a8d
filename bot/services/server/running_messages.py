"""Running messages at Discord: claimed before they are sent, drawn as they stand, closed once."""

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from bot.model.outages import ALL, ShardRange
from bot.model.running import RunningMessage
from bot.services.base.clock import Clock
from bot.services.base.send_once import LEASE, nonce
from bot.services.server.running_content import RunningContent, read_content
from bot.services.server.running_life import (
    BETWEEN_EDITS,
    KEPT,
    Step,
    begun,
    closed,
    next_step,
    rested,
)
from bot.services.standings.calendars import deadline_of
from bot.storage import keys
from bot.storage.database import Database, Transaction
from bot.storage.server import running

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
        found = self.message.message_id
        if self.step is Step.DELETE and self.message.outdated_id is not None:
            found = self.message.outdated_id
        return found or 0


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
            now = self._clock.now()
            message = replace(await _read(tx, work.id), claimed_at=None, tried_at=None)
            if not await running.count(tx, work.id):
                message = rested(replace(message, is_wanted=False), now)
                await running.messages.put(tx, message, work.id)
                return None
            message = begun(message, Step.POST, now)
            await running.messages.put(tx, message, work.id)
            content = await read_content(tx, work.id, message)
        return RunningWork(work.id, message, Step.POST, content)

    async def posted(self, work: RunningWork, message_id: int) -> None:
        """Note the message; what was found, or sent twice, may show an older version."""
        is_new = work.step is Step.POST and work.is_first
        await self._note(
            work,
            is_seen=True,
            message_id=message_id,
            posted_at=work.message.claimed_at,
            claimed_at=None,
            shown=work.message.version if is_new else 0,
        )
        log.info("results of %s in channel %d: posted", work.message.puzzle, _channel(work))

    async def shown(self, work: RunningWork) -> None:
        """Note that Discord shows what it was told."""
        await self._note(work, is_seen=True, shown=work.message.version)

    async def deleted(self, work: RunningWork) -> None:
        """Note that a copy is gone."""
        if work.message.outdated_id is not None:
            await self._note(work, outdated_id=None)
        else:
            await self._note(work, message_id=None, is_wanted=False)

    async def lost(self, work: RunningWork, *, is_gone: bool) -> None:
        """The message is not to be had: it is posted anew with the next share.

        Args:
            work: the edit that was refused.
            is_gone: whether it was deleted; else it can be once there is another.
        """
        outdated_id = None if is_gone else work.message.message_id
        await self._note(work, message_id=None, outdated_id=outdated_id, drawn_at=None)
        log.info("results of %s in channel %d: lost", work.message.puzzle, _channel(work))

    async def refused(self, work: RunningWork) -> None:
        """The channel takes no new copy: an older one stays, and the next share tries again."""
        older_id = work.message.outdated_id
        await self._note(
            work, claimed_at=None, is_wanted=False, message_id=older_id, outdated_id=None
        )
        log.warning("results of %s in channel %d: refused", work.message.puzzle, _channel(work))

    async def unreachable(self, work: RunningWork) -> None:
        """The bot may not see the channel: what is there stays until the next share, or later."""
        await self._note(work)
        async with self._database.transaction(keys.server(work.message.guild_id)) as tx:
            await running.agenda.put_off(tx, work.id, self._clock.now() + _ABSENT)

    async def _note(self, work: RunningWork, *, is_seen: bool = False, **changes: Any) -> None:
        """Note what came of some work, and look at what has changed meanwhile.

        Args:
            work: what was to be done.
            is_seen: whether all who had entered before it can be seen now.
            changes: of the message.
        """
        async with self._database.transaction(keys.server(work.message.guild_id)) as tx:
            message = await running.messages.get(tx, work.id)
            if message is None or message.tried_at != work.message.tried_at:
                return  # somebody else is at it by now
            if is_seen and message.version == work.message.version:
                message = replace(message, is_wanted=False)
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
    if message.closed_at is not None and now >= message.closed_at + KEPT:
        await running.drop(tx, running_id)
        return None
    is_empty = not await running.count(tx, running_id)
    step = next_step(message, now, is_empty=is_empty)
    again_at = await _too_soon(tx, message, step)
    if again_at is not None and now < again_at:
        await running.messages.put(tx, replace(message, look_at=again_at), running_id)
        return None
    if step is None:
        message = replace(message, is_wanted=message.is_wanted and not is_empty)
        await running.messages.put(tx, rested(message, now), running_id)
        return None
    is_first = message.claimed_at is None
    message = begun(message, step, now)
    await running.messages.put(tx, message, running_id)
    content = None
    if step in {Step.POST, Step.EDIT}:
        content = await read_content(tx, running_id, message)
    return RunningWork(running_id, message, step, content, is_first)


async def _read(tx: Transaction, running_id: int) -> RunningMessage:
    message = await running.messages.get(tx, running_id)
    if message is None:
        raise RuntimeError("only a message that is stored can be changed")
    return message


async def _with_its_date(tx: Transaction, message: RunningMessage, now: datetime) -> RunningMessage:
    """A message that closes if its date has ended; a change of the zone may have put that off."""
    if message.closed_at is not None or now < message.closes_at:
        return message
    deadline = await deadline_of(tx, message.guild_id, message.puzzle.day)
    if deadline is not None and now < deadline.finished_before:
        return replace(message, closes_at=deadline.finished_before)
    return closed(message, now)


async def _too_soon(tx: Transaction, message: RunningMessage, step: Step | None) -> datetime | None:
    """Until when a step has to wait for the one before; None if it need not."""
    drawn_at = None
    if step is Step.EDIT:
        drawn_at = await running.last_drawn(tx, message.channel_id)
    elif step is Step.POST:  # what was just refused is likely to be so again
        drawn_at = message.drawn_at
    return None if drawn_at is None else drawn_at + BETWEEN_EDITS


def _channel(work: RunningWork) -> int:
    return work.message.channel_id
