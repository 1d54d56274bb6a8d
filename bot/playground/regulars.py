"""Members who play by themselves, by the engine and at a person's pace: a newcomer is not alone.

What they do next follows from the database and the clock, so it goes on after a restart.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import partial
from random import Random
from typing import Any, Final

import simcord

from bot.clock import FIRST_DAY, Clock
from bot.duels.challenges import Challenge
from bot.duels.model import DuelView, State
from bot.duels.position import DuelOptions
from bot.failures import Failures
from bot.focdle.model import Play
from bot.games.model import FAIR, Channel, GameName, Source
from bot.mastermind.game import Setting
from bot.mastermind.model import MastermindGame, Stage
from bot.people.game import Admission, Allowances, Cost
from bot.playground.world import World
from bot.pool.worker import Named
from bot.races.model import Race
from bot.refused import Refused
from bot.services import Services, open_services
from engine import Code, Focdle, Strength

log = logging.getLogger(__name__)

_BREAKER: Final[Named[..., Any]] = Named("engine.solvers", "codebreaker")
_HANDS_OFF: Final = timedelta(minutes=3)
"""How long a member is left alone after a browser acted as them."""
_NOT_BEGUN: Final = timedelta(minutes=5)
_NOT_ENDED: Final = timedelta(minutes=15)
"""How long a race waits for the newcomer's daily."""
_GETS_SERIOUS: Final = 4
"""From how many guesses on a member thinks of all answers; before, of the last one alone."""

Played = DuelView | MastermindGame
Wish = tuple[datetime, Callable[[], Awaitable[object]]]
"""What a member wants to do, and when."""


class Hands(Allowances):
    """Notes when a browser last acted as each member: in the channel, or on FoCdle's page."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.acted_at: dict[int, datetime] = {}

    def take(self, player_id: int, cost: Cost) -> Admission:
        self.acted_at[player_id] = self._clock.now()
        return super().take(player_id, cost)


class Regulars:
    """All members of a world but the first, who is the newcomer."""

    def __init__(self, services: Services, clock: Clock, world: World) -> None:
        self._services = services
        self._clock = clock
        self._users = world.env.backend.users
        self._failures = Failures(log)
        self._newcomer, *self._members = world.members
        self._guild_id = self._newcomer.guild.id
        self._places = [Channel(self._guild_id, channel.id) for channel in world.channels]
        self._hands = services.allowances = Hands(clock)
        # A new world has no messages of the former one: a card that is missing is posted again.
        vars(services.cards)["was_deleted"] = services.cards.deleted

    async def run(self) -> None:
        # The bot's own timer would do this for a month of dailies, and actions would wait for it.
        difficulties = self._services.coach.difficulties
        work_out, vars(difficulties)["work_out"] = difficulties.work_out, partial(asyncio.sleep, 0)
        async with asyncio.TaskGroup() as group:
            working = group.create_task(work_out())
            while True:
                await asyncio.sleep(2)
                await self.beat()
                if working.done():
                    working = group.create_task(work_out())

    async def beat(self) -> None:
        """Let each member do one thing that is due."""
        for member in self._members:
            if self._has_acted(member, _HANDS_OFF):
                continue
            with self._failures.telling("a member's play", of=member.id):
                await self._note(member)
                async for due, act in self._wishes(member):
                    if due <= self._clock.now():
                        with suppress(Refused):  # then something else
                            await act()
                            break

    def _has_acted(self, member: simcord.MemberActor, within: timedelta) -> bool:
        acted_at = self._hands.acted_at.get(member.id)
        return acted_at is not None and self._clock.now() < acted_at + within

    async def _note(self, member: simcord.MemberActor) -> None:
        user = self._users[member.id]
        name = user.global_name or user.name
        await self._services.standings.members.seen(
            member.id, name, user.avatar, guild_id=self._guild_id, guild_name=name
        )

    async def _wishes(self, member: simcord.MemberActor) -> AsyncIterator[Wish]:
        services, player, turn = self._services, member.id, self._members.index(member)
        agenda = await services.agendas.of(player, self._guild_id)
        for game in agenda.running:
            moved_at = game.duel.moved_at if isinstance(game, DuelView) else game.moved_at
            if _is_called(game, player):
                yield moved_at + _pause(5, 15, player, moved_at), partial(self._move, player, game)
        races: list[Race] = []
        for place in self._places:
            races += [view.race for view in await services.races.seen_in(place)]
            card = await services.duels.seeking.open_in(place)
            if card is not None and card.seek.message_id and card.seek.player_id != player:
                waits = 26 - 20 * turn  # whoever is not the first to join a race
                number = card.seek.rules.draw(FAIR)
                take = partial(services.duels.seeking.take, player, card.seek.id, place, number)
                yield card.seek.opened_at + _pause(waits, waits + 6, card.seek.id), take
        for race in races:
            if (wish := self._wish_in(race, player, turn)) is not None:
                yield wish
        play = agenda.play
        if play is None:
            yield self._clock.now(), partial(services.daily.open, player, self._guild_id)
        elif play.finished_at is None:
            due = _after(play.opened_at, 4, 9, player, len(play.game.turns))
            yield due, partial(self._guess, play)
        else:
            async for wish in self._afterwards(play, turn, is_free=not races):
                yield wish

    def _wish_in(self, race: Race, player: int, turn: int) -> Wish | None:
        races, seat, begun_at = self._services.races, race.seat_of(player), race.started_at
        if begun_at is not None and seat is not None and seat.outcome is None:
            due = _after(begun_at, 12, 25, player, len(seat.guesses))
            return due, partial(self._guess_in, race, player)
        if begun_at is None and seat is None:
            due = race.opened_at + _pause(5 + 10 * turn, 9 + 10 * turn, race.id)
            return due, partial(races.join, player, race.id, race.channel)
        is_whole = race.opener_id == player and len(race.seats) > len(self._members)
        is_next = race.round > 1 and seat is not None and not seat.is_ready
        if begun_at is None and (is_whole or is_next):
            due = race.seats[-1].joined_at + _pause(5, 10, race.id, player)
            return due, partial(races.start, player, race.id, race.channel)
        return None

    async def _afterwards(self, play: Play, turn: int, *, is_free: bool) -> AsyncIterator[Wish]:
        """What follows a finished daily: *Share*, and a race once the newcomer is done."""
        services, player, now = self._services, play.player_id, self._clock.now()
        place, name = self._places[0], GameName(Source.PLAY, play.id)
        theirs = (await services.agendas.of(self._newcomer.id, self._guild_id)).play
        done_at = None if theirs is None else theirs.finished_at
        ended_at = own_at = play.finished_at or now
        if turn:
            ended_at = now if done_at is None else max(ended_at, done_at)
        due = ended_at + _pause(8, 16, player)
        is_asked = await services.posting.find(player, place, name)
        if not is_asked and now < due + timedelta(minutes=5):
            yield due, partial(services.posting.ask, player, place, name)
        if turn or not is_free or not self._has_acted(self._newcomer, timedelta(minutes=1)):
            return
        games = (await services.finished.page(player)).games
        raced = [game.finished_at for game in games if game.kind == Source.RACE]
        if not raced or now > raced[0] + timedelta(minutes=20):
            begin = partial(services.races.open, player, place, Focdle(), on_page=True)
            if done_at is None:  # nobody is called away from a daily, unless it is left alone
                done_at = own_at + _NOT_BEGUN if theirs is None else theirs.opened_at + _NOT_ENDED
            yield max(own_at, done_at) + timedelta(seconds=50), begin

    async def _choose(self, rules: Any, turns: Any) -> Code:
        return await self._services.pool.solve(partial(choose, rules, turns))

    async def _guess(self, play: Play) -> Play:
        code = await self._choose(play.rules, play.game.turns)
        return await self._services.daily.guess(
            play.player_id, play.id, code, as_probe=True, at=play.version
        )

    async def _guess_in(self, race: Race, player: int) -> Race:
        seat, races = race.seat_of(player), self._services.races
        made = () if seat is None else race.game(seat).turns
        code = await self._choose(race.rules, made)
        return (await races.guess(player, race.id, race.channel, code, as_probe=True)).race

    async def _move(self, player: int, game: Played) -> Played:
        """Accept a challenge, or a draw; else guess."""
        if isinstance(game, MastermindGame):
            challenges = self._services.mastermind.challenges
            if game.stage is Stage.INVITED:
                return await challenges.accept(player, game.id, Setting.of(game.rules))
            code = await self._choose(game.rules, game.turns)
            return await challenges.guess(player, game.id, code, at=game.revision)
        duels, duel, seat = self._services.duels, game.duel, game.duel.seat_of(player) or 0
        if duel.state is State.INVITED:
            return await duels.inviting.accept(player, duel.id, duel.terms, duel.rules.draw(FAIR))
        if duel.draw_offered_by == 1 - seat:
            return await duels.playing.accept_draw(player, duel.id)
        code = await self._choose(duel.rules, duel.own_turns(seat))
        return await duels.playing.guess(player, duel.id, code, at=duel.version)

    async def live_through(self, days: int, clock: "PastClock") -> None:
        """Play until yesterday, as the clock is set back: dailies, at times duels, Mastermind."""
        today = clock.at.date()
        first, second = self._members
        games = (await self._services.finished.page(first.id)).games
        day = max(today - timedelta(days), FIRST_DAY)
        if games:
            day = max(day, games[0].finished_at.date() + timedelta(1))
        else:  # with the first game begins the daily post
            place = self._places[0]
            await self._services.settings.change(self._guild_id, channel_id=place.channel_id)
        while day < today:
            for member in self._members:
                clock.at = datetime.combine(day, time(10), UTC) + _pause(0, 9_000, member.id, day)
                await self._note(member)
                if member is second and (today - day).days % 9 == 8:  # noqa: PLR2004
                    continue
                play = await self._services.daily.open(member.id, self._guild_id)
                while play.finished_at is None:
                    play = await self._guess(play)
                    clock.at += timedelta(seconds=20)
                if (day.toordinal() + member.id) % 3 == 0:
                    await self._break_code(member.id)
            if day.toordinal() % 3 == 0:
                await self._duel(clock, first.id, second.id)
            day += timedelta(1)

    async def _break_code(self, player: int) -> None:
        solo = self._services.mastermind.solo
        game = await solo.open(player, Setting())
        while game.stage is not Stage.OVER:
            code = await self._choose(game.rules, game.turns)
            game = await solo.guess(player, game.id, code)

    async def _duel(self, clock: "PastClock", *players: int) -> None:
        place, options = self._places[0], DuelOptions()
        challenge = Challenge(players[0], players[1], place.guild_id, place.channel_id)
        number = options.rules().draw(FAIR)
        game: Any = await self._services.duels.inviting.challenge(challenge, options, number)
        while game.duel.state is not State.OVER:
            clock.at += timedelta(seconds=12)
            (player,) = (each for each in players if game.waits_for(each))
            game = await self._move(player, game)


@dataclass
class PastClock:
    at: datetime

    def now(self) -> datetime:
        return self.at


async def fill(url: str, clock: Clock, world: World, days: int = 30) -> None:
    """Let the regulars play each day since they last did, up to yesterday."""
    past = PastClock(clock.now())
    with Failures(log).telling("the days before"):
        async with open_services(url, past, is_bot=False) as services:
            await Regulars(services, past, world).live_through(days, past)


def choose(rules: Any, turns: Any) -> Code:
    breaker = _BREAKER(rules, Strength.SHARP, rng=Random())  # noqa: S311 - no secret
    seen, made = turns if len(turns) >= _GETS_SERIOUS else turns[-1:], {t.guess for t in turns}
    while (code := breaker.next_guess(seen)) in made:
        pass
    return code


def _is_called(game: Played, player: int) -> bool:
    if game.waits_for(player) or isinstance(game, MastermindGame):
        return game.waits_for(player)
    return game.duel.draw_offered_by not in {None, game.duel.seat_of(player)}


def _pause(least: float, most: float, *about: object) -> timedelta:
    """Draw how long a person takes: for the same matter always the same."""
    return timedelta(seconds=Random(f"{about}").uniform(least, most))  # noqa: S311 - no secret


def _after(since: datetime, least: float, most: float, player: int, made: int) -> datetime:
    """When a player guesses who has made so many guesses, one after the other."""
    pauses = (_pause(least, most, since, player, n) for n in range(made + 1))
    return since + sum(pauses, timedelta())
