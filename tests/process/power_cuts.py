"""`python -m tests.process.power_cuts LAZYFS`: what players lose when the power is cut.

The database lies in a file system that keeps what is written in its own memory until a program
asks it to flush: lazyfs (https://github.com/dsrhaslab/lazyfs), to be built beforehand; Linux only.
Killing it in the middle of a crowd's guesses loses what a power cut loses. With `--careless` the
bot asks SQLite not to flush each commit, which shows that such a loss is noticed here.
"""

import argparse
import asyncio
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from bot.db import sqlite
from tests.process import launch
from tests.process.host import TOKEN, Host
from tests.process.loopback import Loopback, open_loopback
from tests.process.players import Player, playing, stored_turns
from tests.support.databases import used

_UMOUNT: Final = shutil.which("umount") or "false"
_PLAYERS: Final = 8
_MOST_ACKNOWLEDGED: Final = 30
_MOST_SECONDS: Final = 0.02
_CONFIG: Final = """
[faults]
fifo_path = "{folder}/faults"
[cache]
apply_eviction = false
[cache.simple]
custom_size = "0.5gb"
blocks_per_page = 1
[filesystem]
log_all_operations = false
logfile = "{folder}/lazyfs.log"
"""


class _Options(argparse.Namespace):
    """What is asked for at the terminal."""

    lazyfs: Path
    cuts: int
    seed: int
    careless: bool


@contextmanager
def _powered(lazyfs: Path, folder: Path) -> Generator[subprocess.Popen[bytes]]:
    """The process that serves `folder/disk`, of which `folder/platter` has what was flushed."""
    disk, platter, config = folder / "disk", folder / "platter", folder / "lazyfs.toml"
    for place in (disk, platter):
        place.mkdir(exist_ok=True)
    config.write_text(_CONFIG.format(folder=folder))
    mount = f"{lazyfs} {disk} --config-path {config} -o modules=subdir -o subdir={platter} -f"
    with subprocess.Popen(
        mount.split(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        while not disk.is_mount():
            time.sleep(0.01)
        try:
            yield process
        finally:
            process.kill()
            subprocess.run((_UMOUNT, "--lazy", disk), check=True)


def _launch_carelessly(*arguments: Any) -> None:
    """Be a build that leaves it to the system when a commit is flushed."""
    module: Any = sqlite
    careful = "PRAGMA synchronous = FULL"
    assert careful in module._PRAGMAS  # noqa: SLF001 - what is broken is what nobody may reach
    pragmas = [line.replace("FULL", "NORMAL") for line in module._PRAGMAS]  # noqa: SLF001 - likewise
    module._PRAGMAS = pragmas  # noqa: SLF001 - likewise
    launch.launch_in(*arguments)


async def _cut_once(
    power: subprocess.Popen[bytes], host: Host, discord: Loopback, options: _Options, number: int
) -> list[Player]:
    """The players of a crowd in whose guesses the power is cut."""
    dice = random.Random(f"{options.seed} {number}")
    players = [Player(1000 * number + seat) for seat in range(_PLAYERS)]
    run = host.fork(_launch_carelessly) if options.careless else host.fork()
    async with playing(players, await discord.next_session()) as until_acknowledged:
        await until_acknowledged(dice.randint(1, _MOST_ACKNOWLEDGED))
        await asyncio.sleep(dice.uniform(0, _MOST_SECONDS))
        power.kill()
        run.signal(signal.SIGKILL)
        await run.status()
    return players


def _damage(platter: Path) -> list[str]:
    with closing(sqlite3.connect(platter / "focdle.db")) as database:
        (verdict,) = database.execute("PRAGMA integrity_check").fetchone()
        dangling = database.execute("PRAGMA foreign_key_check").fetchall()
    return [] if (verdict, dangling) == ("ok", []) else [f"damaged: {verdict} {dangling}"]


async def _measure(folder: Path, options: _Options) -> int:
    """Cut the power again and again, and count what is lost; the exit status."""
    everybody: list[Player] = []
    wrong: list[str] = []
    used().leave_to_the_bot(folder)
    async with open_loopback(TOKEN) as discord:
        host = Host(folder, discord.address, f"sqlite:///{folder / 'disk' / 'focdle.db'}")
        with _powered(options.lazyfs, folder):  # a database that was closed in good order
            run = host.fork()
            await discord.next_session()
            run.signal(signal.SIGTERM)
            await run.status()
        for number in range(1, options.cuts + 1):
            with _powered(options.lazyfs, folder) as power:
                everybody += await _cut_once(power, host, discord, options, number)
            wrong += _damage(folder / "platter")
    stored = stored_turns(Host(folder / "platter", discord.address))
    for player in everybody:
        turns = stored.get(player.number, [])
        if not player.may_have_left(turns):
            wrong.append(f"{player.number}: {player.acknowledged} acknowledged, {turns}")
    acknowledged = sum(player.acknowledged for player in everybody)
    lines = [f"{options.cuts} cuts, {acknowledged} guesses acknowledged, wrong: {len(wrong)}"]
    sys.stdout.write("\n".join([*lines, *wrong, ""]))
    return bool(wrong)


def main() -> int:
    """Cut the power again and again; the exit status."""
    parser = argparse.ArgumentParser(prog=f"python -m {__name__}", description=__doc__)
    parser.add_argument("lazyfs", type=Path, help="the program that serves the file system")
    parser.add_argument("--cuts", type=int, default=50)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--careless", action="store_true", help="flush no commit")
    options = parser.parse_args(namespace=_Options())
    with tempfile.TemporaryDirectory(prefix="power-") as folder:
        return asyncio.run(_measure(Path(folder), options))


if __name__ == "__main__":
    sys.exit(main())
