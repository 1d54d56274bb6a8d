"""Players who guess by slash command, and what of it must be in the database."""

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from bot.clock import PuzzleName
from bot.focdle.plays import derive_secret
from engine import Focdle
from tests.process.host import KEY, Host
from tests.support.sessions import Answer, Session

# Not the day's: it and its secret would change at midnight.
_PUZZLE: Final = PuzzleName(number=1, length=10)
SECRET: Final = derive_secret(KEY, _PUZZLE)


class Player:
    """Plays one puzzle; every player makes other guesses."""

    def __init__(self, number: int) -> None:
        self.number = number
        dice = random.Random(number)
        self.guesses = [Focdle().draw(dice) for _ in range(Focdle().max_guesses)]
        self.acknowledged = 0

    @property
    def is_done(self) -> bool:
        return self.acknowledged == len(self.guesses)

    async def type_guess(self, session: Session) -> asyncio.Future[Answer]:
        """Make the next guess; the answer comes when it comes."""
        guess, puzzle = self.guesses[self.acknowledged], str(_PUZZLE.number)
        return await session.type_command(self.number, "focdle", guess=guess, puzzle=puzzle)

    async def guess(self, session: Session) -> Answer:
        """Make the next guess; the bot's answer."""
        return await (await self.type_guess(session))

    def hear(self, answer: Answer) -> bool:
        """Whether the answer to the next guess shows that it was played."""
        is_played = self.guesses[self.acknowledged] in answer.text
        self.acknowledged += is_played
        return is_played

    async def play(self, session: Session, acknowledged: asyncio.Semaphore) -> None:
        """Guess as fast as answers come, until the game ends or a guess is refused."""
        while not self.is_done and self.hear(await self.guess(session)):
            acknowledged.release()

    def may_have_left(self, rows: list[tuple[int, str]]) -> bool:
        """Whether these turns are what was acknowledged, and at most the guess under way."""
        turns = list(enumerate(self.guesses))
        return rows in (turns[: self.acknowledged], turns[: self.acknowledged + 1])


@asynccontextmanager
async def playing(
    players: Sequence[Player], session: Session
) -> AsyncGenerator[Callable[[int], Awaitable[None]]]:
    """Let players play, all at once, until the block ends; waits for acknowledgements."""
    seen = asyncio.Semaphore(0)

    async def until_acknowledged(number: int) -> None:
        for _ in range(number):
            await seen.acquire()

    games = [asyncio.create_task(player.play(session, seen)) for player in players]
    try:
        yield until_acknowledged
    finally:
        for game in games:
            game.cancel()
        # Whoever types into a connection that has ended is told so; that is no failure.
        await asyncio.gather(*games, return_exceptions=True)


def stored_turns(host: Host) -> dict[int, list[tuple[int, str]]]:
    """Turns and guesses in the database by player; a play without any shows as a void turn."""
    turns: dict[int, list[Any]] = {}
    for player, turn, code in host.query(
        "SELECT player_id, turn, code FROM plays LEFT JOIN guesses ON play_id = id "
        "ORDER BY player_id, turn"
    ):
        turns.setdefault(player, []).append((turn, code))
    return turns
