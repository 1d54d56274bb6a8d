"""Response times under load, compared with a bot that does nothing: `python -m benchmarks.load`.

Both bots run as hosts run them, alternately, in processes of their own. A simulated Discord in a
third process contains the players: their clicks and forms go through the gateway, and the bot's
answers come back as requests. The empty bot shows the cost of library, network and machine; the
difference is ours.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from itertools import product
from time import perf_counter

from benchmarks.common import aligned
from benchmarks.load.crowd import PATIENCE_SECONDS, crowd
from benchmarks.load.page import compare
from benchmarks.load.race import race
from benchmarks.load.report import EMPTY, REAL, Load, Played, found_in, tables


class _Options(argparse.Namespace):
    players: list[int]
    rounds: int
    seconds: float
    patience: float
    acts: int
    race: int
    page: int


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments, _Options())
    if options.page:
        compared = asyncio.run(compare(options.page, options.rounds, options.seconds))
        sys.stdout.write(str(compared))
        return 0
    if options.race:
        raced = asyncio.run(race(options.race))
        sys.stdout.write(str(raced))
        return 0 if raced.is_good else 1
    run = _memory(options.acts, max(options.players)) if options.acts else _rounds(options)
    sys.stdout.write(asyncio.run(run))
    return 0


async def _rounds(options: _Options) -> str:
    """Run every load on both bots alternately; return the tables."""
    loads = {
        players: [
            Load(players, is_mixed, within)
            for is_mixed in (False, True)
            for within in (options.seconds, 0)
        ]
        for players in options.players
    }
    shown: dict[int, dict[str, list[Played]]] = {
        players: {REAL: [], EMPTY: []} for players in loads
    }
    for round_ in range(options.rounds):
        # The first one finds a cooler machine.
        bots = (EMPTY, REAL) if round_ % 2 else (REAL, EMPTY)
        for players, bot in product(loads, bots):
            since = perf_counter()
            shown[players][bot].append(await _play(bot, loads[players], round_, options.patience))
            said = f"round {round_ + 1}, {players} players, {bot} bot"
            sys.stderr.write(f"{said}: {perf_counter() - since:.0f} s\n")
    found = [each for players, bots in shown.items() for each in found_in(loads[players], bots)]
    return tables(found, [*shown.values()])


async def _play(bot: str, loads: Sequence[Load], seed: int, patience: float) -> Played:
    """Run one bot; the simulated Discord and the players are in this process."""
    number = max(load.players for load in loads)
    async with crowd(bot, number, seed=seed, patience=patience) as players:
        megabytes = (await players.program.settle()).megabytes
        return Played(players.ready, megabytes, [await players.play(load) for load in loads])


async def _memory(acts: int, players: int) -> str:
    """Measure the bot's memory after half and all of the acts."""
    async with crowd(REAL, players) as everybody:
        before = (await everybody.program.settle()).megabytes
        megabytes = [before, *[await everybody.go_on(acts // 2) for _ in range(2)]]
    head = ["megabytes", "before anybody comes", f"after {acts // 2:,} acts", f"after {acts:,}"]
    return aligned([head, ["real bot", *(f"{each:.0f}" for each in megabytes)]])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}")
    add = parser.add_argument
    add("--players", type=int, nargs="+", default=[200, 1000], help="how many, crowd by crowd")
    add("--rounds", type=int, default=3, help="how often every crowd comes to each bot")
    add("--seconds", type=float, default=4, help="within how many a crowd comes that is spread")
    add("--patience", type=float, default=PATIENCE_SECONDS, help="how long Discord waits")
    add("--race", type=int, default=0, help="let so many race instead, until all have guessed")
    add("--page", type=int, default=0, help="compare so many on the page with as many on Discord")
    add("--acts", type=int, default=0, help="measure memory instead, over so many acts")
    return parser


if __name__ == "__main__":
    sys.exit(main())
