"""Times of boards, statistics and guesses on a large database: `python -m benchmarks.storage`.

The database is generated, with the same rows for the same size. The use cases are measured as
clicks call them, on the file that hosts have.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from statistics import quantiles
from time import perf_counter, process_time
from typing import Final

from sqlalchemy import text

from benchmarks.common import aligned
from benchmarks.world import DAYS, LENGTHS, World, fill
from bot.db.database import Database, Transaction
from bot.focdle.model import Play
from bot.hosting.move import move
from bot.leaderboards.scores import Board, BoardGame, Period
from bot.services import Services, open_services
from tests.support.clock import FakeClock

QUICK: Final = 50.0
"""Milliseconds that a look may take."""
AT_ONCE: Final = 10.0
"""Milliseconds that a guess may take."""

_WARM: Final = 5
_AT_THE_DOOR: Final = 10
_MOST_PAGES: Final = 99
_ELSEWHERE: Final = 3 * 10**17

Act = Callable[[], Awaitable[object]]
MOST_GROWTH: Final = 1.5
"""How much slower anything bounded may be in the largest world than in the one before it."""
_MANY_ROWS: Final = 10_000
_SCANS: Final = (
    "SELECT relname, seq_scan, idx_scan FROM pg_stat_user_tables"
    " WHERE n_live_tup > :many AND seq_scan > 0 ORDER BY relname"
)


@dataclass(frozen=True, slots=True)
class Task:
    """A measurement, with its bound in milliseconds.

    `prepare` does the unmeasured part, for another player each time, and returns the measured one.
    """

    name: str
    prepare: Callable[[], Awaitable[Act]]
    bound: float | None


@dataclass(frozen=True, slots=True)
class Measured:
    """Measured milliseconds: quartiles, and the 99th percentile."""

    name: str
    low: float
    median: float
    high: float
    late: float
    bound: float | None


class Scene:
    """A world, and the measurements in it."""

    def __init__(self, services: Services, world: World) -> None:
        self._services = services
        self._world = world
        self._rng = random.Random(1)
        self._games = self._puzzles()

    def tasks(self) -> Iterator[Task]:
        """Yield all measurements, reads before writes."""
        for board in _boards(self._world.guild_id):
            name = f"{board.game}, {board.period}"
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
        """Open a running play in the largest server, of today's puzzle as long as there are any."""
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
    """Measure every task in every world alternately, so that disturbances hit all.

    Returns a list for each task, with a result for each world.
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
        row: list[Measured] = []
        for task, taken in zip(tasks, times, strict=True):
            hundredths = [1000 * time for time in quantiles(taken, n=100, method="inclusive")]
            low, median, high, late = (hundredths[n - 1] for n in (25, 50, 75, 99))
            row.append(Measured(task.name, low, median, high, late, task.bound))
        found.append(row)
    return found


def _boards(guild_id: int) -> Iterator[Board]:
    """Yield full boards: yesterday's, last week's, this month's, all time's."""
    for period in Period:
        previous = period in (Period.DAY, Period.WEEK)
        yield Board(BoardGame.FOCDLE, period, previous, guild_id=guild_id)
    for game in (BoardGame.STREAK, BoardGame.MASTERMIND, BoardGame.DUELS):
        yield Board(game, guild_id=guild_id)


def table(sizes: Sequence[int], results: Sequence[Sequence[Measured]]) -> tuple[str, bool]:
    """Format the results as a table; return true if all bounds are kept, too.

    Results of the largest world on PostgreSQL have no bounds.
    """
    head = ["milliseconds: median (quartiles) 99 %", *(f"{size:,} plays" for size in sizes)]
    head += ["on PostgreSQL"] * any(len(row) > len(sizes) for row in results)
    lines = [[*head, "growth", "bound", "verdict"]]
    is_kept = True
    for row in results:
        last, before = row[len(sizes) - 1], row[max(0, len(sizes) - 2)]
        growth = last.median / before.median
        kept = last.bound is None or (last.median < last.bound and growth <= MOST_GROWTH)
        is_kept = is_kept and kept
        verdict = "-" if last.bound is None else "pass" if kept else "MISS"
        bound = "" if last.bound is None else f"{last.bound:.0f}"
        cells = [f"{m.median:.2f} ({m.low:.2f}-{m.high:.2f}) {m.late:.1f}" for m in row]
        lines.append([last.name, *cells, f"{growth:.2f}", bound, verdict])
    return aligned(lines), is_kept


async def prepare(url: str) -> None:
    """Analyse a filled database, and count its scans from now on."""
    database = await Database.open(url)

    def body(tx: Transaction) -> None:
        tx.execute(text("ANALYZE"))
        tx.execute(text("SELECT pg_stat_reset()"))

    await database.write(body)
    await database.close()


async def sequential_scans(url: str) -> str:
    """List the large tables that were scanned sequentially since then."""
    database = await Database.open(url)

    def body(tx: Transaction) -> list[str]:
        rows = tx.execute(text(_SCANS), {"many": _MANY_ROWS})
        return [f"{name}: read as a whole {n} times, by an index {m}" for name, n, m in rows]

    lines = await database.read(body)
    await database.close()
    return "\n".join(lines or ["no large table was read as a whole"]) + "\n"


class _Options(argparse.Namespace):
    plays: list[int]
    repeats: int
    cpu: bool
    folder: Path | None
    postgres: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure worlds of the requested sizes; return 0 if all bounds are kept."""
    options = _parser().parse_args(arguments, _Options())
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        text, is_kept = asyncio.run(_run(options, Path(folder)))
    sys.stdout.write(text)
    return int(not is_kept)


async def _run(options: _Options, folder: Path) -> tuple[str, bool]:
    sizes = sorted(options.plays)
    clock = process_time if options.cpu else perf_counter
    async with AsyncExitStack() as stack:
        made = [await _make(folder, size) for size in sizes]
        if options.postgres:
            made.append((options.postgres, made[-1][1]))
            await _move(made[-2][0], options.postgres, made[-1][1].now)
        scenes = [
            Scene(await stack.enter_async_context(_opened(url, world)), world)
            for url, world in made
        ]
        measured = await measure(scenes, options.repeats, clock)
        scans = [await sequential_scans(options.postgres)] if options.postgres else []
        text, is_kept = table(sizes, measured)
        return "\n".join([text, *scans]), is_kept


async def _make(folder: Path, plays: int) -> tuple[str, World]:
    """Make a world in a file of its own, with its leaderboards."""
    path, since = folder / f"{plays}.db", perf_counter()
    url = f"sqlite:///{path}"
    database = await Database.open(url)
    world = await fill(database, plays)
    await database.close()
    async with _opened(url, world) as services:
        while await services.upkeep.settle():
            pass
    size = (await asyncio.to_thread(path.stat)).st_size
    sys.stderr.write(
        f"{world.plays} plays, {len(world.players)} players, {world.guilds} servers"
        f" with up to {len(world.members)} members: {size / 1e6:.0f} MB,"
        f" made in {perf_counter() - since:.0f} s\n"
    )
    return url, world


def _opened(url: str, world: World) -> AbstractAsyncContextManager[Services]:
    clock = FakeClock(world.now)
    return open_services(url, clock, puzzle_key="the key of the bench")


async def _move(source: str, target: str, now: datetime) -> None:
    since = perf_counter()
    moved = await move(source, target, FakeClock(now + timedelta(days=1)), lambda _: None)
    rows, seconds = sum(content.rows for content in moved), perf_counter() - since
    sys.stderr.write(f"{rows:,} rows moved in {seconds:.0f} s\n")
    await prepare(target)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.storage")
    parser.add_argument(
        "plays", type=int, nargs="*", default=[10**4, 10**5, 10**6], help="sizes of worlds"
    )
    parser.add_argument("--repeats", type=int, default=200, help="of each measurement")
    parser.add_argument("--cpu", action="store_true", help="processor time, on a busy machine")
    parser.add_argument(
        "--postgres", default="", help="URL of an empty database: measure the last size there, too"
    )
    parser.add_argument("--folder", type=Path, help="for the databases; the last has a gigabyte")
    return parser


if __name__ == "__main__":
    sys.exit(main())
