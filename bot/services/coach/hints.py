"""Hints: which ones a player may take during a game, and which were taken."""

import asyncio
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from bot.model.hints import MOST_HINTS, Hint, HintKind, hints_left, is_given
from bot.services.base.clock import Clock
from bot.services.base.workshop.named import Named
from bot.services.coach.errors import (
    CoachBusyError,
    HintOverError,
    HintsUsedUpError,
    NothingToCountError,
)
from bot.services.coach.queue import Lane, Queue
from bot.services.focdle.model import Play
from bot.services.focdle.plays import read_own
from bot.services.mastermind.model import Kind, MastermindGame, Stage
from bot.services.mastermind.transactions import MastermindTransactions, game_of
from bot.storage import keys
from bot.storage.coach import hints
from bot.storage.database import Database
from engine import Rules, Turn

ANSWER_HINT: Final[Named[[Rules[Any], tuple[Turn[Any], ...], HintKind], str]] = Named(
    "bot.services.coach.analysing", "answer_hint"
)
PATIENCE_SECONDS: Final = 600.0
"""A hint that takes longer is neither told nor charged: its player could not be answered."""


@dataclass(frozen=True, slots=True)
class _Request:
    """A hint that is asked for in a game as it stands."""

    rules: Rules[Any]
    turns: tuple[Turn[Any], ...]
    given: tuple[Hint, ...]
    kind: HintKind
    is_over: bool

    def is_needed(self, at_turn: int) -> bool:
        """Whether there is a hint to be worked out.

        Raises:
            HintOverError, HintsUsedUpError, NothingToCountError: it may not be given.
        """
        if self.is_over:
            raise HintOverError
        if len(self.turns) != at_turn or is_given(self.given, self.kind, at_turn):
            return False
        if self.kind is HintKind.COUNT and not self.turns:
            raise NothingToCountError
        if not hints_left(self.given, self.kind):
            raise HintsUsedUpError(kind=self.kind, most=MOST_HINTS[self.kind])
        return True


class Hints:
    """Use cases around hints.

    A hint is of a turn: asked for twice before the next guess, however soon, it is told again
    and charged once. Nothing is locked while it is worked out; it is written only if the
    player has not guessed meanwhile.
    """

    def __init__(self, database: Database, clock: Clock, queue: Queue) -> None:
        self._database = database
        self._clock = clock
        self._queue = queue
        self._transactions = MastermindTransactions(database, clock)

    async def of_play(self, player_id: int, play_id: int, kind: HintKind, at_turn: int) -> Play:
        """Take a hint in a FoCdle; the play with it.

        Args:
            player_id: the Discord user.
            play_id: which play.
            kind: what is asked.
            at_turn: how many guesses the player saw; if it is not that many any more, nothing
                happens.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's.
            HintOverError: the game is over.
            HintsUsedUpError: the game has no more of this kind.
            NothingToCountError: a count before the first guess.
            CoachBusyError: too many wait, or it takes too long.
        """
        play = await self._database.look(
            lambda tx: read_own(tx, player_id, play_id, self._clock.now())
        )
        is_over = play.game.outcome is not None
        request = _Request(play.rules, play.game.turns, play.hints, kind, is_over=is_over)
        if not request.is_needed(at_turn):
            return play
        hint = await self._work_out(request)
        async with self._database.transaction(keys.player(player_id)) as tx:
            now = self._clock.now()
            play = await read_own(tx, player_id, play_id, now)
            if play.game.turns == request.turns and play.hints == request.given:
                await hints.add(tx, "play", play_id, hint, given_at=now)
            return await read_own(tx, player_id, play_id, now)

    async def of_mastermind(
        self, player_id: int, game_id: int, kind: HintKind, at_turn: int
    ) -> MastermindGame:
        """Take a hint where a player breaks the bot's code; the game with it.

        Args and Raises:
            As `of_play`, with NoSuchGameError and NotYourGameError; a challenge has none.
        """
        game = game_of(
            await self._transactions.look(
                lambda work: work.breakers_row(player_id, game_id, Kind.PLAY)
            )
        )
        is_over = game.stage is Stage.OVER
        request = _Request(game.rules, game.turns, game.hints, kind, is_over=is_over)
        if not request.is_needed(at_turn):
            return game
        hint = await self._work_out(request)
        async with self._transactions.of_game(game_id, player_id) as work:
            row = await work.breakers_row(player_id, game_id, Kind.PLAY)
            game = game_of(row)
            is_same = game.turns == request.turns and game.hints == request.given
            if is_same and game.stage is Stage.PLAYING:
                await hints.add(work.tx, "mastermind", game_id, hint, given_at=work.now)
                row = await work.touch(row, pending=row.pending)
            return game_of(row)

    async def _work_out(self, request: _Request) -> Hint:
        answer = partial(ANSWER_HINT, request.rules, request.turns, request.kind)
        job = self._queue.add(Lane.PLAYING, answer)
        done, _ = await asyncio.wait({job.result}, timeout=PATIENCE_SECONDS)
        if not done:
            job.result.cancel()
            raise CoachBusyError
        answer = job.result.result()
        return Hint(len(request.turns), request.kind, answer)
