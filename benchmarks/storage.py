"""`python -m benchmarks.storage`: makes worlds up, measures, and prints one table."""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter, process_time

from benchmarks.measures import Scene, StandingClock, measure
from benchmarks.scans import prepare, sequential_scans
from benchmarks.table import table
from benchmarks.world import World, fill
from bot.services.moving import Content, move
from bot.services.services import Services, open_services
from bot.storage.database import Database


class _Options(argparse.Namespace):
    """What can be asked for."""

    plays: list[int]
    repeats: int
    cpu: bool
    folder: Path | None
    postgres: str


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
        made = [await _make(folder, size) for size in sizes]
        if options.postgres:
            made.append((options.postgres, made[-1][1]))
            await _move_there_and_back(made[-2][0], options.postgres, folder, made[-1][1].now)
        scenes = [await stack.enter_async_context(_scene(*each)) for each in made]
        measured = await measure(scenes, options.repeats, clock)
        scans = [await sequential_scans(options.postgres)] if options.postgres else []
        text, is_kept = table(sizes, measured)
        return "\n".join([text, *scans]), is_kept


async def _make(folder: Path, plays: int) -> tuple[str, World]:
    """A world in a file of its own, and its leaderboards."""
    path, since = folder / f"{plays}.db", perf_counter()
    url = f"sqlite:///{path}"
    database = await Database.open(url)
    world = await fill(database, plays)
    await database.close()
    async with _opened(url, world) as services:
        while await services.upkeep.settle():
            pass
    size = (await asyncio.to_thread(path.stat)).st_size
    sys.stderr.write(_summary(world, size, perf_counter() - since))
    return url, world


@asynccontextmanager
async def _scene(url: str, world: World) -> AsyncGenerator[Scene]:
    async with _opened(url, world) as services:
        yield Scene(services, world)


def _opened(url: str, world: World) -> AbstractAsyncContextManager[Services]:
    clock = StandingClock(world.now)
    return open_services(url, clock, puzzle_key="the key of the bench", par_runs=0)


async def _move_there_and_back(url: str, postgres: str, folder: Path, now: datetime) -> None:
    """Move a world to PostgreSQL, and from there to another file; both moves prove themselves."""
    later, moved = StandingClock(now + timedelta(days=1)), list[Content]()
    for source, target in ((url, postgres), (postgres, f"sqlite:///{folder / 'back.db'}")):
        since = perf_counter()
        found = await move(source, target, later, lambda _: None)
        rows = sum(content.rows for content in found)
        is_same = "" if not moved else ", the same" if found == moved else ", NOT THE SAME"
        seconds = perf_counter() - since
        sys.stderr.write(f"{rows:,} rows moved in {seconds:.0f} s{is_same}\n")
        moved = found
    await prepare(postgres)


def _summary(world: World, size: int, seconds: float) -> str:
    return (
        f"{world.plays} plays, {len(world.players)} players, {world.guilds} servers"
        f" with up to {len(world.members)} members: {size / 1e6:.0f} MB, made in {seconds:.0f} s\n"
    )


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
