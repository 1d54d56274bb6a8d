"""A race over the wire: waits for answers, edits of its post, rows shown early."""

import asyncio
import random
import re
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Final

from aiohttp import web

from benchmarks.common import aligned
from benchmarks.load.crowd import MODULES, PATIENCE_SECONDS, TOKEN, running
from benchmarks.load.report import REAL, Waits
from bot.races.game import BETWEEN_EDITS
from cogs.races import FORM, JOIN, MORE, PLAY, START
from engine import BullsAndCows
from tests.support.discord_stand_in import StandIn, listening
from tests.support.payloads import (
    COMMAND,
    PRESS,
    Payload,
    command,
    custom_ids,
    form,
    guild_ids,
    in_server,
    interaction,
    press,
    read_body,
    texts,
)
from tests.support.payloads import FORM as SUBMIT
from tests.support.sessions import Answer, Sent, Session

MOST_SECONDS: Final = 1.0
"""The longest that a player may wait for an answer."""
_GUESS_SECONDS: Final = 24.0
_SETTLING_SECONDS: Final = 5.0
_FIRST_PLAYER: Final = 10**17
_DIGIT: Final = re.compile(r"<:(\d)u:\d+>")
# Names, times and other emojis have digits, too.
_NOT_ROWS: Final = re.compile(r"<[^>]*>|player\d+")


class Watching(StandIn):
    """A Discord that notes when messages in channels are edited, and to what."""

    def __init__(self) -> None:
        super().__init__(TOKEN, patience=PATIENCE_SECONDS)
        self.edits = list[tuple[float, str]]()

    @web.middleware
    async def receive(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        if request.method == "PATCH" and "/channels/" in request.path:
            body = read_body(await request.read(), request.content_type)
            self.edits.append((perf_counter(), "\n".join(texts(body))))
        return await super().receive(request, handler)


@dataclass(frozen=True, slots=True)
class Raced:
    """What came of a race.

    Attributes:
        waits: for first answers, by what was done.
        gaps: seconds between edits of the post.
        early: edits before the last that show a guess.
        rows: players whose guesses the last edit shows.
        processor: the bot's milliseconds of processor time for each act.
    """

    waits: dict[str, Waits] = field(default_factory=dict[str, Waits])
    gaps: tuple[float, ...] = ()
    early: int = 0
    rows: int = 0
    processor: float = 0.0

    @property
    def is_good(self) -> bool:
        waits = sum(self.waits.values(), Waits())
        is_in_time = not waits.missed and not waits.wrong
        is_in_time &= waits.milliseconds(1) <= 1000 * MOST_SECONDS
        return is_in_time and not self.early and min(self.gaps) >= BETWEEN_EDITS.total_seconds()

    def __str__(self) -> str:
        head = ["act", "acts", "p50 ms", "max ms", "missed 3 s", "wrong"]
        lines: list[list[str]] = []
        for act, found in self.waits.items():
            times = (found.milliseconds(part) for part in (0.5, 1))
            figures = (len(found), *times, found.missed, found.wrong)
            lines.append([act, *(f"{figure:.0f}" for figure in figures)])
        told = (
            f"{len(self.gaps) + 1} edits, {min(self.gaps):.2f} s apart at least; "
            f"{self.early} show a row early, the last one those of {self.rows}; "
            f"{self.processor:.1f} ms of processor time an act\n"
        )
        return f"{aligned([head, *lines])}\n{told}"


async def race(players: int) -> Raced:
    """Let players race at a number until all are out of guesses, some of them at once."""
    discord = Watching()
    discord.guilds, discord.emojis = guild_ids(1), []
    with tempfile.TemporaryDirectory() as folder:
        async with (
            listening(discord),
            running(MODULES[REAL], discord, Path(folder)) as (program, session, _),
        ):
            before = await program.settle()
            racing = _Racing(discord, session, players)
            await racing.play(_GUESS_SECONDS)
            after = await program.settle()
    acts = sum(map(len, racing.waits.values()))
    *shown, (_, last) = discord.edits
    guessed = [code for codes in racing.codes for code in codes]
    return Raced(
        racing.waits,
        gaps=tuple(later - earlier for (earlier, _), (later, _) in pairwise(discord.edits)),
        early=sum(any(row in _rows(text) for row in guessed) for _, text in shown),
        rows=sum(any(row in _rows(last) for row in rows) for rows in racing.codes),
        processor=1000 * (after.processor - before.processor) / acts,
    )


def _rows(text: str) -> str:
    """A text with digits in place of their tiles, and without what only looks like a row."""
    return _NOT_ROWS.sub("", _DIGIT.sub(r"\1", text))


class _Racing:
    """Players who open, join, start and play one race."""

    def __init__(self, discord: Watching, session: Session, players: int) -> None:
        rules, dice = BullsAndCows(max_guesses=12), random.Random(1)
        self.waits = dict[str, Waits]()
        self.codes = [[rules.draw(dice) for _ in range(rules.max_guesses)] for _ in range(players)]
        self._discord = discord
        self._session = session
        self._dice = dice

    async def play(self, seconds: float) -> None:
        others = range(1, len(self.codes))
        await self._do("open", 0, COMMAND, command("race", {"game": "bulls"}))
        (post,) = self._discord.messages
        (race,) = {int(i.split(":")[2]) for i in custom_ids(post)}
        await self._at_once("join", others, JOIN(race=race), post)
        await self._do("start", 0, PRESS, press(START(race=race)), post)
        await self._at_once("board", others, PLAY(race=race), post)
        await asyncio.gather(
            *(self._guess(player, race, post, seconds) for player in range(len(self.codes)))
        )
        await asyncio.sleep(_SETTLING_SECONDS)
        await self._at_once("more", others, MORE(race=race), post)

    async def _at_once(self, act: str, players: range, custom_id: str, post: Payload) -> None:
        clicks = (self._do(act, player, PRESS, press(custom_id), post) for player in players)
        await asyncio.gather(*clicks)

    async def _guess(self, player: int, race: int, post: Payload, seconds: float) -> None:
        """Guess at some moments, the first and the last with everybody else."""
        codes = self.codes[player]
        moments = [self._dice.uniform(0, seconds) for _ in codes[2:]]
        began = perf_counter()
        for moment, code in zip((0.0, *sorted(moments), seconds), codes, strict=True):
            await asyncio.sleep(max(0.0, began + moment - perf_counter()))
            said = form(FORM(race=race), "guess", code)
            answer = await self._do("guess", player, SUBMIT, said, post)
            self.waits["guess"].wrong += answer is not None and code not in _rows(answer.text)

    async def _do(
        self, act: str, player: int, kind: int, data: Payload, post: Payload | None = None
    ) -> Answer | None:
        place = in_server(_FIRST_PLAYER + player, self._discord.guilds[0])
        sent: Sent = await self._session.send(interaction(kind, data, place, post))
        waits = self.waits.setdefault(act, Waits())
        await asyncio.wait([sent.answer], timeout=PATIENCE_SECONDS)
        if sent.acknowledged_at is None:
            waits.missed += 1
            return None
        waits.seconds.append(sent.acknowledged_at - sent.at)
        return sent.answer.result() if sent.answer.done() else None
