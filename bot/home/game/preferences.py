"""What players choose for themselves."""

from collections.abc import Collection
from dataclasses import astuple, dataclass, replace
from datetime import datetime

from bot.clock import Clock, date_in
from bot.dailies import number_of
from bot.db.database import Database, Transaction
from bot.focdle.store import plays
from bot.leaderboards.game.rebuild import rebuild
from bot.people.game.places import ZONE_REST, take_back
from bot.people.game.zones import find_zone, next_midnight, zone_at
from bot.people.model.choices import ZoneChange
from bot.people.model.preferences import Asking, Choices
from bot.people.store import invitations, members, places, preferences
from bot.posts.model.posts import ReminderPlan
from bot.posts.store import finishers, reminders, running
from bot.privacy.game.members import Members
from bot.refused import HardModeMidGameError, ZoneTooSoonError
from bot.streaks.store import streaks


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences(Choices):
    """A player's choices, with those that are stored elsewhere.

    Attributes:
        zone: the zone of the player's own conversations.
        next_zone: the zone that follows, and from when on; None if none is coming.
        reminders: whether to be told before a streak ends.
        reminders_refused: whether that was switched off as Discord delivers no messages.
        blocked: from how many players wants no challenges.
        always: the servers in which dailies go into the running message by themselves, each with
            the channel.
    """

    zone: str
    next_zone: tuple[str, datetime] | None
    reminders: bool = False
    reminders_refused: bool = False
    blocked: int = 0
    always: tuple[tuple[int, int], ...] = ()


class PlayerPreferences:
    """Use cases around a player's choices; each is one transaction.

    Args:
        database: where they are.
        clock: what tells the time.
        members: who remembers in memory what was noted of whom.
    """

    def __init__(self, database: Database, clock: Clock, members: Members) -> None:
        self._database = database
        self._clock = clock
        self._members = members

    async def view(self, player_id: int) -> Preferences:
        """A player's choices as they are."""
        return await self._database.read(lambda tx: self._view(tx, player_id))

    async def set_hard_mode(self, player_id: int, *, on: bool) -> Preferences:
        """Choose hard mode for games to come.

        Raises:
            HardModeMidGameError: today's puzzle is under way.
        """
        async with self._database.transaction() as tx:
            before = await self._view(tx, player_id)
            if before.hard_mode == on:  # a second click changes nothing, so it is no mistake
                return before
            now = self._clock.now()
            for play in await plays.under_way(tx, player_id):
                if play.number == number_of(date_in(play.zone, now)):
                    raise HardModeMidGameError(number=play.number)
            await self._change(tx, player_id, hard_mode=on)
            return await self._view(tx, player_id)

    async def set_palette(self, player_id: int, palette: str) -> Preferences:
        """Choose the tiles that boards are drawn with."""
        async with self._database.transaction() as tx:
            await self._change(tx, player_id, palette=palette)
            return await self._view(tx, player_id)

    async def set_asking(self, player_id: int, asks: Asking) -> Preferences:
        """Choose before which guesses at FoCdle to be asked."""
        async with self._database.transaction() as tx:
            await self._change(tx, player_id, asks=asks)
            return await self._view(tx, player_id)

    async def set_no_challenges(self, player_id: int, *, on: bool) -> Preferences:
        """Choose whether nobody may challenge the player; open challenges stay."""
        async with self._database.transaction() as tx:
            await self._change(tx, player_id, no_challenges=on)
            return await self._view(tx, player_id)

    async def set_reminders(self, player_id: int, *, on: bool) -> Preferences:
        """Choose whether to be told, in a direct message, before a streak ends."""
        async with self._database.transaction() as tx:
            if on:
                plan = ReminderPlan(look_at=self._clock.now())
                await reminders.plans.put(tx, plan, player_id)
            else:
                await reminders.plans.drop(tx, player_id)
            return await self._view(tx, player_id)

    async def share_no_more(self, player_id: int, guild_ids: Collection[int]) -> Preferences:
        """Choose to share by oneself again in these servers; what is shared stays."""
        async with self._database.transaction() as tx:
            await running.always_no_more(tx, player_id, guild_ids)
            return await self._view(tx, player_id)

    async def set_hidden(self, player_id: int, *, on: bool) -> Preferences:
        """Choose whether to be on no leaderboard; who shows themselves again has lost nothing.

        Who hides is not added any more to threads of finishers in which they are not yet, and
        leaves running messages. Their avatar is not kept; it is noted again with what they do
        after showing themselves.
        """
        async with self._database.transaction() as tx:
            if on:
                await finishers.wait_no_more(tx, player_id)
                await members.forget_avatar(tx, player_id)
                await running.leave(tx, player_id, self._clock.now())
            chosen = await self._show(tx, player_id, hidden=on)
            await self._members.announce(tx, player_id)
        self._members.forget(player_id)
        return chosen

    async def set_on_global_boards(self, player_id: int, *, on: bool) -> Preferences:
        """Choose whether to be on the leaderboards across servers."""
        async with self._database.transaction() as tx:
            return await self._show(tx, player_id, on_global_boards=on)

    async def _show(self, tx: Transaction, player_id: int, **choice: bool) -> Preferences:
        await self._change(tx, player_id, **choice)
        await rebuild(tx, player_id, self._clock.now())
        return await self._view(tx, player_id)

    async def set_zone(self, player_id: int, text: str) -> Preferences:
        """Choose the zone of one's own conversations, from the next midnight on.

        Once a week; a choice that does not hold yet may be changed again, and
        taken back by choosing the zone that holds. For who has never played it
        holds at once, and may be changed at will: there is no date to gain.

        Raises:
            UnknownZoneError: the text names no zone.
            ZoneTooSoonError: the last change is less than a week old.
        """
        zone = find_zone(text)
        async with self._database.transaction() as tx:
            now = self._clock.now()
            rows = await places.get_zones(tx, "player", player_id)
            current = zone_at(rows, now)
            if zone == current:
                await take_back(tx, "player", player_id, rows, now)
            elif await plays.has_any(tx, player_id):
                held = [row for row in rows if row.effective_at <= now]
                if held and now < held[-1].set_at + ZONE_REST:
                    raise ZoneTooSoonError(again_at=held[-1].set_at + ZONE_REST)
                row = ZoneChange(zone, next_midnight(current, now), now)
                await places.put_zone(tx, "player", player_id, row)
                await streaks.hasten(tx, row.effective_at, player_id=player_id)
            else:
                await places.put_zone(tx, "player", player_id, ZoneChange(zone, now, now))
            return await self._view(tx, player_id)

    async def _change(self, tx: Transaction, player_id: int, **choice: object) -> None:
        before = await preferences.choices.get(tx, player_id) or Choices()
        await preferences.choices.put(tx, replace(before, **choice), player_id)

    async def _view(self, tx: Transaction, player_id: int) -> Preferences:
        choices = await preferences.choices.get(tx, player_id) or Choices()
        zones = await places.get_zones(tx, "player", player_id)
        now = self._clock.now()
        coming = [z for z in zones if z.effective_at > now]
        plan = await reminders.plans.get(tx, player_id)
        return Preferences(
            *astuple(choices),
            zone=zone_at(zones, now),
            next_zone=(coming[0].zone, coming[0].effective_at) if coming else None,
            reminders=plan is not None and plan.look_at is not None,
            reminders_refused=plan is not None and plan.refused_at is not None,
            blocked=len(await invitations.blocked(tx, player_id)),
            always=tuple(await running.always_of(tx, player_id)),
        )
