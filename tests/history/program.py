"""Lives a history: players play, processes are killed, and all of it is looked through."""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from bot.clock import SystemClock
from bot.hosting.move import move
from bot.services import open_services
from tests.history import check
from tests.history.house import House, open_house
from tests.history.players import Player, duel, play_dailies
from tests.history.record import Act, Harm, Outcome, Recorder, read
from tests.history.switchboard import Switchboard
from tests.process.host import KEY, TOKEN
from tests.support.discord_stand_in import listening
from tests.support.postgres import PostgresServer

_NOW: Final = "now"
_START_SECONDS: Final = 120.0
_LAST_SECONDS: Final = 4.0
_END_SECONDS: Final = 1.0
_LOOK_SECONDS: Final = 0.5
_SKEW_SECONDS: Final = 1.0
_JUMP_SECONDS: Final = 13 * 3600


@dataclass(frozen=True, slots=True)
class Plan:
    """What a history is to be like.

    Attributes:
        seconds: how long players play.
        processes: how many there are, a shard each.
        players: how many play; an even number.
        servers: how many they are in.
        seed: what chance follows, as far as it is ours.
        kill_every: within how many seconds a process is killed.
        harm_every: within how many something else is done to one.
        broken: let processes not wait for each other.
    """

    seconds: float
    processes: int = 4
    players: int = 40
    servers: int = 8
    seed: int = 0
    kill_every: float = 11.0
    harm_every: float = 12.0
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """What came of it: acts by outcome, harms by kind, and what is wrong."""

    acts: Counter[Outcome]
    harms: Counter[str]
    faults: list[str]


async def live(plan: Plan, folder: Path, server: PostgresServer) -> Told:
    """Live a history on an empty database; everything that is told of it is in the folder."""
    with (folder / check.HISTORY).open("w") as file:
        recorder = Recorder(file)
        discord = Switchboard(TOKEN, plan.processes, plan.servers, recorder)
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(listening(discord))
            house = await stack.enter_async_context(
                open_house(folder, discord, server, broken=plan.broken)
            )
            await _settle_servers(server, discord)
            for number in range(plan.processes):
                await house.start(number)
            await _until_all_are_there(plan, house, discord, recorder)
            await _all_for(
                plan.seconds, [*_doings(plan, discord, recorder), *_harms(plan, house, recorder)]
            )
            await asyncio.sleep(_LAST_SECONDS)
            # One that was killed last has yet to start, and could not say goodbye.
            house.mend()
            await _until_all_are_there(plan, house, discord, recorder)
            statuses = await house.stop()
            now = SystemClock().now()  # by everybody's clock, which has jumped
        recorder.harm(f"stopped with {sorted(statuses)}")
    (folder / _NOW).write_text(now.isoformat())
    await move(
        server.url, f"sqlite:///{folder / check.DATABASE}", SystemClock(timedelta(days=1)), _ignore
    )
    return await asyncio.to_thread(look_at, folder)


async def _until_all_are_there(
    plan: Plan, house: House, discord: Switchboard, recorder: Recorder
) -> None:
    async with asyncio.timeout(_START_SECONDS):
        while len(discord.session.lines) < plan.processes:
            await _start_again(house, recorder)


def look_at(folder: Path) -> Told:
    """What came of the history in a folder."""
    events = [*read(folder / check.HISTORY)]
    now = datetime.fromisoformat((folder / _NOW).read_text())
    return Told(
        Counter(event.outcome for event in events if isinstance(event, Act)),
        Counter(event.kind for event in events if isinstance(event, Harm)),
        check.faults(folder, now),
    )


async def _settle_servers(server: PostgresServer, discord: Switchboard) -> None:
    """Let each server have the daily post in its channel."""
    async with open_services(server.url, SystemClock(), puzzle_key=KEY) as services:
        for guild_id in discord.guilds:
            await services.settings.change(guild_id, channel_id=guild_id + 1)


def _doings(plan: Plan, discord: Switchboard, recorder: Recorder) -> list[Awaitable[None]]:
    """What players do: half of them FoCdle, the others duels in pairs."""
    doings: list[Awaitable[None]] = []
    for number in range(0, plan.players, 2):
        dice = random.Random(f"{plan.seed}/{number}")
        home, other = discord.guilds[number // 2 % plan.servers], dice.choice(discord.guilds)
        one, two = (
            Player(100_000 + number + n, [home, other], discord, recorder, dice) for n in (0, 1)
        )
        if number % 4:
            doings.append(duel((one, two), dice))
        else:
            doings += [play_dailies(one, dice), play_dailies(two, dice)]
    return doings


def _harms(plan: Plan, house: House, recorder: Recorder) -> list[Awaitable[None]]:
    """What goes wrong meanwhile."""
    dice = random.Random(f"{plan.seed}/harm")
    # What is killed is not paused, and the other way round.
    free = [asyncio.Lock() for _ in house.ways]

    async def kill() -> None:
        number = dice.randrange(plan.processes)
        async with free[number]:
            recorder.harm("kill", number)
            await house.kill(number)
            await house.start(number, dice.uniform(-_SKEW_SECONDS, _SKEW_SECONDS))

    async def pause() -> None:
        number = dice.randrange(plan.processes)
        async with free[number]:
            recorder.harm("pause", number)
            house.pause(number)
            await asyncio.sleep(dice.uniform(0.2, 5))
            house.resume(number)

    async def cut() -> None:
        number = dice.randrange(plan.processes)
        recorder.harm("cut", number)
        house.ways[number].cut(silently=dice.random() < 0.5)
        await asyncio.sleep(dice.uniform(0.2, 5))
        house.ways[number].mend()

    async def crash() -> None:
        recorder.harm("crash of the database")
        house.crash_database()

    async def jump() -> None:
        recorder.harm("jump of the clocks")
        house.jump(_JUMP_SECONDS)

    async def start_again() -> None:
        while True:
            await _start_again(house, recorder)

    return [
        start_again(),
        _again_and_again([kill], dice, plan.kill_every),
        _again_and_again([pause, pause, cut, cut, crash, jump], dice, plan.harm_every),
    ]


async def _start_again(house: House, recorder: Recorder) -> None:
    """Do what any host does, after a moment, with processes that have ended by themselves."""
    await asyncio.sleep(_LOOK_SECONDS)
    for number, status in house.ended().items():
        recorder.harm(f"ended by itself with {status}", number)
        await house.start(number)


async def _again_and_again(
    harms: list[Callable[[], Awaitable[None]]], dice: random.Random, every: float
) -> None:
    while True:
        await asyncio.sleep(dice.uniform(every / 2, every))
        await dice.choice(harms)()


async def _all_for(seconds: float, doings: list[Awaitable[None]]) -> None:
    """Let all of it go on for so long; what fails ends it."""
    tasks = [asyncio.ensure_future(doing) for doing in doings]
    done, going = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    left = going
    while left:  # one that is told so just as it is answered may go on: `wait_for` forgets it then
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=_END_SECONDS)
    await asyncio.gather(*going, return_exceptions=True)
    for task in done:
        task.result()


def _ignore(_: object) -> None: ...
