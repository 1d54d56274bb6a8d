"""Use cases of players' preferences, and of whom they block."""

import logging
import random
from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from bot.clock import Clock, date_in, number_of
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.duels import game as duel_transactions
from bot.duels.model import Event, State
from bot.duels.position import Verdict
from bot.focdle import store as focdle_store
from bot.leaderboards.rebuild import rebuild
from bot.mastermind import game as mastermind_transactions
from bot.mastermind import store as mastermind_store
from bot.mastermind.model import Ending, Stage
from bot.people import store as people_store
from bot.people.game import ZONE_REST, cancel_zone_changes
from bot.people.members import Members
from bot.people.model import Asking, Blocked, Choices, ZoneChange
from bot.people.zones import find_zone, next_midnight, zone_at
from bot.posts import store as posts_store
from bot.posts.model import ReminderPlan
from bot.refused import HardModeMidGameError, ZoneTooSoonError
from bot.streaks import store as streaks_store
from bot.text.markup import is_forgotten


@dataclass(frozen=True, slots=True, kw_only=True)
class Preferences(Choices):
    """All choices of a player, with those that other tables store.

    Attributes:
        next_zone: the zone that will replace the present one, with the time of the change; None if
            no change is to come.
        reminders_refused: whether reminders are off because Discord did not deliver one.
        blocked: the number of players whom this one blocks.
        always: servers in which dailies are always shared, each with the channel.
    """

    zone: str
    next_zone: tuple[str, datetime] | None
    reminders: bool = False
    reminders_refused: bool = False
    blocked: int = 0
    always: tuple[tuple[int, int], ...] = ()


class PlayerPreferences:
    """Use cases of a player's preferences; each is one transaction."""

    def __init__(self, database: Database, clock: Clock, members: Members) -> None:
        self._database = database
        self._clock = clock
        self._members = members

    async def view(self, player_id: int) -> Preferences:
        return await self._database.read(lambda tx: self._view(tx, player_id))

    async def set_hard_mode(self, player_id: int, *, on: bool) -> Preferences:
        def body(tx: Transaction) -> Preferences:
            before = self._view(tx, player_id)
            if before.hard_mode == on:  # a second click is no mistake
                return before
            now = self._clock.now()
            for play in focdle_store.under_way(tx, player_id):
                if play.number == number_of(date_in(play.zone, now)):
                    raise HardModeMidGameError(number=play.number)
            self._change(tx, player_id, hard_mode=on)
            return self._view(tx, player_id)

        return await self._database.write(body)

    async def _choose(self, player_id: int, **choice: object) -> Preferences:
        def body(tx: Transaction) -> Preferences:
            self._change(tx, player_id, **choice)
            return self._view(tx, player_id)

        return await self._database.write(body)

    async def set_palette(self, player_id: int, palette: str) -> Preferences:
        return await self._choose(player_id, palette=palette)

    async def set_asking(self, player_id: int, asks: Asking) -> Preferences:
        return await self._choose(player_id, asks=asks)

    async def set_language(self, player_id: int, language: str | None) -> Preferences:
        """Choose the language of private answers; None for that of the player's Discord."""

        def body(tx: Transaction) -> Preferences:
            self._change(tx, player_id, language=language)
            self._members.languages.announce(tx, keys.player(player_id))
            return self._view(tx, player_id)

        return await self._database.write(body)

    async def set_no_challenges(self, player_id: int, *, on: bool) -> Preferences:
        """Refuse all new challenges, or take them again; open challenges stay."""
        return await self._choose(player_id, no_challenges=on)

    async def set_reminders(self, player_id: int, *, on: bool) -> Preferences:
        def body(tx: Transaction) -> Preferences:
            if on:
                plan = ReminderPlan(look_at=self._clock.now())
                posts_store.plans_of_reminders.put(tx, plan, player_id)
            else:
                posts_store.plans_of_reminders.drop(tx, player_id)
            return self._view(tx, player_id)

        return await self._database.write(body)

    async def share_no_more(self, player_id: int, guild_ids: Collection[int]) -> Preferences:
        """Stop sharing dailies automatically in these servers; results already shared stay."""

        def body(tx: Transaction) -> Preferences:
            posts_store.stop_sharing(tx, player_id, guild_ids)
            return self._view(tx, player_id)

        return await self._database.write(body)

    async def set_hidden(self, player_id: int, *, on: bool) -> Preferences:
        """Hide a player from leaderboards, or show them with everything they had.

        A hidden player leaves cards, and is added to no more finishers' threads. The
        avatar is deleted; it is stored again after they show themselves and play.
        """

        def body(tx: Transaction) -> Preferences:
            if on:
                posts_store.leave_queues(tx, player_id)
                people_store.forget_avatar(tx, player_id)
                posts_store.leave_cards(tx, player_id, self._clock.now())
            self._change(tx, player_id, hidden=on)
            rebuild(tx, player_id, self._clock.now())
            self._members.announce(tx, player_id)
            return self._view(tx, player_id)

        return await self._database.write(body)

    async def set_zone(self, player_id: int, text: str) -> Preferences:
        """Choose the zone of direct messages, from the next midnight on.

        It can change once a week; ZoneTooSoonError refuses more. A change that is still to come may
        be replaced, or cancelled by choosing the present zone. For a player who has never opened a
        FoCdle, the zone changes at once, and as often as they like.
        """
        zone = find_zone(text)

        def body(tx: Transaction) -> Preferences:
            now = self._clock.now()
            rows = people_store.get_zones(tx, "player", player_id)
            current = zone_at(rows, now)
            if zone == current:
                cancel_zone_changes(tx, "player", player_id, rows, now)
            elif focdle_store.has_any(tx, player_id):
                held = [row for row in rows if row.effective_at <= now]
                if held and now < held[-1].set_at + ZONE_REST:
                    raise ZoneTooSoonError(again_at=held[-1].set_at + ZONE_REST)
                row = ZoneChange(zone, next_midnight(current, now), now)
                people_store.put_zone(tx, "player", player_id, row)
                streaks_store.hasten(tx, row.effective_at, player_id=player_id)
            else:
                people_store.put_zone(tx, "player", player_id, ZoneChange(zone, now, now))
            return self._view(tx, player_id)

        return await self._database.write(body)

    def _change(self, tx: Transaction, player_id: int, **choice: object) -> None:
        before = people_store.choices.get(tx, player_id) or Choices()
        people_store.choices.put(tx, replace(before, **choice), player_id)

    def _view(self, tx: Transaction, player_id: int) -> Preferences:
        choices = people_store.choices.get(tx, player_id) or Choices()
        zones = people_store.get_zones(tx, "player", player_id)
        now = self._clock.now()
        coming = [z for z in zones if z.effective_at > now]
        plan = posts_store.plans_of_reminders.get(tx, player_id)
        return Preferences(
            **asdict(choices),
            zone=zone_at(zones, now),
            next_zone=(coming[0].zone, coming[0].effective_at) if coming else None,
            reminders=plan is not None and plan.look_at is not None,
            reminders_refused=plan is not None and plan.refused_at is not None,
            blocked=len(people_store.blocked(tx, player_id)),
            always=tuple(posts_store.always_of(tx, player_id)),
        )


log = logging.getLogger(__name__)


class Blocking:
    def __init__(self, database: Database, clock: Clock, dice: random.Random) -> None:
        self._database = database
        self._clock = clock
        self._dice = dice

    async def block(self, player_id: int, challenger_id: int) -> None:
        """Block a challenger, and decline their open challenges to duels and Mastermind.

        The challenger cannot tell this from a player who takes no challenges at all. Nothing
        happens if the id is the player's own or a stand-in's.
        """
        if challenger_id == player_id or is_forgotten(challenger_id):
            return

        def body(tx: Transaction) -> list[str]:
            now = self._clock.now()
            people_store.block(tx, player_id, challenger_id, now)
            duels = duel_transactions.DuelTransaction(tx, now, self._dice)
            for found in duels.unfinished(player_id):
                duel = duels.settled(found)
                if duel.state is State.INVITED and duel.challenger_id == challenger_id:
                    duels.end(duel, Verdict(Event.DECLINE, None))
            codes = mastermind_transactions.MastermindTransaction(tx, now)
            for game in mastermind_store.open_of(tx, player_id, now):
                if game.owner_id == challenger_id and game.stage is Stage.INVITED:
                    codes.move(game, ending=Ending.DECLINED)
            return [*duels.report(), *codes.report()]

        for line in await self._database.write(body):
            log.info("%s", line)

    async def unblock(self, player_id: int, challenger_id: int) -> None:
        await self._database.write(lambda tx: people_store.unblock(tx, player_id, challenger_id))

    async def blocked(self, player_id: int) -> list[Blocked]:
        return await self._database.read(lambda tx: people_store.blocked(tx, player_id))
