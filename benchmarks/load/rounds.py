"""A crowd plays with one bot: how soon each act was answered, and what the process took."""

import asyncio
import gc
import random
import tempfile
from collections.abc import AsyncGenerator, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, Final

from benchmarks.load.measured import Load, Took, Waits
from benchmarks.load.players import MIX, Act, EmptyPlayer, Player, RealPlayer
from benchmarks.load.program import REAL, TOKEN, Program, running
from bot.errors import StorageBusyError
from bot.presentation.refusals import refusal
from engine import Focdle
from tests.support.discord_stand_in import StandIn, listening
from tests.support.payloads import guild_ids
from tests.support.sessions import Answer, Sent, Session

SERVERS: Final = 20
PATIENCE_SECONDS: Final = 3.0
"""How long Discord waits for a first answer."""

_LATER_SECONDS: Final = 60.0
_FIRST_PLAYER: Final = 10**17
_CODES: Final = 500
_AT_A_TIME: Final = 8
_BREATH: Final = 10


@dataclass(frozen=True, slots=True)
class Crowd:
    """A bot, and players who come to it.

    Attributes:
        program: the bot's process.
        session: its lines.
        ready: after how many seconds these were there.
        patience: how many seconds Discord waits for a first answer.
        players: everybody, spread over the servers.
        rng: draws acts and moments.
    """

    program: Program
    session: Session
    ready: float
    patience: float
    players: list[Player]
    rng: random.Random = field(default_factory=lambda: random.Random(0))

    async def play(self, load: Load) -> Took:
        """Come in one way."""
        early, late = 2 * load.charts, load.players - 2 * load.charts
        players = self.players[late : load.players] + self.players[:late]
        acts = [Act.CHARTS] * load.charts + [Act.COACH] * load.charts
        acts += self._draw(late, is_mixed=load.is_mixed)
        moments = [0.0] * early + sorted(self.rng.uniform(0, load.seconds) for _ in range(late))
        await _few_at_a_time(
            player.get_ready(act) for player, act in zip(players, acts, strict=True)
        )
        before = await self.program.settle()
        gc.collect()  # nor is what the stand-in has thrown away to be cleared up meanwhile
        sent, share = await self._send(players, acts, moments)
        lasted = max(each.acknowledged_at or 0.0 for each in sent) - sent[0].at
        waits: dict[Act, Waits] = {}
        for player, act, each in zip(players, acts, sent, strict=True):
            _note(waits.setdefault(act, Waits()), player, act, each)
        after = await self.program.settle()
        used = after.processor - before.processor
        return Took(waits, used, max(lasted, 0.0), after.pause, share)

    async def _send(
        self, players: Sequence[Player], acts: Sequence[Act], moments: Sequence[float]
    ) -> tuple[list[Sent], float]:
        """Act, and wait for the answers; what of a core that took here."""
        began, used, sent = perf_counter(), process_time(), list[Sent]()
        for place, (player, act) in enumerate(zip(players, acts, strict=True)):
            await _until(began + moments[place], place)
            sent.append(await player.do(act))
        await asyncio.wait([each.answer for each in sent], timeout=self.patience)
        share = (process_time() - used) / (perf_counter() - began)
        deferred = [each.answer for each in sent if each.acknowledged_at is not None]
        if deferred:
            await asyncio.wait(deferred, timeout=_LATER_SECONDS)
        return sent, share

    def _draw(self, number: int, *, is_mixed: bool) -> list[Act]:
        """So many acts, in the shares that they have, in any order; guesses, if there is no mix."""
        acts: list[Act] = []
        if is_mixed:
            acts = [act for act, share in MIX.items() for _ in range(max(1, share * number // 100))]
        acts = (acts + [Act.GUESS] * number)[:number]
        self.rng.shuffle(acts)
        return acts

    async def go_on(self, acts: int, at_a_time: int = 20) -> float:
        """Act so often, each player as soon as the one before has an answer; megabytes after it."""
        todo = iter(self._draw(acts, is_mixed=True))

        async def take_turns() -> None:
            for act in todo:
                player = self.players.pop(0)
                await player.get_ready(act)
                sent = await player.do(act)
                await asyncio.wait([sent.answer], timeout=_LATER_SECONDS)
                _note(Waits(), player, act, sent)
                self.players.append(player)

        await asyncio.gather(*(take_turns() for _ in range(min(at_a_time, len(self.players)))))
        return (await self.program.settle()).megabytes


@asynccontextmanager
async def crowd(
    module: str, number: int, *, seed: int = 0, patience: float = PATIENCE_SECONDS
) -> AsyncGenerator[Crowd]:
    """A crowd in front of a bot, which is ended after the block.

    Args:
        module: whose `main` the bot is; it is played like the real one or like the empty one.
        number: how many players there are.
        seed: what acts and moments are drawn by.
        patience: how many seconds Discord waits for a first answer.
    """
    discord = StandIn(TOKEN, patience=patience)
    discord.guilds, discord.emojis = guild_ids(SERVERS), []
    with tempfile.TemporaryDirectory() as folder:
        async with (
            listening(discord),
            running(module, discord, Path(folder)) as (program, session, ready),
        ):
            players = _players(module, number, session)
            yield Crowd(program, session, ready, patience, players, random.Random(seed))


def _players(module: str, number: int, session: Session) -> list[Player]:
    rng, rules, servers = random.Random(0), Focdle(), guild_ids(SERVERS)
    codes = [rules.draw(rng) for _ in range(_CODES)]
    kind = RealPlayer if module == REAL else EmptyPlayer
    return [
        kind(_FIRST_PLAYER + place, servers[place % SERVERS], session, codes)
        for place in range(number)
    ]


async def _until(moment: float, place: int) -> None:
    """Wait for a moment; in a crowd that comes at once, let answers in now and then."""
    left = moment - perf_counter()
    if left > 0:
        await asyncio.sleep(left)
    elif place % _BREATH == 0:
        await asyncio.sleep(0)


async def _few_at_a_time(work: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Do it all, so that nobody is kept waiting."""
    gate = asyncio.Semaphore(_AT_A_TIME)

    async def one(each: Coroutine[Any, Any, None]) -> None:
        async with gate:
            await each

    await asyncio.gather(*map(one, work))


def _note(waits: Waits, player: Player, act: Act, sent: Sent) -> None:
    """Note what became of an act."""
    if sent.acknowledged_at is None:
        waits.missed += 1
        return
    waits.seconds.append(sent.acknowledged_at - sent.at)
    answer = sent.answer.result() if sent.answer.done() else None
    if answer is not None and is_busy(answer):
        waits.busy += 1
    elif answer is None or not player.hear(act, answer):
        waits.wrong += 1


def is_busy(answer: Answer) -> bool:
    """Whether it says that the bot has no time."""
    words = refusal(StorageBusyError())
    return words is not None and words in answer.text
