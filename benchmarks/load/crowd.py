"""A bot's process, and its simulated players."""

import asyncio
import gc
import json
import random
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Coroutine, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final

from benchmarks.load.launch import Reading
from benchmarks.load.players import MIX, Act, EmptyPlayer, Player, RealPlayer
from benchmarks.load.report import EMPTY, REAL, Load, Took, Waits
from bot.errors import StorageBusyError
from bot.refusals import refusal
from engine import Focdle
from tests.support.discord_stand_in import StandIn, listening
from tests.support.payloads import guild_ids
from tests.support.sessions import Sent, Session

ROOT: Final = Path(__file__).parents[2]
MODULES: Final = {REAL: "bot.__main__", EMPTY: "benchmarks.load.empty_bot"}
TOKEN: Final = "the-token-of-the-bench"  # noqa: S105 - the stand-in asks for no other
_KEY: Final = "the key of the bench, which is long enough"

_NONE: Final[Mapping[str, str]] = {}
_START_SECONDS: Final = 60.0
_END_SECONDS: Final = 10.0
# A process that takes less of a core than this is idle.
_QUIET: Final = 0.05
_QUIET_LOOKS: Final = 2  # a busy machine may delay it
_LOOK_SECONDS: Final = 0.2
_MOST_LOOKS: Final = 300
_END_OF_LOG: Final = 5_000
SERVERS: Final = 20
PATIENCE_SECONDS: Final = 3.0
"""How long Discord waits for a first answer."""
_LATER_SECONDS: Final = 60.0
_FIRST_PLAYER: Final = 10**17
_CODES: Final = 500
_AT_A_TIME: Final = 8
_BREATH: Final = 10


class Program:
    """A bot's process with its measurements."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def read(self) -> Reading:
        """Read the measurements; the pause is the longest since the last call."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the process was started without pipes")
        self._process.stdin.write(b"\n")
        line = await self._process.stdout.readline()
        return Reading(**json.loads(line))

    async def settle(self) -> Reading:
        """Wait until it is idle; the pause is the longest since `read`."""
        now, pause, quiet = await self.read(), 0.0, 0
        for _ in range(_MOST_LOOKS):
            before, pause = now, max(pause, now.pause)
            await asyncio.sleep(_LOOK_SECONDS)
            now = await self.read()
            is_quiet = now.processor - before.processor < _QUIET * _LOOK_SECONDS
            quiet = quiet + 1 if is_quiet else 0
            if quiet == _QUIET_LOOKS:
                break
        return replace(now, pause=max(pause, now.pause))

    async def end(self) -> None:
        """End it, at once after a while."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), _END_SECONDS)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()


@asynccontextmanager
async def running(
    module: str, discord: StandIn, folder: Path, settings: Mapping[str, str] = _NONE
) -> AsyncGenerator[tuple[Program, Session, float]]:
    """Run a module's `main` in a folder for a block.

    Yields the process, its connection, and the seconds until that was there.
    """
    began = perf_counter()
    with (folder / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "benchmarks.load.launch", module, discord.address),
            cwd=folder,
            env={"PYTHONPATH": str(ROOT), "DISCORD_TOKEN": TOKEN, "PUZZLE_KEY": _KEY, **settings},
            stdin=PIPE,
            stdout=PIPE,
            stderr=log,
        )
    program = Program(process)
    try:
        yield program, await _arrived(process, discord), perf_counter() - began
    except Exception:
        sys.stderr.write((folder / "log").read_text(errors="replace")[-_END_OF_LOG:])
        raise
    finally:
        await program.end()


async def _arrived(process: Process, discord: StandIn) -> Session:
    """Wait for the process to connect; an error if it ends before."""
    session = asyncio.create_task(discord.next_session(_START_SECONDS))
    ended = asyncio.create_task(process.wait())
    await asyncio.wait({session, ended}, return_when=asyncio.FIRST_COMPLETED)
    ended.cancel()
    if not session.done():
        session.cancel()
        raise RuntimeError("the bot has ended")
    return session.result()


@dataclass(frozen=True, slots=True)
class Crowd:
    """A bot, its seconds to start, and its players in all servers."""

    program: Program
    ready: float
    patience: float
    players: list[Player]
    rng: random.Random

    async def play(self, load: Load) -> Took:
        players = self.players[: load.players]
        acts = self._draw(load.players, is_mixed=load.is_mixed)
        moments = sorted(self.rng.uniform(0, load.seconds) for _ in players)
        await few_at_a_time(
            player.get_ready(act) for player, act in zip(players, acts, strict=True)
        )
        before = await self.program.settle()
        gc.collect()  # garbage of the simulated Discord must not be collected meanwhile
        sent, share = await self.send(players, acts, moments)
        lasted = max(each.acknowledged_at or 0.0 for each in sent) - sent[0].at
        waits: dict[Act, Waits] = {}
        for player, act, each in zip(players, acts, sent, strict=True):
            note(waits.setdefault(act, Waits()), player, act, each)
        after = await self.program.settle()
        used = after.processor - before.processor
        return Took(waits, used, max(lasted, 0.0), after.pause, share)

    async def send(
        self, players: Sequence[Player], acts: Sequence[Act], moments: Sequence[float]
    ) -> tuple[list[Sent], float]:
        """Send acts and wait for the answers; return this process's share of a core, too."""
        began, used, sent = perf_counter(), process_time(), list[Sent]()
        for place, (player, act) in enumerate(zip(players, acts, strict=True)):
            left = began + moments[place] - perf_counter()
            if left > 0:
                await asyncio.sleep(left)
            elif place % _BREATH == 0:  # all act at once: let answers in now and then
                await asyncio.sleep(0)
            sent.append(await player.do(act))
        await asyncio.wait([each.answer for each in sent], timeout=self.patience)
        share = (process_time() - used) / (perf_counter() - began)
        deferred = [each.answer for each in sent if each.acknowledged_at is not None]
        if deferred:
            await asyncio.wait(deferred, timeout=_LATER_SECONDS)
        return sent, share

    def _draw(self, number: int, *, is_mixed: bool) -> list[Act]:
        """Draw acts, mixed by their shares, or only guesses."""
        acts: list[Act] = []
        if is_mixed:
            acts = [act for act, share in MIX.items() for _ in range(max(1, share * number // 100))]
        acts = (acts + [Act.GUESS] * number)[:number]
        self.rng.shuffle(acts)
        return acts

    async def go_on(self, acts: int, at_a_time: int = 20) -> float:
        """Send acts, each after an earlier answer; return the bot's megabytes."""
        todo = iter(self._draw(acts, is_mixed=True))

        async def take_turns() -> None:
            for act in todo:
                player = self.players.pop(0)
                await player.get_ready(act)
                sent = await player.do(act)
                await asyncio.wait([sent.answer], timeout=_LATER_SECONDS)
                note(Waits(), player, act, sent)
                self.players.append(player)

        await asyncio.gather(*(take_turns() for _ in range(min(at_a_time, len(self.players)))))
        return (await self.program.settle()).megabytes


@asynccontextmanager
async def crowd(
    bot: str,
    number: int,
    *,
    seed: int = 0,
    patience: float = PATIENCE_SECONDS,
    settings: Mapping[str, str] = _NONE,
) -> AsyncGenerator[Crowd]:
    """Run a bot, the real one or an empty one, with `number` players.

    Discord waits `patience` seconds for a first answer; `settings` are the bot's, besides those
    that it needs.
    """
    discord = StandIn(TOKEN, patience=patience)
    discord.guilds, discord.emojis = guild_ids(SERVERS), []
    with tempfile.TemporaryDirectory() as folder:
        async with (
            listening(discord),
            running(MODULES.get(bot, bot), discord, Path(folder), settings) as (
                program,
                session,
                ready,
            ),
        ):
            rng, rules = random.Random(0), Focdle()
            codes = [rules.draw(rng) for _ in range(_CODES)]
            kind = RealPlayer if bot == REAL else EmptyPlayer
            players: list[Player] = [
                kind(_FIRST_PLAYER + place, discord.guilds[place % SERVERS], session, codes)
                for place in range(number)
            ]
            yield Crowd(program, ready, patience, players, random.Random(seed))


async def few_at_a_time(work: Iterable[Coroutine[Any, Any, None]]) -> None:
    gate = asyncio.Semaphore(_AT_A_TIME)

    async def one(each: Coroutine[Any, Any, None]) -> None:
        async with gate:
            await each

    await asyncio.gather(*map(one, work))


def note(waits: Waits, player: Player, act: Act, sent: Sent) -> None:
    if sent.acknowledged_at is None:
        waits.missed += 1
        return
    waits.seconds.append(sent.acknowledged_at - sent.at)
    answer = sent.answer.result() if sent.answer.done() else None
    busy = refusal(StorageBusyError())
    if answer is not None and busy is not None and busy in answer.text:
        waits.busy += 1
    elif answer is None or not player.hear(act, answer):
        waits.wrong += 1
