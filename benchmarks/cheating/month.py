"""A simulated month that jumps from act to act: members' acts, and their results."""

import asyncio
import random
from collections.abc import Awaitable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from heapq import heappop, heappush
from itertools import count
from typing import Any, Final, TypeVar
from zoneinfo import ZoneInfo

from bot.duels.challenges import Challenge
from bot.duels.model import DuelView, Pace
from bot.duels.position import Options
from bot.focdle.model import Play
from bot.home.pages import exact_rules
from bot.leaderboards.game import Page
from bot.leaderboards.scores import (
    Board,
    BoardGame,
    DuelFigures,
    Figures,
    FocdleFigures,
    MastermindFigures,
    StreakFigures,
)
from bot.mastermind.game import Setting
from bot.mastermind.model import Kind, MastermindGame
from bot.privacy.model import CONFIRMATION
from bot.refused import Refused
from bot.services import Services
from engine import Code, is_consistent
from tests.support.clock import FakeClock

T = TypeVar("T")

HOME: Final = 10**17
"""The server where everybody is."""
HOME_ZONE: Final = "Europe/Berlin"
WEST: Final = "Etc/GMT+12"
EAST: Final = "Pacific/Kiritimati"
"""Where dates end last, and begin first."""
FIRST: Final = date(2026, 3, 2)
"""The first date."""

_DISCORD_EPOCH: Final = datetime(2015, 1, 1, tzinfo=UTC)
_TIME_BITS: Final = 22
_LONG_AGO: Final = timedelta(days=1000)
_CHANNEL: Final = 1
_BAD_GUESS: Final = "rrrr"
_ROUNDS: Final = 3
"""Both guess so often before one of them wins."""
MEMBERS: Final = 8
_GUESSES: Final = (2, 3, 4, 5, 6, 7)
_WEIGHTS: Final = (5, 18, 34, 27, 11, 5)
_PLAYS: Final = 0.95
"""How likely somebody plays on a date."""
_DUELS_A_DAY: Final = 3
_MASTERMIND_EVERY: Final = 4
"""Days from one game of Mastermind to the next."""
_EDGE: Final = 0.4
"""By how much the best member is likelier to win against the least than to toss up."""
_WAKING: Final = (8, 22)


@dataclass(frozen=True, slots=True)
class Person:
    """A Discord account, with dice of its own; the id tells its age."""

    id: int
    name: str
    dice: random.Random = field(compare=False)


class Month:
    """The services, the clock and the dates that all members share."""

    def __init__(self, services: Services, clock: FakeClock, days: int) -> None:
        self.services = services
        self.days = [FIRST + timedelta(days=n) for n in range(days)]
        self._clock = clock
        self._accounts = count(1)
        self._turns = count()
        self._sleepers: list[tuple[datetime, int, asyncio.Future[None]]] = []
        self._awake = 0
        self._is_quiet = asyncio.Event()

    @property
    def now(self) -> datetime:
        return self._clock.now()

    @property
    def end(self) -> datetime:
        """The end of all dates, in every zone."""
        return at(self.days[-1] + timedelta(days=2), 18)

    def person(self, name: str, *, age: timedelta = _LONG_AGO) -> Person:
        """Make a member whose account had this age when the month began."""
        made = at(FIRST, 0) - age
        milliseconds = (made - _DISCORD_EPOCH) // timedelta(milliseconds=1)
        dice = random.Random(name)
        return Person((milliseconds << _TIME_BITS) + next(self._accounts), name, dice)

    async def until(self, moment: datetime) -> None:
        """Let others act until a moment."""
        woken = asyncio.get_running_loop().create_future()
        heappush(self._sleepers, (max(moment, self.now), next(self._turns), woken))
        self._rest()
        await woken

    async def live(self, lives: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
        """Run everybody's month, with one member awake at a time; return the results."""
        self._awake = len(lives)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._lived(life)) for life in lives]
            while not all(task.done() for task in tasks):
                await self._is_quiet.wait()
                self._is_quiet.clear()
                if self._sleepers:
                    moment, _turn, woken = heappop(self._sleepers)
                    self._clock.set(moment)
                    self._awake += 1
                    woken.set_result(None)
        return [task.result() for task in tasks]

    async def _lived(self, life: Coroutine[Any, Any, T]) -> T:
        try:
            await self.until(self.now)
            return await life
        finally:
            self._rest()

    def _rest(self) -> None:
        self._awake -= 1
        if not self._awake:
            self._is_quiet.set()


def at(day: date, hour: float, zone: str = HOME_ZONE) -> datetime:
    """Return the instant of an hour of a date in a zone."""
    midnight = datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC)
    return midnight + timedelta(hours=hour)


async def worked(act: Awaitable[object]) -> bool:
    try:
        await act
    except Refused:
        return False
    return True


async def join(month: Month, person: Person, guild_id: int = HOME) -> None:
    members = month.services.standings.members
    await members.seen(person.id, person.name, guild_id=guild_id, guild_name=person.name)


async def play_daily(
    month: Month, person: Person, guesses: int, guild_id: int | None = HOME
) -> Play:
    """Solve today's puzzle with `guesses`; a number above the limit loses it."""
    play = await month.services.daily.open(person.id, guild_id)
    for code in _wrong_equations(person, play, guesses - 1):
        if play.game.outcome is None:
            play = await month.services.daily.guess(person.id, play.id, code)
    if play.game.outcome is None:
        play = await month.services.daily.guess(person.id, play.id, play.game.secret)
    return play


def _wrong_equations(person: Person, play: Play, most: int) -> Iterator[str]:
    drawn: set[str] = {play.game.secret}
    while len(drawn) <= most:
        code = play.rules.draw(person.dice)
        if code not in drawn:
            drawn.add(code)
            yield code


async def begin_duel(month: Month, one: Person, other: Person) -> tuple[DuelView, dict[int, Code]]:
    """Challenge, accept, set both numbers; return the duel, and the number each must find."""
    inviting, playing = month.services.duels.inviting, month.services.duels.playing
    options = Options()
    numbers = {person.id: options.rules().draw(person.dice) for person in (one, other)}
    challenge = Challenge(one.id, other.id, HOME, _CHANNEL)
    game = await inviting.challenge(challenge, options, numbers[one.id])
    await inviting.accept(other.id, game.duel.id, Pace.RELAXED, game.duel.terms)
    game = await playing.set_secret(other.id, game.duel.id, numbers[other.id])
    return game, {one.id: numbers[other.id], other.id: numbers[one.id]}


async def play_duel(month: Month, winner: Person, loser: Person) -> None:
    """Play a duel that one of the two wins after some turns."""
    game, targets = await begin_duel(month, loser, winner)
    wrong = (code for code in game.duel.rules.codes() if code not in targets.values())
    while game.duel.ending is None:
        mover = game.seats[game.duel.to_move or 0].player_id or 0
        is_won = mover == winner.id and game.seats[game.duel.to_move or 0].guesses >= _ROUNDS
        guess = targets[mover] if is_won else next(wrong)
        game = await month.services.duels.playing.guess(mover, game.duel.id, guess)


async def resign_duel(month: Month, winner: Person, loser: Person) -> None:
    """Begin a duel that `loser` resigns at once."""
    game, _targets = await begin_duel(month, loser, winner)
    await month.services.duels.playing.resign(loser.id, game.duel.id)


async def resign_duel_and_delete(month: Month, winner: Person, loser: Person) -> None:
    """Begin a duel that `loser` resigns, then delete the loser's data."""
    await resign_duel(month, winner, loser)
    await month.services.privacy.players.delete(loser.id, CONFIRMATION)


async def delete_in_duel(month: Month, winner: Person, loser: Person) -> None:
    """Begin a duel, and delete the loser's data while it goes on."""
    await begin_duel(month, loser, winner)
    await month.services.privacy.players.delete(loser.id, CONFIRMATION)


async def play_mastermind(month: Month, person: Person) -> MastermindGame:
    """Break a code at the standard setting, always with a possible code."""
    solo = month.services.mastermind.solo
    game = await solo.open(person.id, Setting())
    codes = list(game.rules.codes())
    person.dice.shuffle(codes)
    while game.ending is None:
        guess = next(code for code in codes if is_consistent(game.rules, code, game.turns))
        game = await solo.guess(person.id, game.id, guess)
    return game


async def let_bot_guess(
    month: Month, player: Person, asker: Person, setting: Setting, *, begins: bool = False
) -> bool:
    """Break a code at the standard setting with the bot's guesses in a game beside it.

    Args:
        player: breaks the code.
        asker: the owner of the bot's game, whose answers are those to the player's guesses.
        setting: of the bot's game.
        begins: the player makes a bad first guess before.

    Returns:
        False if the bot does not guess; then the begun games are given up.
    """
    solo, defence = month.services.mastermind.solo, month.services.mastermind.defence
    game = await solo.open(player.id, Setting())
    if begins:
        game = await solo.guess(player.id, game.id, _BAD_GUESS)
        if game.ending is not None:  # solved by luck
            return False
    helper = await _opened(month, asker, setting)
    if helper is None and begins:
        await solo.surrender(player.id, game.id)
    while game.ending is None and helper is not None and helper.question is not None:
        game = await solo.guess(player.id, game.id, helper.question.guess)
        answer = game.turns[-1].feedback
        view = await defence.answer(asker.id, helper.id, helper.question, answer.bulls)
        helper = view.game
        if helper.question is not None and helper.question.blacks is not None:
            view = await defence.answer(asker.id, helper.id, helper.question, answer.cows)
            helper = view.game
    return helper is not None


async def _opened(month: Month, person: Person, setting: Setting) -> MastermindGame | None:
    """Open a game in which the bot guesses; if it is refused, return one that is open already."""
    mastermind = month.services.mastermind
    try:
        return (await mastermind.defence.open(person.id, setting)).game
    except Refused:
        for game in await mastermind.games.open_of(person.id):
            if game.kind is Kind.DEFEND and not game.sealed:
                return (await mastermind.defence.view(person.id, game.id)).game
    return None


def crowd(month: Month, members: int) -> list[Person]:
    """Make honest members, the best one first."""
    return [month.person(f"Member {n + 1}") for n in range(members)]


def lives(month: Month, people: Sequence[Person]) -> Iterator[Coroutine[Any, Any, None]]:
    """Yield honest members' acts: dailies, Mastermind, and duels with each other."""
    for person in people:
        yield _plays(month, person)
    yield _duel(month, people)


async def _plays(month: Month, person: Person) -> None:
    await join(month, person)
    for number, day in enumerate(month.days):
        await month.until(at(day, person.dice.uniform(*_WAKING)))
        await join(month, person)
        if person.dice.random() < _PLAYS:
            (guesses,) = person.dice.choices(_GUESSES, _WEIGHTS)
            await play_daily(month, person, guesses)
        if number % _MASTERMIND_EVERY == 0:
            await play_mastermind(month, person)


async def _duel(month: Month, people: Sequence[Person]) -> None:
    dice = people[0].dice
    for day in month.days:
        await month.until(at(day, _WAKING[1]))
        for _ in range(_DUELS_A_DAY):
            better, other = sorted(dice.sample(range(len(people)), 2))
            is_likely = dice.random() < 1 / 2 + _EDGE * (other - better) / (len(people) - 1)
            winner, loser = (better, other) if is_likely else (other, better)
            await play_duel(month, people[winner], people[loser])
            await month.until(month.now + timedelta(minutes=5))


class Verdict(Enum):
    NOTHING = "gets nothing"
    SOMETHING = "GETS SOMETHING"
    SAID = "possible, and said"
    UNSAID = "possible, NOT SAID"
    HONEST = "honest"

    @property
    def is_as_promised(self) -> bool:
        return self in {Verdict.NOTHING, Verdict.SAID, Verdict.HONEST}


@dataclass(frozen=True, slots=True)
class Finding:
    """A cheat's result beside honest members', and the rules' words on it."""

    trick: str
    gain: str
    honest: str
    verdict: Verdict
    said: str = ""


def forbidden(trick: str, gain: str, honest: str, *, gets: bool) -> Finding:
    """Report a cheat that must gain nothing."""
    return Finding(trick, gain, honest, Verdict.SOMETHING if gets else Verdict.NOTHING)


def possible(trick: str, gain: str, honest: str, said: str) -> Finding:
    """Report a cheat that cannot be prevented, so that the rules must mention it."""
    verdict = Verdict.SAID if said in exact_rules() else Verdict.UNSAID
    return Finding(trick, gain, honest, verdict, said)


def innocent(who: str, gain: str) -> Finding:
    """Report honest players whom a rule against cheats could hurt."""
    return Finding(who, gain, "", Verdict.HONEST)


async def standing(
    month: Month, game: BoardGame, person: Person, guild_id: int | None = HOME
) -> Page:
    """Read a leaderboard of all time with a member's own row."""
    board = Board.of(game, guild_id=guild_id)
    # A streak has only one period.
    return await month.services.standings.boards.page(board, person.id)


async def is_ranked(month: Month, person: Person, guild_id: int | None = HOME) -> bool:
    own = (await standing(month, BoardGame.DUELS, person, guild_id)).own
    return own is not None and own.rank > 0


async def placed(month: Month, game: BoardGame, person: Person, guild_id: int | None = HOME) -> str:
    """Describe a member's figures and rank on a leaderboard."""
    page = await standing(month, game, person, guild_id)
    figures = page.own.figures if page.own else page.own_figures
    if figures is None:
        return "no rank"
    rank = f"rank {page.own.rank}" if page.own and page.own.rank else "no rank"
    return f"{_said(figures)}, {rank}"


async def honest(
    month: Month, game: BoardGame, people: Sequence[Person], guild_id: int | None = HOME
) -> str:
    """Describe the best and the median honest member on a leaderboard."""
    pages = [await standing(month, game, person, guild_id) for person in people]
    found = [page.own.figures for page in pages if page.own and page.own.rank]
    if not found:
        return "nobody ranked"
    best_first = sorted(found, key=lambda figures: figures.sort_key or 0)
    return f"best {_said(best_first[0])}, median {_said(best_first[len(found) // 2])}"


def _said(figures: Figures) -> str:
    match figures:
        case FocdleFigures():
            return f"{figures.points} points"
        case StreakFigures():
            return f"{figures.length} days"
        case MastermindFigures():
            return f"{figures.mean:.2f} guesses"
        case DuelFigures():
            return f"{figures.rating} after {figures.games}"
