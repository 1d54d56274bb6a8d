"""Daily posts and reminders: due, claimed, sent."""

import logging
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final

from bot.clock import Clock, PuzzleName, number_of
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.focdle import streak_keeping
from bot.focdle.streak_keeping import Risk
from bot.games.game import LEASE, Step, next_step, nonce
from bot.games.model import Claim
from bot.outages import ShardRange
from bot.people import store as people_store
from bot.people.game import length_on
from bot.posts import store
from bot.posts.model import PostChoices, PostClaim, PostPlan, ReminderPlan
from bot.posts.plans import DAILY, plan_next, read_choice, timetable

log = logging.getLogger(__name__)

MOST_REFUSALS: Final = 3
"""Consecutive refusals that switch the posts off."""

MOST_AT_ONCE: Final = 20
"""The most servers or players in one pass, so that no flood follows an outage."""

_REST: Final = timedelta(minutes=10)
"""The wait after a refusal, in which a manager can mend the channel's permissions."""
_ABSENT: Final = timedelta(hours=1)
_REFUSED: Final = "refused"


@dataclass(frozen=True, slots=True)
class DuePost:
    """A claimed daily post, to be sent at once.

    Attributes:
        day: the post's date, today in that server.
        last_day: the date of the last post before it; None without any.
        step: whether to send the post, or to look for it first.
        claimed_at: the time since which the post may have been sent.
    """

    guild_id: int
    channel_id: int
    day: date
    puzzle: PuzzleName
    role_id: int | None
    finishers_threads: bool
    last_day: date | None
    step: Step
    claimed_at: datetime

    @property
    def nonce(self) -> str:
        """The nonce by which Discord recognises the post if it is sent again."""
        return nonce(self.guild_id, self.day, DAILY)


class PostBook:
    """Use cases of daily posts; each is one transaction."""

    def __init__(self, database: Database, clock: Clock, shards: ShardRange) -> None:
        self._database = database
        self._clock = clock
        self._shards = shards

    async def due(self) -> list[int]:
        """List the servers with a due post, at most `MOST_AT_ONCE`."""
        return await self._database.read(
            lambda tx: store.posts_due.find_due(
                tx, self._clock.now(), most=MOST_AT_ONCE, shards=self._shards
            )
        )

    async def claim(self, guild_id: int) -> DuePost | None:
        """Claim a server's due post; None if none is due, or if another process may be sending it.

        Only today's post is ever due: one that an outage prevented is not sent on another date.
        """

        def body(tx: Transaction) -> DuePost | None:
            now = self._clock.now()
            plan = store.plans_of_posts.get(tx, guild_id)
            choice = read_choice(tx, guild_id)
            if plan is None or plan.post_at is None or now < plan.post_at:
                return None
            day = timetable(tx, guild_id, plan.since).due(now)
            before = None if day is None else store.claims_of_posts.get(tx, guild_id, day, DAILY)
            step = next_step(before, now)
            if day is None or step is None or choice.channel_id is None:
                plan_next(tx, guild_id, now)
                return None
            claimed = _claimed(before, choice.channel_id, now)
            store.claims_of_posts.put(tx, claimed, guild_id, day, DAILY)
            store.posts_due.put_off(tx, guild_id, now + LEASE)
            return replace(
                _post_of(tx, guild_id, day, choice, now),
                channel_id=claimed.channel_id,
                step=step,
                claimed_at=claimed.claimed_at,
            )

        due = await self._database.write(body, keys.server(guild_id))
        if due is not None:
            log.info("post of %s in server %d: claimed, to %s", due.day, guild_id, due.step.value)
        return due

    async def claim_early(self, guild_id: int, channel_id: int) -> DuePost | None:
        """Claim today's post for a channel before its hour; None if it was claimed before."""

        def body(tx: Transaction) -> DuePost | None:
            now = self._clock.now()
            day = timetable(tx, guild_id, now).today(now)
            if store.claims_of_posts.get(tx, guild_id, day, DAILY) is not None:
                return None
            claim = _claimed(None, channel_id, now)
            store.claims_of_posts.put(tx, claim, guild_id, day, DAILY)
            post = _post_of(tx, guild_id, day, read_choice(tx, guild_id), now)
            return replace(post, channel_id=channel_id)

        return await self._database.write(body, keys.server(guild_id))

    async def preview(self, guild_id: int) -> DuePost:
        """Build today's post without claiming it; without a channel, its `channel_id` is 0."""

        def body(tx: Transaction) -> DuePost:
            now = self._clock.now()
            day = timetable(tx, guild_id, now).today(now)
            return _post_of(tx, guild_id, day, read_choice(tx, guild_id), now)

        return await self._database.read(body)

    async def not_found(self, due: DuePost) -> DuePost:
        """Note that the post was not found in the channel; return it as one to send."""

        def body(tx: Transaction) -> DuePost:
            now = self._clock.now()
            claim = replace(self._read(tx, due), claimed_at=now, tried_at=now)
            store.claims_of_posts.put(tx, claim, due.guild_id, due.day, DAILY)
            store.posts_due.put_off(tx, due.guild_id, now + LEASE)
            return replace(due, step=Step.SEND, claimed_at=now)

        return await self._database.write(body, keys.server(due.guild_id))

    async def sent(self, due: DuePost, message_id: int) -> None:
        """Note the id of the sent post, forget refusals, and plan the next post."""

        def body(tx: Transaction) -> None:
            self._settle(tx, due, "sent", message_id)
            plan = store.plans_of_posts.get(tx, due.guild_id)
            if plan is not None and plan.off_at is None:
                plan = replace(plan, refusals=0, problem=None)
                store.plans_of_posts.put(tx, plan, due.guild_id)
            plan_next(tx, due.guild_id, self._clock.now())

        await self._database.write(body, keys.server(due.guild_id))
        log.info("post of %s in server %d: sent", due.day, due.guild_id)

    async def unsure(self, due: DuePost) -> None:
        """Give up a post that may have been sent and cannot be looked for: rather none than two."""

        def body(tx: Transaction) -> None:
            self._settle(tx, due, "unsure", None)
            plan_next(tx, due.guild_id, self._clock.now())

        await self._database.write(body, keys.server(due.guild_id))
        log.warning("post of %s in server %d: perhaps not sent", due.day, due.guild_id)

    async def refused(self, due: DuePost, problem: str) -> None:
        """Note Discord's refusal; plan another try, or end posts after the third refusal in a row.

        `problem` is ``gone`` or ``forbidden``. If the channel was changed meanwhile, only the
        refusal is noted.
        """

        def body(tx: Transaction) -> PostPlan | None:
            now = self._clock.now()
            self._settle(tx, due, _REFUSED, None)
            plan = store.plans_of_posts.get(tx, due.guild_id)
            choice = read_choice(tx, due.guild_id)
            if plan is None or plan.off_at is not None or choice.channel_id != due.channel_id:
                return None  # the channel was changed meanwhile
            plan = replace(plan, post_at=now + _REST, refusals=plan.refusals + 1, problem=problem)
            if plan.refusals >= MOST_REFUSALS:
                plan = replace(plan, post_at=None, off_at=now)
            store.plans_of_posts.put(tx, plan, due.guild_id)
            return plan

        plan = await self._database.write(body, keys.server(due.guild_id))
        if plan is not None:
            log.warning("post in server %d: %s, %d in a row", due.guild_id, problem, plan.refusals)

    async def put_off(self, guild_id: int, *, is_known: bool) -> None:
        """Put a server's post off: the bot is not in the server, or cannot see it now.

        Without `is_known`, it is a minute until the bot looks whether it is in the server.
        """
        rest = _ABSENT if is_known else LEASE
        await self._database.write(
            lambda tx: store.posts_due.put_off(tx, guild_id, self._clock.now() + rest),
            keys.server(guild_id),
        )

    def _settle(self, tx: Transaction, due: DuePost, outcome: str, message_id: int | None) -> None:
        claim = replace(self._read(tx, due), outcome=outcome, message_id=message_id)
        store.claims_of_posts.put(tx, claim, due.guild_id, due.day, DAILY)

    def _read(self, tx: Transaction, due: DuePost) -> PostClaim:
        claim = store.claims_of_posts.get(tx, due.guild_id, due.day, DAILY)
        if claim is None:
            raise RuntimeError("only what was claimed can be sent")
        return claim


def _claimed(before: PostClaim | None, channel_id: int, now: datetime) -> PostClaim:
    """Build the claim of a post; a post that may have been sent keeps its channel and time."""
    if before is None:
        return PostClaim(now, now, channel_id=channel_id)
    if before.outcome == _REFUSED:
        return PostClaim(now, now, before.attempts + 1, channel_id=channel_id)
    return PostClaim(before.claimed_at, now, before.attempts + 1, channel_id=before.channel_id)


def _post_of(
    tx: Transaction, guild_id: int, day: date, choice: PostChoices, now: datetime
) -> DuePost:
    """Build a date's post in a server, as one that is to be sent now for the first time."""
    lengths = people_store.get_lengths(tx, guild_id)
    return DuePost(
        guild_id=guild_id,
        channel_id=choice.channel_id or 0,
        day=day,
        puzzle=PuzzleName(number_of(day), length_on(lengths, day)),
        role_id=choice.post_role_id,
        finishers_threads=choice.finishers_threads,
        last_day=store.last_day(tx, guild_id, DAILY, before=day),
        step=Step.SEND,
        claimed_at=now,
    )


NOTICE: Final = timedelta(hours=2)
"""How long before a streak would end its reminder comes."""

# A player who plays, moves or changes zone is looked at again within this time.
_REST_BETWEEN_REMINDERS: Final = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class DueReminder:
    """A claimed reminder, to be sent or looked for; it may have been sent since `claimed_at`."""

    player_id: int
    risk: Risk
    step: Step
    claimed_at: datetime

    @property
    def nonce(self) -> str:
        """The nonce by which Discord recognises the reminder if it is sent again."""
        return nonce("reminder", self.player_id, self.risk.day)


@dataclass(frozen=True, slots=True)
class Asked:
    """The answer to a player who turned reminders on.

    Attributes:
        next_at: when the first reminder comes, if the player has not solved the date by then; None
            without a streak, or if a freeze would save the streak.
        was_refused: whether Discord had refused a reminder, which turned them off.
    """

    next_at: datetime | None
    was_refused: bool


class Reminders:
    """Use cases of reminders; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def ask(self, player_id: int) -> Asked:
        """Turn reminders on; say when the first is due, and whether Discord refused one before."""

        def body(tx: Transaction) -> Asked:
            now = self._clock.now()
            before = store.plans_of_reminders.get(tx, player_id)
            store.plans_of_reminders.put(tx, ReminderPlan(look_at=now), player_id)
            risk = streak_keeping.at_risk(tx, player_id, now)
            was_refused = before is not None and before.refused_at is not None
            next_at = None if risk is None else max(risk.ends_at - NOTICE, now)
            return Asked(next_at, was_refused)

        return await self._database.write(body, keys.player(player_id))

    async def due(self) -> list[int]:
        """List the players with a due reminder, at most `MOST_AT_ONCE`."""
        return await self._database.read(
            lambda tx: store.reminders_due.find_due(tx, self._clock.now(), most=MOST_AT_ONCE)
        )

    async def claim(self, player_id: int) -> DueReminder | None:
        """Claim a player's due reminder; None if none is due, or another process sends it."""

        def body(tx: Transaction) -> DueReminder | None:
            now = self._clock.now()
            plan = store.plans_of_reminders.get(tx, player_id)
            if plan is None or plan.look_at is None or now < plan.look_at:
                return None
            risk, later = streak_keeping.at_risk(tx, player_id, now), now + _REST_BETWEEN_REMINDERS
            if risk is None or now < risk.ends_at - NOTICE:
                look_at = later if risk is None else min(risk.ends_at - NOTICE, later)
                store.reminders_due.put_off(tx, player_id, look_at)
                return None
            before = store.claims_of_reminders.get(tx, player_id, risk.day)
            step = next_step(before, now)
            # Once its date has ended, the streak cannot be saved.
            if step is None or now >= risk.ends_at:
                look_at = later
                if before is not None and before.outcome is None and now < risk.ends_at:
                    look_at = before.tried_at + LEASE
                store.reminders_due.put_off(tx, player_id, look_at)
                return None
            claimed_at = now if before is None or before.outcome else before.claimed_at
            attempts = 1 if before is None else before.attempts + 1
            claim = Claim(claimed_at, now, attempts)
            store.claims_of_reminders.put(tx, claim, player_id, risk.day)
            store.reminders_due.put_off(tx, player_id, now + LEASE)
            return DueReminder(player_id, risk, step, claimed_at)

        due = await self._database.write(body, keys.player(player_id))
        if due is not None:
            log.info("reminder of %s: claimed, to %s", due.risk.day, due.step.value)
        return due

    async def not_found(self, due: DueReminder) -> DueReminder:
        """Note that an earlier attempt left no reminder; return it as one to send."""

        def body(tx: Transaction) -> DueReminder:
            now = self._clock.now()
            claim = replace(self._read(tx, due), claimed_at=now, tried_at=now)
            store.claims_of_reminders.put(tx, claim, due.player_id, due.risk.day)
            store.reminders_due.put_off(tx, due.player_id, now + LEASE)
            return replace(due, step=Step.SEND, claimed_at=now)

        return await self._database.write(body, keys.player(due.player_id))

    async def sent(self, due: DueReminder, message_id: int) -> None:
        """Note the id of the sent reminder. The player's next one is not due for some hours."""

        def body(tx: Transaction) -> None:
            claim = replace(self._read(tx, due), outcome="sent", message_id=message_id)
            store.claims_of_reminders.put(tx, claim, due.player_id, due.risk.day)
            store.reminders_due.put_off(
                tx, due.player_id, self._clock.now() + _REST_BETWEEN_REMINDERS
            )

        await self._database.write(body, keys.player(due.player_id))
        log.info("reminder of %s: sent", due.risk.day)

    async def refused(self, due: DueReminder) -> None:
        """Turn reminders off, as Discord does not deliver them to the player."""

        def body(tx: Transaction) -> None:
            claim = replace(self._read(tx, due), outcome="refused")
            store.claims_of_reminders.put(tx, claim, due.player_id, due.risk.day)
            plan = ReminderPlan(look_at=None, refused_at=self._clock.now())
            store.plans_of_reminders.put(tx, plan, due.player_id)

        await self._database.write(body, keys.player(due.player_id))
        log.info("reminder of %s: refused, switched off", due.risk.day)

    def _read(self, tx: Transaction, due: DueReminder) -> Claim:
        claim = store.claims_of_reminders.get(tx, due.player_id, due.risk.day)
        if claim is None:
            raise RuntimeError("only what was claimed can be sent")
        return claim
