"""Reminders: a direct message before a streak ends, to who has asked for it, once a date."""

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.services.base.clock import Clock
from bot.services.base.send_once import LEASE, Step, next_step, nonce
from bot.services.focdle import streak_keeping
from bot.services.focdle.streak_keeping import Risk
from bot.storage.database import Database, Transaction
from bot.storage.focdle import reminders
from bot.storage.focdle.reminders import ReminderPlanRow, ReminderRow

log = logging.getLogger(__name__)

NOTICE: Final = timedelta(hours=2)
"""How long before the streak would end."""

MOST_AT_ONCE: Final = 20
"""Players looked at in one round."""

# Whoever plays, moves or changes zone is looked at again within this time.
_REST: Final = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class DueReminder:
    """A reminder that was claimed, to be sent at once.

    Attributes:
        player_id: to whom.
        risk: which streak ends when.
        step: whether to send it, or to look for it first.
        claimed_at: since when it may have been sent.
    """

    player_id: int
    risk: Risk
    step: Step
    claimed_at: datetime

    @property
    def nonce(self) -> str:
        """What Discord tells it from other messages by."""
        return nonce("reminder", self.player_id, self.risk.day)


class Reminders:
    """Use cases of reminders; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def due(self) -> list[int]:
        """The players to look at now, at most `MOST_AT_ONCE`."""
        async with self._database.transaction() as tx:
            return await reminders.find_due(tx, self._clock.now(), most=MOST_AT_ONCE)

    async def claim(self, player_id: int) -> DueReminder | None:
        """Claim the reminder that is due to a player; None if none is, or if it is another's."""
        async with self._database.transaction() as tx:
            now = self._clock.now()
            plan = await reminders.get_plan(tx, player_id)
            if plan is None or plan.look_at is None or now < plan.look_at:
                return None
            risk = await streak_keeping.at_risk(tx, player_id, now)
            if risk is None or now < risk.ends_at - NOTICE:
                remind_at = now + _REST if risk is None else risk.ends_at - NOTICE
                await reminders.put_off(tx, player_id, min(remind_at, now + _REST))
                return None
            row = await reminders.get(tx, player_id, risk.day)
            step = next_step(row, now)
            # Once its date has ended, the streak is no longer to be saved.
            if step is None or now >= risk.ends_at:
                leased = row is not None and row.outcome is None and now < risk.ends_at
                look_at = row.tried_at + LEASE if row and leased else now + _REST
                await reminders.put_off(tx, player_id, look_at)
                return None
            claimed_at = now if row is None or row.outcome else row.claimed_at
            attempts = 1 if row is None else row.attempts + 1
            row = ReminderRow(claimed_at, now, attempts)
            await reminders.put(tx, player_id, risk.day, row)
            await reminders.put_off(tx, player_id, now + LEASE)
        log.info("reminder of %s: claimed, to %s", risk.day, step.value)
        return DueReminder(player_id, risk, step, claimed_at)

    async def is_not_there(self, due: DueReminder) -> DueReminder:
        """The bot has looked and not found it: it may be sent as if it were new."""
        async with self._database.transaction() as tx:
            now = self._clock.now()
            row = await self._read(tx, due)
            row = replace(row, claimed_at=now, tried_at=now)
            await reminders.put(tx, due.player_id, due.risk.day, row)
            await reminders.put_off(tx, due.player_id, now + LEASE)
        return replace(due, step=Step.SEND, claimed_at=now)

    async def sent(self, due: DueReminder, message_id: int) -> None:
        """Note the message; with it the reminder is done."""
        async with self._database.transaction() as tx:
            row = replace(await self._read(tx, due), outcome="sent", message_id=message_id)
            await reminders.put(tx, due.player_id, due.risk.day, row)
            await reminders.put_off(tx, due.player_id, self._clock.now() + _REST)
        log.info("reminder of %s: sent", due.risk.day)

    async def refused(self, due: DueReminder) -> None:
        """The player takes no messages from the bot: no more reminders, until asked for again."""
        async with self._database.transaction() as tx:
            row = replace(await self._read(tx, due), outcome="refused")
            await reminders.put(tx, due.player_id, due.risk.day, row)
            plan = ReminderPlanRow(look_at=None, refused_at=self._clock.now())
            await reminders.put_plan(tx, due.player_id, plan)
        log.info("reminder of %s: refused, switched off", due.risk.day)

    async def _read(self, tx: Transaction, due: DueReminder) -> ReminderRow:
        row = await reminders.get(tx, due.player_id, due.risk.day)
        if row is None:
            raise RuntimeError("only what was claimed can be sent")
        return row
