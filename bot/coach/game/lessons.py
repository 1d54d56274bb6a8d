"""Lessons: a finished FoCdle before one of its guesses, for which its player seeks a better one.

Nothing is stored of what is tried, and the game stays as it was played.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Any, Final

from bot.clock import Clock
from bot.coach.game.queue import Lane, Queue
from bot.coach.model.errors import StillPlayingError
from bot.coach.model.insight import Weighed
from bot.db.database import Database
from bot.focdle.game.plays import guessed, read_bare
from bot.focdle.model.errors import NoSuchPlayError
from bot.focdle.model.play import Play
from bot.pool.named import Named
from engine import Rules, Shown, Turn

WEIGH: Final[
    Named[[Rules[Any], tuple[Turn[Any] | Shown, ...], tuple[str, ...]], tuple[Weighed, ...]]
] = Named("bot.coach.game.analysing", "weigh_guesses")

_FELT: Final = Fraction(1, 20)
"""Of a guess, or of the last chance: guesses that differ by less are as good."""


class Worth(StrEnum):
    """How good a guess is beside the one that was made."""

    BETTER = "better"
    AS_GOOD = "as_good"
    WORSE = "worse"


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position in which a better guess is sought.

    Attributes:
        play: the play as it stood.
        made: the guess that was made.
    """

    play: Play
    made: str

    @property
    def turn(self) -> int:
        """Which guess is sought, 0 for the first."""
        return len(self.play.game.turns)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was tried in a lesson, beside what was made.

    Attributes:
        lesson: where.
        made: the guess that was made.
        tried: the one that was tried; None for who wants to be shown the solver's.
    """

    lesson: Lesson
    made: Weighed
    tried: Weighed | None

    @property
    def worth(self) -> Worth | None:
        """How good what was tried is."""
        if self.tried is None:
            return None
        spared = self.made.loss.guesses - self.tried.loss.guesses
        if abs(spared) < _FELT:
            return Worth.AS_GOOD
        return Worth.BETTER if spared > 0 else Worth.WORSE

    @property
    def is_as_good_as_any(self) -> bool:
        """Whether hardly a guess is better than what was tried, and what was made is no better."""
        is_best = self.tried is not None and self.tried.loss.guesses < _FELT
        return is_best and self.worth is not Worth.WORSE

    @property
    def is_secret(self) -> bool:
        """Whether what was tried is what was to be found."""
        return self.tried is not None and self.tried.guess == self.lesson.play.game.secret


class Lessons:
    """Use cases of *Find a better guess*."""

    def __init__(self, database: Database, clock: Clock, queue: Queue) -> None:
        self._database = database
        self._clock = clock
        self._queue = queue

    async def of(self, player_id: int, play_id: int, turn: int) -> Lesson:
        """A finished play before one of its guesses, 0 for the first.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's, or has no such guess.
            StillPlayingError: it goes on.
        """
        async with self._database.reading() as tx:
            play = await read_bare(tx, player_id, play_id, self._clock.now())
        if play.game.outcome is None:
            raise StillPlayingError
        turns = play.game.turns
        if turn >= len(turns):
            raise NoSuchPlayError
        game = replace(play.game, turns=turns[:turn], is_given_up=False)
        known = tuple(hint for hint in play.hints if hint.turn <= turn)
        before = replace(play, game=game, hints=known, salt=None, is_learning=False)
        return Lesson(before, turns[turn].guess)

    async def answer(self, player_id: int, play_id: int, turn: int, text: str) -> Answer:
        """What a guess would have been worth; nothing is asked first, since nothing counts.

        Args:
            player_id: the Discord user.
            play_id: which play.
            turn: in place of which guess, 0 for the first.
            text: what the player typed.

        Raises:
            GuessRefusedError: it could not have been guessed there; it has the play as it stood.
            CoachBusyError: too many wait.
            Refused: as `of`.
        """
        lesson = await self.of(player_id, play_id, turn)
        tried = guessed(lesson.play, text, as_probe=True).turns[-1].guess
        made, other = await self._weighed(lesson, lesson.made, tried)
        return Answer(lesson, made, other)

    async def shown(self, player_id: int, play_id: int, turn: int) -> Answer:
        """What the solver would have guessed.

        Raises:
            CoachBusyError: too many wait.
            Refused: as `of`.
        """
        lesson = await self.of(player_id, play_id, turn)
        (made,) = await self._weighed(lesson, lesson.made)
        return Answer(lesson, made, None)

    async def _weighed(self, lesson: Lesson, *guesses: str) -> tuple[Weighed, ...]:
        play = lesson.play
        weigh = partial(WEIGH, play.rules, play.history, guesses)
        return await self._queue.run(Lane.PLAYING, weigh)
