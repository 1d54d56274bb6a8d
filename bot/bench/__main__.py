"""`python -m bot.bench`: makes worlds up, measures, and prints one table."""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from time import perf_counter, process_time

from bot.bench.measures import Scene, StandingClock, measure
from bot.bench.table import table
from bot.bench.world import World, fill
from bot.services.services import open_services
from bot.storage.database import Database


class _Options(argparse.Namespace):
    """What can be asked for."""

    plays: list[int]
    repeats: int
    cpu: bool
    folder: Path | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure worlds of the sizes that are asked for.

    Returns:
        0 if all bounds are kept.
    """
    options = _parser().parse_args(arguments, _Options())
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        text, is_kept = asyncio.run(_run(options, Path(folder)))
    sys.stdout.write(text)
    return int(not is_kept)


async def _run(options: _Options, folder: Path) -> tuple[str, bool]:
    sizes = sorted(options.plays)
    clock = process_time if options.cpu else perf_counter
    async with AsyncExitStack() as stack:
        scenes = [await stack.enter_async_context(_scene(folder, size)) for size in sizes]
        return table(sizes, await measure(scenes, options.repeats, clock))


@asynccontextmanager
async def _scene(folder: Path, plays: int) -> AsyncGenerator[Scene]:
    """A world in a file of its own."""
    path, since = folder / f"{plays}.db", perf_counter()
    url = f"sqlite:///{path}"
    database = await Database.open(url)
    world = await fill(database, plays)
    await database.close()
    clock = StandingClock(world.now)
    async with open_services(url, clock, puzzle_key="the key of the bench", par_runs=0) as services:
        while await services.upkeep.settle():
            pass
        size = (await asyncio.to_thread(path.stat)).st_size
        sys.stderr.write(_summary(world, size, perf_counter() - since))
        yield Scene(services, world)


def _summary(world: World, size: int, seconds: float) -> str:
    return (
        f"{world.plays} plays, {len(world.players)} players, {world.guilds} servers"
        f" with up to {len(world.members)} members: {size / 1e6:.0f} MB, made in {seconds:.0f} s\n"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}")
    parser.add_argument(
        "plays", type=int, nargs="*", default=[10**4, 10**5, 10**6], help="sizes of worlds"
    )
    parser.add_argument("--repeats", type=int, default=200, help="of each measurement")
    parser.add_argument("--cpu", action="store_true", help="processor time, on a busy machine")
    parser.add_argument("--folder", type=Path, help="for the databases; the last has a gigabyte")
    return parser


if __name__ == "__main__":
    sys.exit(main())
