"""Reminders: a direct message before a streak ends, to who has asked for it, once a date."""

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.focdle.game import streak_keeping
from bot.focdle.game.streak_keeping import Risk
from bot.games.game.send_once import LEASE, Step, next_step, nonce
from bot.games.model.claims import Claim
from bot.posts.model.posts import ReminderPlan
from bot.posts.store import reminders

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


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of asking for reminders.

    Attributes:
        next_at: when the first one comes, unless its date is solved by then; None while a freeze
            keeps the streak, or there is none.
        was_refused: whether Discord did not deliver the last one.
    """

    next_at: datetime | None
    was_refused: bool


class Reminders:
    """Use cases of reminders; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def ask(self, player_id: int) -> Asked:
        """Remind a player from now on; asked for twice, it is as if once."""
        async with self._database.transaction(keys.player(player_id)) as tx:
            now = self._clock.now()
            before = await reminders.plans.get(tx, player_id)
            await reminders.plans.put(tx, ReminderPlan(look_at=now), player_id)
            risk = await streak_keeping.at_risk(tx, player_id, now)
        was_refused = before is not None and before.refused_at is not None
        return Asked(None if risk is None else risk.ends_at - NOTICE, was_refused)

    async def due(self) -> list[int]:
        """The players to look at now, at most `MOST_AT_ONCE`."""
        async with self._database.reading() as tx:
            return await reminders.agenda.find_due(tx, self._clock.now(), most=MOST_AT_ONCE)

    async def claim(self, player_id: int) -> DueReminder | None:
        """Claim the reminder that is due to a player; None if none is, or if it is another's."""
        async with self._database.transaction(keys.player(player_id)) as tx:
            now = self._clock.now()
            plan = await reminders.plans.get(tx, player_id)
            if plan is None or plan.look_at is None or now < plan.look_at:
                return None
            risk = await streak_keeping.at_risk(tx, player_id, now)
            if risk is None or now < risk.ends_at - NOTICE:
                remind_at = now + _REST if risk is None else risk.ends_at - NOTICE
                await reminders.agenda.put_off(tx, player_id, min(remind_at, now + _REST))
                return None
            before = await reminders.claims.get(tx, player_id, risk.day)
            step = next_step(before, now)
            # Once its date has ended, the streak is no longer to be saved.
            if step is None or now >= risk.ends_at:
                leased = before is not None and before.outcome is None and now < risk.ends_at
                look_at = before.tried_at + LEASE if before and leased else now + _REST
                await reminders.agenda.put_off(tx, player_id, look_at)
                return None
            claimed_at = now if before is None or before.outcome else before.claimed_at
            attempts = 1 if before is None else before.attempts + 1
            claim = Claim(claimed_at, now, attempts)
            await reminders.claims.put(tx, claim, player_id, risk.day)
            await reminders.agenda.put_off(tx, player_id, now + LEASE)
        log.info("reminder of %s: claimed, to %s", risk.day, step.value)
        return DueReminder(player_id, risk, step, claimed_at)

    async def is_not_there(self, due: DueReminder) -> DueReminder:
        """The bot has looked and not found it: it may be sent as if it were new."""
        async with self._database.transaction(keys.player(due.player_id)) as tx:
            now = self._clock.now()
            claim = replace(await self._read(tx, due), claimed_at=now, tried_at=now)
            await reminders.claims.put(tx, claim, due.player_id, due.risk.day)
            await reminders.agenda.put_off(tx, due.player_id, now + LEASE)
        return replace(due, step=Step.SEND, claimed_at=now)

    async def sent(self, due: DueReminder, message_id: int) -> None:
        """Note the message; with it the reminder is done."""
        async with self._database.transaction(keys.player(due.player_id)) as tx:
            claim = replace(await self._read(tx, due), outcome="sent", message_id=message_id)
            await reminders.claims.put(tx, claim, due.player_id, due.risk.day)
            await reminders.agenda.put_off(tx, due.player_id, self._clock.now() + _REST)
        log.info("reminder of %s: sent", due.risk.day)

    async def refused(self, due: DueReminder) -> None:
        """The player takes no messages from the bot: no more reminders, until asked for again."""
        async with self._database.transaction(keys.player(due.player_id)) as tx:
            claim = replace(await self._read(tx, due), outcome="refused")
            await reminders.claims.put(tx, claim, due.player_id, due.risk.day)
            plan = ReminderPlan(look_at=None, refused_at=self._clock.now())
            await reminders.plans.put(tx, plan, due.player_id)
        log.info("reminder of %s: refused, switched off", due.risk.day)

    async def _read(self, tx: Transaction, due: DueReminder) -> Claim:
        claim = await reminders.claims.get(tx, due.player_id, due.risk.day)
        if claim is None:
            raise RuntimeError("only what was claimed can be sent")
        return claim
