"""Guesses a second on one database, from one process and from several.

    python -m benchmarks.throughput --postgres URL

One process on SQLite, then one, two and four on PostgreSQL, repeatedly; each lets players guess at
practices as fast as they are answered, without Discord. It reports the time of a guess, and its
transaction's wait for a connection and its locks.
"""

import argparse
import asyncio
import multiprocessing
import random
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Any, Final, TypeVar

from benchmarks.common import aligned
from bot.clock import SystemClock
from bot.db.database import Database
from bot.db.keys import Key
from bot.db.transaction import Body, Transaction
from bot.services import Services, open_services

T = TypeVar("T")

_KEY: Final = "the key of the bench, which is long enough"
_SECONDS: Final = 4.0
_WARM_SECONDS: Final = 1.0
_PLAYERS: Final = 16
_LENGTH: Final = 10
_FIRST: Final = 5 * 10**17

_spawn: Final = multiprocessing.get_context("spawn")


@dataclass(frozen=True, slots=True)
class Heard:
    """Measurements of a process: seconds of each guess and wait, and of processor time."""

    guesses: list[float]
    waits: list[float]
    computed: float = 0.0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.throughput")
    parser.add_argument("--postgres", default="", help="URL of a database that may be filled")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    parser.add_argument("--seconds", type=float, default=_SECONDS, help="how long, each time")
    options = parser.parse_args(arguments)
    kinds = [("SQLite", 1)]
    kinds += [("PostgreSQL", n) for n in (1, 2, 4)] if options.postgres else []
    found: dict[tuple[str, int], list[list[Heard]]] = {kind: [] for kind in kinds}
    with tempfile.TemporaryDirectory() as folder:
        for round_ in range(options.rounds):
            for kind, processes in kinds:
                file = f"sqlite:///{Path(folder) / 'bench.db'}"
                url = options.postgres if kind == "PostgreSQL" else file
                heard = _let_all_guess(url, processes, round_, options.seconds)
                found[kind, processes].append(heard)
    sys.stdout.write(_table(found, options.seconds))
    return 0


def _let_all_guess(url: str, processes: int, round_: int, seconds: float) -> list[Heard]:
    """Let several processes guess at once; return their measurements."""
    barrier, results = _spawn.Barrier(processes), _spawn.SimpleQueue()
    running = [
        _spawn.Process(
            target=_guess_in,
            args=(url, _FIRST + 10_000 * round_ + 100 * number, seconds, barrier, results),
        )
        for number in range(processes)
    ]
    for process in running:
        process.start()
    heard = [results.get() for _ in running]
    for process in running:
        process.join()
    return heard


def _guess_in(url: str, first: int, seconds: float, barrier: Barrier, results: Any) -> None:
    results.put(asyncio.run(_guess_for(url, first, seconds, barrier)))


async def _guess_for(url: str, first: int, seconds: float, barrier: Barrier) -> Heard:
    heard = Heard([], [])
    async with open_services(url, SystemClock(), puzzle_key=_KEY) as services:
        await asyncio.to_thread(barrier.wait)
        players = [asyncio.create_task(_play(services, first + n, heard)) for n in range(_PLAYERS)]
        await asyncio.sleep(_WARM_SECONDS)
        _time_waits(heard)
        heard.guesses.clear()
        since = process_time()
        await asyncio.sleep(seconds)
        counted = Heard([*heard.guesses], [*heard.waits], process_time() - since)
        for player in players:
            if player.done():  # it has failed
                player.result()
            player.cancel()
        await asyncio.wait(players)
    return counted


async def _play(services: Services, player: int, heard: Heard) -> None:
    """Guess at one practice after another; never right, so that each takes six guesses."""
    dice = random.Random(player)
    while True:
        play = await services.practice.open(player, None, _LENGTH)
        while play.game.outcome is None:
            code = play.rules.draw(dice)
            if code == play.game.secret or code in [turn.guess for turn in play.game.turns]:
                continue
            since = perf_counter()
            play = await services.daily.guess(player, play.id, code)
            heard.guesses.append(perf_counter() - since)


def _time_waits(heard: Heard) -> None:
    """Measure the wait of each transaction from now on."""
    database: Any = Database
    write = database.write

    async def timed(self: Database, body: Body[T], *keys: Key) -> T:
        since = perf_counter()

        def begun(tx: Transaction) -> T:
            heard.waits.append(perf_counter() - since)
            return body(tx)

        return await write(self, begun, *keys)

    database.write = timed


def _table(found: dict[tuple[str, int], list[list[Heard]]], seconds: float) -> str:
    head = ["database", "processes", "guesses a second", "a guess, ms", "99 %", "waits, ms", "99 %"]
    head.append("processor, ms a guess")
    lines = [head]
    for (kind, processes), rounds in found.items():
        rates = [sum(len(each.guesses) for each in round_) / seconds for round_ in rounds]
        guesses = [g for round_ in rounds for each in round_ for g in each.guesses]
        waits = [w for round_ in rounds for each in round_ for w in each.waits]
        told = [f"{median(rates):.0f} ({min(rates):.0f}-{max(rates):.0f})"]
        for times in (guesses, waits):
            hundredths = quantiles(times, n=100, method="inclusive")
            told += [f"{1000 * hundredths[49]:.1f}", f"{1000 * hundredths[98]:.1f}"]
        computed = [
            1000 * sum(each.computed for each in round_) / sum(len(each.guesses) for each in round_)
            for round_ in rounds
        ]
        told.append(f"{median(computed):.2f} ({min(computed):.2f}-{max(computed):.2f})")
        lines.append([kind, str(processes), *told])
    return aligned(lines)


if __name__ == "__main__":
    sys.exit(main())
