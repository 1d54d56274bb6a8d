"""`python -m benchmarks.load`: lets crowds come to both bots in turns, and prints tables."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import Final

from benchmarks.load import program, table
from benchmarks.load.measured import Load, Played
from benchmarks.load.others import Others
from benchmarks.load.rounds import PATIENCE_SECONDS, crowd

MODULES: Final = {table.REAL: program.REAL, table.EMPTY: program.EMPTY}


class _Options(argparse.Namespace):
    """What can be asked for."""

    players: list[int]
    rounds: int
    seconds: float
    patience: float
    acts: int
    charts: int


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, or see what memory becomes of; returns the exit status."""
    options = _parser().parse_args(arguments, _Options())
    text = (
        asyncio.run(_memory(options.acts, max(options.players)))
        if options.acts
        else _rounds(options)
    )
    sys.stdout.write(text)
    return 0


def _rounds(options: _Options) -> str:
    """Let every crowd come to both bots in turns, so often; the tables."""
    loads = {players: _loads(players, options.seconds) for players in options.players}
    if options.charts:
        loads = {3 * options.charts: _loads_of_charts(options.charts, options.seconds)}
    shown: dict[int, dict[str, list[Played]]] = {
        players: {bot: [] for bot in MODULES} for players in loads
    }
    for round_ in range(options.rounds):
        # Who is first finds a cooler machine.
        turns = [*MODULES][:: 1 if round_ % 2 else -1]
        for players in loads:
            for bot in turns:
                since = perf_counter()
                played = _play(bot, loads[players], round_, options.patience)
                shown[players][bot].append(asyncio.run(played))
                said = f"round {round_ + 1}, {players} players, {bot} bot"
                sys.stderr.write(f"{said}: {perf_counter() - since:.0f} s\n")
    found = [
        each for players, bots in shown.items() for each in table.found_in(loads[players], bots)
    ]
    return table.tables(found, [*shown.values()])


def _loads(players: int, seconds: float) -> list[Load]:
    """All the ways in which a crowd comes."""
    return [
        Load(players, is_mixed, within) for is_mixed in (False, True) for within in (seconds, 0)
    ]


def _loads_of_charts(charts: int, seconds: float) -> list[Load]:
    """Guesses alone, and beside so many charts and coaches."""
    alone = Load(charts, is_mixed=False, seconds=seconds)
    return [alone, replace(alone, players=3 * charts, charts=charts)]


async def _play(bot: str, loads: Sequence[Load], seed: int, patience: float) -> Played:
    """Run one bot; the stand-in and the players are in this process."""
    number, others = max(load.players for load in loads), Others()
    async with crowd(MODULES[bot], number, seed=seed, patience=patience) as players:
        megabytes = (await players.program.settle()).megabytes
        took = [await players.play(load) for load in loads]
    return Played(players.ready, megabytes, others.cores(), took)


async def _memory(acts: int, players: int) -> str:
    """What memory the real bot has after so many acts, and after half of them."""
    async with crowd(program.REAL, players) as everybody:
        before = (await everybody.program.settle()).megabytes
        megabytes = [before, *[await everybody.go_on(acts // 2) for _ in range(2)]]
    half, whole = f"after {acts // 2:,} acts", f"after {acts:,}"
    head = ["megabytes", "before anybody comes", half, whole]
    return table.aligned([head, ["real bot", *(f"{each:.0f}" for each in megabytes)]])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}")
    add = parser.add_argument
    add("--players", type=int, nargs="+", default=[200, 1000], help="how many, crowd by crowd")
    add("--rounds", type=int, default=3, help="how often every crowd comes to each bot")
    add("--seconds", type=float, default=4, help="within how many a crowd comes that is spread")
    add("--patience", type=float, default=PATIENCE_SECONDS, help="how long Discord waits")
    add("--acts", type=int, default=0, help="measure memory instead, over so many acts")
    add("--charts", type=int, default=0, help="so many guess alone, then beside charts and coaches")
    return parser


if __name__ == "__main__":
    sys.exit(main())
