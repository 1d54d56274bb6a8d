"""Time and memory of guesses while other players wait for the coach.

    python -m benchmarks.coach

One player guesses again and again, on a database in a temporary folder: first alone, then while
ten, then while a hundred players always wait for the coach.
"""

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Final

from benchmarks.common import aligned, resident
from bot.clock import SystemClock
from bot.games.model import GameName, Source
from bot.pool.pool import Pool
from bot.services import Services, open_services
from engine import Focdle, Outcome

COACHES: Final = (0, 10, 100)
LENGTHS: Final = (9, 10, 11, 12)
GUESSES: Final = 400

_FIRST_OTHER: Final = 10**6
_PAUSE_SECONDS: Final = 0.01
_PATIENCE_SECONDS: Final = 10.0

Finished = tuple[int, GameName]
"""A game that is over, and whose it is."""
Take = Callable[[], Awaitable[Finished]]


@dataclass(slots=True)
class Row:
    """Results with `coaches` players waiting: seconds of guesses and waits, and peak memory."""

    coaches: int
    guesses: list[float] = field(default_factory=list[float])
    waits: list[float] = field(default_factory=list[float])
    megabytes: float = 0


async def measure(
    services: Services, coaches: int, guesses: int, lengths: Sequence[int] = LENGTHS
) -> Row:
    """Time guesses while `coaches` players wait for games of these lengths."""
    row = Row(coaches)
    players = count(_FIRST_OTHER * (coaches + 1))
    player = coaches + 1
    finish = partial(_finished, services, lengths)
    games = [await finish(next(players)) for _ in range(3 * coaches)]

    async def take() -> Finished:
        return games.pop() if games else await finish(next(players))

    async with _at_work(services, coaches, take, row):
        rng, rules = random.Random(0), Focdle(10)
        for guess in dict.fromkeys(rules.draw(rng) for _ in range(guesses)):
            play = await services.practice.open(player, None, 10)
            began = time.perf_counter()
            play = await services.daily.guess(player, play.id, guess)
            row.guesses.append(time.perf_counter() - began)
            row.megabytes = max(row.megabytes, resident())
            if play.game.outcome is None and len(play.game.turns) == play.rules.max_guesses - 1:
                await services.daily.guess(player, play.id, play.game.secret)
            await asyncio.sleep(_PAUSE_SECONDS)
    return row


@asynccontextmanager
async def _at_work(services: Services, coaches: int, take: Take, row: Row) -> AsyncGenerator[None]:
    """Keep players waiting for the coach during a block, each for a new game."""
    tasks = [asyncio.create_task(_consult(services, take, row)) for _ in range(coaches)]
    await asyncio.sleep(_PAUSE_SECONDS)
    yield
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _consult(services: Services, take: Take, row: Row) -> None:
    while True:
        player, name = await take()
        began = time.perf_counter()
        consultation = await services.coach.reviews.ask(player, name)
        while await consultation.within(_PATIENCE_SECONDS) is None:
            pass
        row.waits.append(time.perf_counter() - began)


async def _finished(services: Services, lengths: Sequence[int], player: int) -> Finished:
    """Play a game of four guesses to its end."""
    rng = random.Random(player)
    play = await services.practice.open(player, None, rng.choice(lengths))
    for guess in dict.fromkeys(play.rules.draw(rng) for _ in range(3)):
        if play.game.outcome is None:
            play = await services.daily.guess(player, play.id, guess)
    if play.game.outcome is not Outcome.SOLVED:
        play = await services.daily.guess(player, play.id, play.game.secret)
    return player, GameName(Source.PLAY, play.id)


def table(rows: list[Row]) -> str:
    heads = "coaches", "guesses", "median ms", "p99 ms", "worst ms", "answered", "longest wait s"
    lines = [[*heads, "MB"]]
    for row in rows:
        spent = sorted(1000 * seconds for seconds in row.guesses)
        p99 = spent[int(len(spent) * 0.99)]
        lines.append(
            [
                str(row.coaches),
                str(len(spent)),
                f"{statistics.median(spent):.1f}",
                f"{p99:.1f}",
                f"{spent[-1]:.1f}",
                str(len(row.waits)),
                f"{max(row.waits, default=0):.1f}",
                f"{row.megabytes:.0f}",
            ]
        )
    return aligned(lines)


async def run(guesses: int) -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/bench.db"
        async with open_services(
            url,
            SystemClock(),
            puzzle_key="the key of the bench",
            make_pool=lambda: Pool.with_workers(2),
        ) as services:
            return [await measure(services, coaches, guesses) for coaches in COACHES]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coach")
    parser.add_argument("--guesses", type=int, default=GUESSES, help="for each number of coaches")
    options = parser.parse_args()
    sys.stdout.write(table(asyncio.run(run(options.guesses))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
