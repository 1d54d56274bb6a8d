"""What servers choose about their posts."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from bot.clock import Clock
from bot.dailies import PuzzleName, number_of
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.focdle.store import plays
from bot.people.game.places import length_on
from bot.people.game.zones import DEFAULT_ZONE, zone_at
from bot.people.store import places
from bot.posts.game.post_planning import read_choice, start_over, timetable
from bot.posts.model.posts import TURNED_OFF, PostPlan
from bot.posts.store import posts

# How long the settings say of a post that it may not have been sent.
_UNSURE_DAYS = timedelta(days=7)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class PostSettings:
    """A server's choices about its posts, and how they fare.

    Attributes:
        channel_id: where they go; None for nowhere.
        hour: 0 to 23, by the clocks of the zone.
        zone: the zone by which posts go.
        days: the weekdays with a post, 1 for Monday to 7.
        role_id: who is mentioned; None for nobody.
        finishers_threads: whether each date gets a private thread for who has finished.
        takes_results: whether members who may not write there share the day's result below it.
        todays_card: whether results of a date go into one message, today's card.
        weekly_recap: whether the first post of a week tells how the last week went.
        next_at: when the next post is due; None if none is.
        off_at: when the channel was switched off; None if it was not.
        problem: why: ``gone`` or ``forbidden``; or a manager did it.
        is_gone: whether the channel is there no more; only Discord knows, so whoever asks it says.
        unsure_day: a date of late whose post may not have been sent, as nobody could look.
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
        """Whether a manager wants no posts, though there is a channel."""
        return self.channel_id is not None and self.problem == TURNED_OFF


class PostChoices:
    """Use cases around what a server chooses about its posts; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def view(self, guild_id: int) -> PostSettings:
        """A server's choices as they are."""
        async with self._database.reading() as tx:
            return await self._view(tx, guild_id)

    async def set_hour(self, guild_id: int, hour: int) -> PostSettings:
        """Choose the hour; where it has passed today, from tomorrow on.

        Raises:
            ValueError: there is no such hour.
        """
        if hour not in range(24):
            raise ValueError("no such hour")
        return await self._choose(guild_id, post_hour=hour)

    async def set_days(self, guild_id: int, days: Collection[int]) -> PostSettings:
        """Choose the weekdays, 1 for Monday to 7.

        Raises:
            ValueError: there are none, or no such ones.
        """
        if not days or not set(days) <= set(range(1, 8)):
            raise ValueError("no such weekdays")
        return await self._choose(guild_id, post_days="".join(map(str, sorted(set(days)))))

    async def set_role(self, guild_id: int, role_id: int | None) -> PostSettings:
        """Choose who is mentioned; None for nobody."""
        async with self._database.transaction() as tx:
            await places.put_guild(tx, guild_id, post_role_id=role_id)
            return await self._view(tx, guild_id)

    async def set_finishers_threads(self, guild_id: int, *, on: bool) -> PostSettings:
        """Open a private thread a date for who has finished, or no more."""
        async with self._database.transaction() as tx:
            await places.put_guild(tx, guild_id, finishers_threads=on)
            return await self._view(tx, guild_id)

    async def set_takes_results(self, guild_id: int, *, on: bool) -> PostSettings:
        """Let members share the day's result below the post even if they may not write there."""
        async with self._database.transaction() as tx:
            await places.put_guild(tx, guild_id, takes_results=on)
            return await self._view(tx, guild_id)

    async def set_todays_card(self, guild_id: int, *, on: bool) -> PostSettings:
        """Let results of a date go into one message, or each into its own."""
        async with self._database.transaction() as tx:
            await places.put_guild(tx, guild_id, todays_card=on)
            return await self._view(tx, guild_id)

    async def set_weekly_recap(self, guild_id: int, *, on: bool) -> PostSettings:
        """Tell in the first post of a week how the last week went, or its leaderboard only."""
        async with self._database.transaction() as tx:
            await places.put_guild(tx, guild_id, weekly_recap=on)
            return await self._view(tx, guild_id)

    async def takes_result(self, guild_id: int, channel_id: int, puzzle: PuzzleName | None) -> bool:
        """Whether a result may be shared in a channel by who may not write there.

        In the post's channel, if that was switched on: of the day's puzzle, and of the one
        before, whose post may still be the last.
        """
        async with self._database.reading() as tx:
            choice = await read_choice(tx, guild_id)
            if puzzle is None or not choice.takes_results or choice.channel_id != channel_id:
                return False
            now = self._clock.now()
            today = (await timetable(tx, guild_id, now)).today(now)
            lengths = await places.get_lengths(tx, guild_id)
            return any(
                puzzle == PuzzleName(number_of(day), length_on(lengths, day))
                for day in (today, today - _DAY)
            )

    async def ask_once(self, guild_id: int, manager_id: int) -> bool:
        """Whether to ask a manager now if the daily post shall come; that is noted.

        It is once in a server without a channel, after the manager's first daily there.
        """
        async with self._database.transaction(keys.server(guild_id)) as tx:
            if await places.was_asked_to_post(tx, guild_id):
                return False
            if await plays.count_dailies(tx, manager_id, guild_id) != 1:
                return False
            await places.put_guild(tx, guild_id, asked_to_post=True)
            return True

    async def turn_on(self, guild_id: int) -> PostSettings:
        """Post again where that was switched off."""
        async with self._database.transaction() as tx:
            await start_over(tx, guild_id, self._clock.now(), on=True)
            return await self._view(tx, guild_id)

    async def turn_off(self, guild_id: int) -> PostSettings:
        """Post no more; the channel, the hour and the rest are kept."""
        async with self._database.transaction() as tx:
            now = self._clock.now()
            if await posts.plans.get(tx, guild_id) is not None:
                off = PostPlan(post_at=None, since=now, problem=TURNED_OFF, off_at=now)
                await posts.plans.put(tx, off, guild_id)
            return await self._view(tx, guild_id)

    async def _choose(self, guild_id: int, **values: object) -> PostSettings:
        async with self._database.transaction() as tx:
            await places.put_guild(tx, guild_id, **values)
            await start_over(tx, guild_id, self._clock.now())
            return await self._view(tx, guild_id)

    async def _view(self, tx: Transaction, guild_id: int) -> PostSettings:
        now = self._clock.now()
        choice = await read_choice(tx, guild_id)
        plan = await posts.plans.get(tx, guild_id)
        table = await timetable(tx, guild_id, now)
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
            unsure_day=await posts.last_unsure(tx, guild_id, since=today - _UNSURE_DAYS),
        )
