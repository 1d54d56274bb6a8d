"""The schedule of daily posts, and a server's choices about them."""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.clock import GRACE, Clock, PuzzleName, date_in, number_of, start_of
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.focdle import store as focdle_store
from bot.games.game import LEASE
from bot.people import store as people_store
from bot.people.game import length_on
from bot.people.model import ZoneChange
from bot.people.zones import DEFAULT_ZONE, zone_at
from bot.posts import store
from bot.posts.model import TURNED_OFF, PostChoices, PostPlan

SPREAD: Final = timedelta(minutes=5)
"""The time over which posts are spread after their hour, so that not all come in one second."""

_DAY: Final = timedelta(days=1)
_HOUR: Final = timedelta(hours=1)
# Within so many days each weekday comes, even where a zone skips one.
_HORIZON: Final = 16
_EVER: Final = datetime.min.replace(tzinfo=UTC)
_NEVER: Final = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Timetable:
    """The schedule of a server's posts.

    Attributes:
        zones: the server's past and coming zones, in order; they decide what today is.
        days: the weekdays, 1 for Monday to 7.
        since: the instant from which hours count; a post with an earlier hour is never due.
        clocks: the past and coming zones in which `hour` is read; None if these are `zones`. The
            two differ only where a zone was chosen on the server's first day: `hour` follows such
            a zone at once.
    """

    guild_id: int
    zones: Sequence[ZoneChange]
    hour: int
    days: Collection[int]
    since: datetime
    clocks: Sequence[ZoneChange] | None = None

    @property
    def hours_by(self) -> Sequence[ZoneChange]:
        return self.zones if self.clocks is None else self.clocks

    def today(self, now: datetime) -> date:
        return date_in(zone_at(self.zones, now), now)

    def due(self, now: datetime) -> date | None:
        """Return today's date if it has a post that is due by now, sent or not; else None."""
        day = self.today(now)
        is_due = any(instant + self._delay() <= now for instant in self._hours_of(day))
        return day if is_due else None

    def next_after(self, now: datetime, *, posted: date | None = None) -> datetime | None:
        """Find when the next post is due, later than `now` and on a date later than `posted`."""
        first = self.today(now)
        for n in range(_HORIZON):
            day = first + n * _DAY
            if posted is not None and day <= posted:
                continue
            for instant in self._hours_of(day):
                if instant + self._delay() > now:
                    return instant + self._delay()
        return None

    def _hours_of(self, day: date) -> list[datetime]:
        """List when the post's hour comes on a date, from `since` on; empty on a day without post.

        There are two if a change to a zone further west repeats the hour. If a change to a zone
        further east jumps over it, the instant is `GRACE` after the change.
        """
        if day.isoweekday() not in self.days:
            return []
        found: list[datetime] = []
        zone, begins = DEFAULT_ZONE, _EVER
        for row in [*self.hours_by, None]:
            ends = row.effective_at if row else _NEVER
            # The clock's date may differ from the server's.
            near = (hour_of(day + n * _DAY, self.hour, zone) for n in (-1, 0, 1))
            found += [instant for instant in near if instant and begins <= instant < ends]
            if row and _jumps(zone, row, day, self.hour):
                found.append(ends + GRACE)
            zone, begins = (row.zone, ends) if row else (zone, ends)
        return sorted(i for i in found if i >= self.since and self.today(i) == day)

    def _delay(self) -> timedelta:
        digest = hashlib.sha256(str(self.guild_id).encode()).digest()
        return timedelta(seconds=int.from_bytes(digest[:4]) % int(SPREAD.total_seconds()))


def _jumps(before: str, row: ZoneChange, day: date, hour: int) -> bool:
    """Return true if a planned change of zone makes `day` begin later than its `hour`."""
    instant = row.effective_at
    if instant <= row.set_at or date_in(before, instant - timedelta.resolution) >= day:
        return False
    passed = hour_of(day, hour, row.zone)
    return date_in(row.zone, instant) == day and passed is not None and passed < instant


def hour_of(day: date, hour: int, zone: str) -> datetime | None:
    """Find the instant of an hour on a date in a zone; None if that date never occurs there.

    If the hour comes twice, the first one counts. If clocks skip it, the instant of the skip counts
    or, where that is on the next date, an hour before that date begins. Midnight means `GRACE`
    later, since players may still finish the date before.
    """
    local = datetime.combine(day, time(hour), ZoneInfo(zone))
    instant = max(local.astimezone(UTC), start_of(day, zone) + GRACE)
    if date_in(zone, instant) == day:
        return instant
    instant = start_of(day + _DAY, zone) - _HOUR
    return instant if date_in(zone, instant) == day else None


FIRST_DAY: Final = timedelta(days=1)
"""The length of a server's first day, from its first daily on."""


def is_first_day(tx: Transaction, guild_id: int, now: datetime) -> bool:
    """Return true for a new server: nobody opened a daily there more than a day ago.

    One that adds the bot again is not new, since its plays stay.
    """
    return not focdle_store.has_daily(tx, guild_id, before=now - FIRST_DAY)


DAILY: Final = "daily"


def read_choice(tx: Transaction, guild_id: int) -> PostChoices:
    return store.post_choices.get(tx, guild_id) or PostChoices()


def timetable(tx: Transaction, guild_id: int, since: datetime) -> Timetable:
    choice = read_choice(tx, guild_id)
    zones = people_store.get_zones(tx, "guild", guild_id)
    clocks: list[ZoneChange] = []
    for row in zones:
        is_waited_for = max(row.set_at, since) < row.effective_at
        # Posts follow a zone at once if it was chosen on the server's first day.
        at_once = is_waited_for and is_first_day(tx, guild_id, row.set_at)
        clocks.append(replace(row, effective_at=row.set_at) if at_once else row)
    days = frozenset(map(int, choice.post_days))
    return Timetable(guild_id, zones, choice.post_hour, days, since, clocks)


def start_over(tx: Transaction, guild_id: int, now: datetime, *, on: bool = False) -> None:
    """Plan a server's next post after a manager's choice, and forget Discord's refusals.

    Today's post is not sent late if its hour has passed. There are two exceptions: Discord refused
    it before, or its moment within `SPREAD` is still to come. Posts that a manager has turned off
    stay off unless `on` is set. Without a channel, the plan is deleted.
    """
    choice = read_choice(tx, guild_id)
    if choice.channel_id is None:
        store.plans_of_posts.drop(tx, guild_id)
        return
    before = store.plans_of_posts.get(tx, guild_id)
    if before is not None and before.is_turned_off and not on:
        return
    since = now
    if before is not None:
        table = timetable(tx, guild_id, before.since)
        claim = store.claims_of_posts.get(tx, guild_id, table.today(now), DAILY)
        # Posts of an hour are spread over some minutes, which are not over.
        is_under_way = before.post_at is not None and before.post_at == table.next_after(now)
        if is_under_way or (claim is not None and claim.outcome == "refused"):
            since = before.since
    store.plans_of_posts.put(tx, PostPlan(post_at=None, since=since), guild_id)
    plan_next(tx, guild_id, now)


def plan_next(tx: Transaction, guild_id: int, now: datetime) -> None:
    """Store when a server's next post is due, unless its posts are off."""
    plan = store.plans_of_posts.get(tx, guild_id)
    if plan is None or plan.off_at is not None:
        return
    table = timetable(tx, guild_id, plan.since)
    today = table.today(now)
    claim = store.claims_of_posts.get(tx, guild_id, today, DAILY)
    if table.due(now) is None or (claim is not None and claim.outcome in {"sent", "unsure"}):
        post_at = table.next_after(now, posted=None if claim is None else today)
    elif claim is None or claim.outcome == "refused":
        post_at = now
    else:  # another process may be sending it
        post_at = claim.tried_at + LEASE
    store.plans_of_posts.put(tx, replace(plan, post_at=post_at), guild_id)


# How long the settings mention a post that may not have been sent.
_UNSURE_DAYS = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class PostSettings:
    """A server's choices about its posts, and their state.

    Attributes:
        zone: the zone of the post's hour.
        days: the weekdays with a post, 1 for Monday to 7.
        off_at: when posts ended, after Discord's refusals or by a manager; None if they go on.
        problem: the last refusal, ``gone`` or ``forbidden``; `TURNED_OFF` if a manager ended posts.
        is_gone: the channel was deleted; set by the caller, who asks Discord.
        unsure_day: the last date of the past week whose post may or may not have been sent, as the
            bot could not find out; None without such a date.
    """

    channel_id: int | None = None
    hour: int = 9
    zone: str = DEFAULT_ZONE
    days: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7)
    role_id: int | None = None
    finishers_threads: bool = False
    takes_results: bool = False
    todays_card: bool = True
    weekly_recap: bool = True
    next_at: datetime | None = None
    off_at: datetime | None = None
    problem: str | None = None
    unsure_day: date | None = None
    is_gone: bool = False

    @property
    def is_turned_off(self) -> bool:
        """True if a manager has turned posts off and the channel is still chosen."""
        return self.channel_id is not None and self.problem == TURNED_OFF


class PostPlanning:
    """Use cases of a server's choices about posts; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def view(self, guild_id: int) -> PostSettings:
        return await self._database.read(lambda tx: self._view(tx, guild_id))

    async def set_hour(self, guild_id: int, hour: int) -> PostSettings:
        """Choose the hour of posts; if it has passed today, it holds from tomorrow on."""
        if hour not in range(24):
            raise ValueError("no such hour")
        return await self._choose(guild_id, post_hour=hour)

    async def set_days(self, guild_id: int, days: Collection[int]) -> PostSettings:
        """Choose the weekdays of posts, 1 for Monday to 7; at least one."""
        if not days or not set(days) <= set(range(1, 8)):
            raise ValueError("no such weekdays")
        return await self._choose(guild_id, post_days="".join(map(str, sorted(set(days)))))

    async def set_role(self, guild_id: int, role_id: int | None) -> PostSettings:
        return await self._put(guild_id, post_role_id=role_id)

    async def set_finishers_threads(self, guild_id: int, *, on: bool) -> PostSettings:
        return await self._put(guild_id, finishers_threads=on)

    async def set_takes_results(self, guild_id: int, *, on: bool) -> PostSettings:
        return await self._put(guild_id, takes_results=on)

    async def set_todays_card(self, guild_id: int, *, on: bool) -> PostSettings:
        return await self._put(guild_id, todays_card=on)

    async def set_weekly_recap(self, guild_id: int, *, on: bool) -> PostSettings:
        return await self._put(guild_id, weekly_recap=on)

    async def takes_result(self, guild_id: int, channel_id: int, puzzle: PuzzleName | None) -> bool:
        """Return true if members who may not write in a channel can share a result there.

        A server can allow it in the channel of its posts, for today's daily and for yesterday's,
        whose post may still be the last one. Both have the server's length on their dates.
        """

        def body(tx: Transaction) -> bool:
            choice = read_choice(tx, guild_id)
            if puzzle is None or not choice.takes_results or choice.channel_id != channel_id:
                return False
            now = self._clock.now()
            today = timetable(tx, guild_id, now).today(now)
            lengths = people_store.get_lengths(tx, guild_id)
            return any(
                puzzle == PuzzleName(number_of(day), length_on(lengths, day))
                for day in (today, today - _DAY)
            )

        return await self._database.read(body)

    async def ask_once(self, guild_id: int, manager_id: int) -> bool:
        """Return true, once for each server, if a manager is to be asked about daily posts.

        The time to ask is after a manager's first daily there, unless the server has chosen a
        channel for posts. A result of true is noted, so that nobody is asked again.
        """

        def body(tx: Transaction) -> bool:
            if people_store.was_asked_to_post(tx, guild_id):
                return False
            if focdle_store.count_dailies(tx, manager_id, guild_id) != 1:
                return False
            people_store.put_guild(tx, guild_id, asked_to_post=True)
            return True

        return await self._database.write(body, keys.server(guild_id))

    async def turn_on(self, guild_id: int) -> PostSettings:
        def body(tx: Transaction) -> PostSettings:
            start_over(tx, guild_id, self._clock.now(), on=True)
            return self._view(tx, guild_id)

        return await self._database.write(body)

    async def turn_off(self, guild_id: int) -> PostSettings:
        """Stop posting; the channel, the hour and the rest are kept."""

        def body(tx: Transaction) -> PostSettings:
            now = self._clock.now()
            if store.plans_of_posts.get(tx, guild_id) is not None:
                off = PostPlan(post_at=None, since=now, problem=TURNED_OFF, off_at=now)
                store.plans_of_posts.put(tx, off, guild_id)
            return self._view(tx, guild_id)

        return await self._database.write(body)

    async def _put(self, guild_id: int, **values: object) -> PostSettings:
        def body(tx: Transaction) -> PostSettings:
            people_store.put_guild(tx, guild_id, **values)
            return self._view(tx, guild_id)

        return await self._database.write(body)

    async def _choose(self, guild_id: int, **values: object) -> PostSettings:
        def body(tx: Transaction) -> PostSettings:
            people_store.put_guild(tx, guild_id, **values)
            start_over(tx, guild_id, self._clock.now())
            return self._view(tx, guild_id)

        return await self._database.write(body)

    def _view(self, tx: Transaction, guild_id: int) -> PostSettings:
        now = self._clock.now()
        choice = read_choice(tx, guild_id)
        plan = store.plans_of_posts.get(tx, guild_id)
        table = timetable(tx, guild_id, now)
        today = table.today(now)
        return PostSettings(
            channel_id=choice.channel_id,
            hour=choice.post_hour,
            zone=zone_at(table.hours_by, now),
            days=tuple(map(int, choice.post_days)),
            role_id=choice.post_role_id,
            finishers_threads=choice.finishers_threads,
            takes_results=choice.takes_results,
            todays_card=choice.todays_card,
            weekly_recap=choice.weekly_recap,
            next_at=plan and plan.post_at,
            off_at=plan and plan.off_at,
            problem=plan and plan.problem,
            unsure_day=store.last_unsure(tx, guild_id, since=today - _UNSURE_DAYS),
        )
