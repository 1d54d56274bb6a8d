"""Use cases of champions: choosing the role, finding the winners, giving and taking the role."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final

from bot.champions import store
from bot.champions.model import Champion, ChampionChoice, RoleChange, Wearer
from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.leaderboards import store as leaderboards_store
from bot.leaderboards.boards import BoardGame, FocdleFigures, Period, days_of, slot_of
from bot.leaderboards.game import Calendars
from bot.outages import ShardRange
from bot.posts import store as posts_store
from bot.posts.plans import DAILY

GIVEN_UP_AFTER: Final = timedelta(days=7)
"""How long the bot tries to take a role back before it gives up."""

A_MINUTE: Final = timedelta(minutes=1)
_MOST_AT_ONCE: Final = 20
_SOON: Final = timedelta(seconds=10)
_REST: Final = timedelta(minutes=10)
"""The wait after Discord's refusal, in which a manager can mend the permissions."""
_LATER: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)


class Champions:
    """Use cases of champions; each is one transaction."""

    def __init__(self, database: Database, clock: Clock, shards: ShardRange) -> None:
        self._database = database
        self._clock = clock
        self._shards = shards

    async def view(self, guild_id: int) -> ChampionChoice:
        return await self._database.read(lambda tx: _choice(tx, guild_id))

    async def choose(self, guild_id: int, role_id: int | None, period: Period) -> ChampionChoice:
        """Store the role that winners get, and the period; without a role nobody gets one.

        The same choice again changes nothing. After another choice, members lose a role that was
        chosen before. The last period's winners get the role once they are certain; in servers with
        daily posts, once a post has told the recap.
        """

        def body(tx: Transaction) -> ChampionChoice:
            before = _choice(tx, guild_id)
            if (before.champion_role_id, before.period) == (role_id, period):
                return before
            look_at = None if role_id is None else self._clock.now()
            choice = ChampionChoice(role_id, period.value, None, look_at)
            store.choices.put(tx, choice, guild_id)
            return choice

        return await self._database.write(body, keys.server(guild_id))

    async def unsettled(self) -> list[int]:
        """List servers where it is time to look who won the last period."""
        return await self._database.read(
            lambda tx: store.unsettled.find_due(
                tx, self._clock.now(), most=_MOST_AT_ONCE, shards=self._shards
            )
        )

    async def settle(self, guild_id: int) -> None:
        """Look who won the last period, if it is time; note the winners once they are certain."""

        def body(tx: Transaction) -> None:
            now, choice = self._clock.now(), _choice(tx, guild_id)
            if choice.champion_at is not None and choice.champion_at <= now:
                store.choices.put(tx, _settled(tx, guild_id, choice, now), guild_id)

        await self._database.write(body, keys.server(guild_id))

    async def due(self) -> list[Wearer]:
        return await self._database.read(
            lambda tx: store.due(tx, self._clock.now(), self._shards, most=_MOST_AT_ONCE)
        )

    async def decide(
        self, wearer: Wearer, *, has_role: bool, may_give: bool = True
    ) -> RoleChange | None:
        """Decide what Discord is to be asked about a wearer; None if nothing is.

        Ask once more after that, with `has_role` as it is then. Discord takes both twice without
        harm, from two processes too. A role that the member had from others stays as it is.
        """

        def body(tx: Transaction) -> RoleChange | None:
            now = self._clock.now()
            row = _kept(tx, wearer, now)
            if row is None or (row.look_at is None and row.over_at is None):
                return None
            if row.over_at is not None and has_role:
                return RoleChange.TAKE
            if row.over_at is not None or (has_role and not row.is_ours):
                store.rows.drop(tx, *wearer)
                return None
            if has_role:
                row = replace(row, look_at=None)
            elif may_give:
                row = replace(row, is_ours=True)
            else:
                row = replace(row, look_at=now + _REST, is_ours=False)
            store.rows.put(tx, row, *wearer)
            return RoleChange.GIVE if may_give and not has_role else None

        return await self._database.write(body, keys.server(wearer.guild_id))

    async def forget(self, wearer: Wearer) -> None:
        """Forget a wearer who has left, or whose role is deleted."""
        await self._database.write(
            lambda tx: store.rows.drop(tx, *wearer), keys.server(wearer.guild_id)
        )

    async def put_off(
        self, wearer: Wearer, wait: timedelta = _REST, *, refused: bool = False
    ) -> None:
        """Look at a wearer again later; `refused` says that Discord did not give them the role."""

        def body(tx: Transaction) -> None:
            now = self._clock.now()
            row = _kept(tx, wearer, now)
            if row is not None:
                is_ours = row.is_ours and not (refused and row.over_at is None)
                row = replace(row, look_at=now + wait, is_ours=is_ours)
                store.rows.put(tx, row, *wearer)

        await self._database.write(body, keys.server(wearer.guild_id))


def _kept(tx: Transaction, wearer: Wearer, now: datetime) -> Champion | None:
    """Read a wearer's row, and note that it is over; drop it if nothing is to be taken back."""
    row = store.rows.get(tx, *wearer)
    if row is None:
        return None
    if row.over_at is None and not store.may_wear(tx, wearer):
        row = replace(row, look_at=now, over_at=now)
        store.rows.put(tx, row, *wearer)
    if row.over_at is not None and (not row.is_ours or now - row.over_at > GIVEN_UP_AFTER):
        store.rows.drop(tx, *wearer)
        return None
    return row


def _choice(tx: Transaction, guild_id: int) -> ChampionChoice:
    return store.choices.get(tx, guild_id) or ChampionChoice()


def _settled(
    tx: Transaction, guild_id: int, choice: ChampionChoice, now: datetime
) -> ChampionChoice:
    """Note the last period's winners, unless that must wait.

    Return the choice with the time to look next.
    """
    calendar, period = Calendars.read(tx, [guild_id]), choice.period
    today = calendar.date_of(guild_id, now)
    before, running = days_of(period, today, previous=True), days_of(period, today)
    if before is None or running is None:
        raise RuntimeError("all time has no champion")
    if choice.champion_day is None or choice.champion_day < before[0]:
        again_at = _again_at(tx, guild_id, calendar, before[1], now)
        if again_at is not None:
            return replace(choice, champion_at=min(again_at, now + _LATER))
        _crown(tx, guild_id, choice, before[0], now)
        choice = replace(choice, champion_day=before[0])
    next_at = calendar.deadline(guild_id, running[1]).finished_before
    return replace(choice, champion_at=min(max(next_at, now + _SOON), now + _LATER))


def _again_at(
    tx: Transaction, guild_id: int, calendar: Calendars, last: date, now: datetime
) -> datetime | None:
    """When to look for the winners of a period again; None once they are certain and told.

    They are certain when the period's last date has closed and all leaderboard rows are up to date;
    the wait for rows ends after an hour. In servers with daily posts, a post of a later date, which
    tells the recap, must be out as well.
    """
    closed_at = calendar.deadline(guild_id, last).finished_before
    if now < closed_at:
        return closed_at
    if now < closed_at + _LATER and store.is_behind(tx, guild_id):
        return now + _SOON
    plan = posts_store.plans_of_posts.get(tx, guild_id)
    if plan is None or plan.post_at is None:
        return None
    sent = posts_store.last_day(tx, guild_id, DAILY, before=date.max)
    if sent is not None and sent > last:
        return None
    if posts_store.last_unsure(tx, guild_id, since=last + _DAY) is not None:
        return None
    return max(plan.post_at, now) + _SOON


def _crown(
    tx: Transaction, guild_id: int, choice: ChampionChoice, day: date, now: datetime
) -> None:
    """Note the winners of the period that began on `day`; all others are to lose the role.

    A winner is first and has points.
    """
    role_id = choice.champion_role_id
    if role_id is None:
        return
    slot = slot_of(BoardGame.FOCDLE, choice.period, day)
    winners = {
        player_id
        for player_id, figures in leaderboards_store.leaders(tx, guild_id, slot).items()
        if FocdleFigures.decode(figures).points > 0
    }
    before = store.of_role(tx, guild_id, role_id)
    store.end(tx, guild_id, before.keys() - winners, now)
    for player_id in winners:
        # Those who have it may have lost it by other hands, or just be losing it: Discord knows.
        row = Champion(now, is_ours=player_id in before and before[player_id].is_ours)
        store.rows.put(tx, row, guild_id, role_id, player_id)
