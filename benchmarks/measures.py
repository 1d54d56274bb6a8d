"""The measurements: use cases, called as clicks call them."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from statistics import quantiles
from typing import Final

from benchmarks.world import DAYS, LENGTHS, World
from bot.services.focdle.model import Play
from bot.services.services import Services
from bot.services.standings.keys import Board, BoardGame, Period

QUICK: Final = 50.0
"""Milliseconds that a look may take."""
AT_ONCE: Final = 10.0
"""Milliseconds that a guess may take."""

_WARM: Final = 5
_AT_THE_DOOR: Final = 10
_MOST_PAGES: Final = 99
_ELSEWHERE: Final = 3 * 10**17

Act = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Task:
    """One measurement.

    Attributes:
        name: what it is.
        prepare: does what is not measured, and gives what is; each time for somebody else.
        bound: how many milliseconds it may take.
    """

    name: str
    prepare: Callable[[], Awaitable[Act]]
    bound: float | None


@dataclass(frozen=True, slots=True)
class Measured:
    """How long something took, in milliseconds.

    Attributes:
        name: what it is.
        low: the first quartile.
        median: of all times.
        high: the third quartile.
        late: what one in a hundred takes longer than.
        bound: what the median may be.
    """

    name: str
    low: float
    median: float
    high: float
    late: float
    bound: float | None


class StandingClock:
    """Shows a world's noon."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def now(self) -> datetime:
        """The present instant."""
        return self._now


class Scene:
    """A world, and what is to be measured in it.

    Args:
        services: on its database.
        world: what is in it.
    """

    def __init__(self, services: Services, world: World) -> None:
        self._services = services
        self._world = world
        self._rng = random.Random(1)
        self._games = self._puzzles()

    def tasks(self) -> Iterator[Task]:
        """Everything, looks before changes."""
        for board in _boards(self._world.guild_id):
            scope = "server" if board.guild_id else "global"
            name = f"{board.game}, {board.period}, {scope}"
            yield Task(f"{name}: first page", lambda b=board: self._page(b, 0), QUICK)
            # Beyond the end it is the last page.
            most = len(self._world.players) // 20
            yield Task(f"{name}: any page", lambda b=board, n=most: self._page(b, n), QUICK)
        yield Task("stats", lambda: self._stats(self._world.players), QUICK)
        yield Task("stats, 900 plays", lambda: self._stats(self._world.players[:1]), QUICK)
        yield Task("a year, 900 plays", lambda: self._year(self._world.players[:1]), QUICK)
        yield Task("finished games", lambda: self._finished(self._world.players), QUICK)
        yield Task(
            "finished games, 900 plays", lambda: self._finished(self._world.players[:1]), QUICK
        )
        yield Task("the first post of a week", self._recap, None)
        yield Task("a guess", lambda: self._guess(ends=False), AT_ONCE)
        yield Task("a guess that ends a game", lambda: self._guess(ends=True), AT_ONCE)
        yield Task(f"the last of {_AT_THE_DOOR} guesses at once", self._guesses, None)
        yield Task("a new member", self._join, None)
        yield Task("hiding", lambda: self._hide(on=True), None)
        yield Task("showing oneself again", lambda: self._hide(on=False), None)

    async def _page(self, board: Board, most: int) -> Act:
        viewer, number = self._rng.choice(self._world.members), self._rng.randint(0, most)
        return lambda: self._services.standings.boards.page(board, viewer, number)

    async def _stats(self, players: Sequence[int]) -> Act:
        player = self._rng.choice(players)
        return lambda: self._services.statistics.of(player, viewer_id=player)

    async def _year(self, players: Sequence[int]) -> Act:
        player, year = self._rng.choice(players), self._world.now.year
        return lambda: self._services.years.of(player, year)

    async def _finished(self, players: Sequence[int]) -> Act:
        player, number = self._rng.choice(players), self._rng.randint(0, _MOST_PAGES)
        # Beyond the end it is the last page.
        return lambda: self._services.finished.page(player, number)

    async def _recap(self) -> Act:
        posts = self._services.posts
        due = await posts.book.preview(self._world.guild_id)
        first = replace(due, last_day=due.day - timedelta(days=due.day.isoweekday()))
        return lambda: posts.news.gather(first)

    async def _guess(self, *, ends: bool) -> Act:
        daily = self._services.daily
        play = await self._open()
        code = play.game.secret
        while not ends and code == play.game.secret:
            code = play.rules.draw(self._rng)
        return lambda: daily.guess(play.player_id, play.id, code)

    async def _guesses(self) -> Act:
        guesses = [await self._guess(ends=False) for _ in range(_AT_THE_DOOR)]
        return lambda: asyncio.gather(*(guess() for guess in guesses))

    async def _open(self) -> Play:
        """A play that goes on in the largest server, of today's as long as there are any."""
        while True:
            player, puzzle = next(self._games)
            play = await self._services.daily.open(player, self._world.guild_id, puzzle=puzzle)
            if play.game.outcome is None:
                return play

    def _puzzles(self) -> Iterator[tuple[int, str | None]]:
        members = self._rng.sample(self._world.members, len(self._world.members))
        today = (None, *(f"/{length}" for length in LENGTHS))
        before = (f"{number}/{length}" for number in range(DAYS, 0, -1) for length in LENGTHS)
        for puzzle in (*today, *before):
            for player in members:
                if player != self._world.players[0]:
                    yield player, puzzle

    async def _join(self) -> Act:
        player, guild = self._rng.choice(self._world.players), self._rng.randrange(10**6)
        return lambda: self._services.standings.members.seen(
            player, "somebody", guild_id=_ELSEWHERE + guild, guild_name="somebody"
        )

    async def _hide(self, *, on: bool) -> Act:
        player, choose = self._rng.choice(self._world.players), self._services.preferences
        await choose.set_hidden(player, on=not on)
        return lambda: choose.set_hidden(player, on=on)


async def measure(
    scenes: Sequence[Scene], repeats: int, clock: Callable[[], float]
) -> list[list[Measured]]:
    """Measure everything in every world, in turns, so that what disturbs one disturbs all.

    Args:
        scenes: the worlds.
        repeats: how often everything is done.
        clock: seconds, of the wall or of this process.

    Returns:
        A list for each task, of what was measured in each world.
    """
    found: list[list[Measured]] = []
    for tasks in zip(*(scene.tasks() for scene in scenes), strict=True):
        times: list[list[float]] = [[] for _ in tasks]
        for round_ in range(repeats + _WARM):
            for task, taken in zip(tasks, times, strict=True):
                act = await task.prepare()
                since = clock()
                await act()
                if round_ >= _WARM:
                    taken.append(clock() - since)
        found.append([_measured(task, taken) for task, taken in zip(tasks, times, strict=True)])
    return found


def _measured(task: Task, times: Sequence[float]) -> Measured:
    hundredths = [1000 * time for time in quantiles(times, n=100, method="inclusive")]
    low, median, high, late = (hundredths[n - 1] for n in (25, 50, 75, 99))
    return Measured(task.name, low, median, high, late, task.bound)


def _boards(guild_id: int) -> Iterator[Board]:
    """Boards that are full: yesterday's, last week's, this month's, all time's."""
    for scope in (guild_id, None):
        for period in Period:
            previous = period in (Period.DAY, Period.WEEK)
            yield Board(BoardGame.FOCDLE, period, previous, scope)
        for game in (BoardGame.STREAK, BoardGame.MASTERMIND, BoardGame.DUELS):
            yield Board(game, Period.ALL, guild_id=scope)
