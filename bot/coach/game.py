"""What a front end may ask of the coach: hints, lessons, reviews, replays."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Any, Final, Self

from bot.clock import Clock
from bot.coach.model import HintOverError, StillPlayingError, Weighed
from bot.coach.pars import Pars
from bot.coach.queue import Lane, Queue
from bot.coach.reviews import Replays, Reviews
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.db.leases import Leases
from bot.focdle.model import NoSuchPlayError, Play
from bot.focdle.plays import guessed, read_bare, read_own
from bot.games import store as games_store
from bot.games.model import hint_of, history_of
from bot.mastermind.game import MastermindTransaction, MastermindTransactions
from bot.mastermind.model import Kind, MastermindGame, Stage
from bot.pool.pool import Pool
from bot.pool.worker import Named
from engine import Rules, Shown, Turn, next_hint


class Hints:
    """Use cases around hints; each is one transaction.

    A hint is of what its player saw: so many guesses, so many hints. If either is not so any
    more, or there is no hint to be had, nothing happens.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._transactions = MastermindTransactions(database, clock)

    async def of_play(self, player_id: int, play_id: int, turns: int, taken: int) -> Play:
        """Take a hint in a FoCdle; the play with it.

        Args:
            player_id: the Discord user.
            play_id: which play.
            turns: how many guesses the player saw.
            taken: how many hints the player had.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's.
            HintOverError: the game is over.
        """

        def take(tx: Transaction) -> Play:
            now = self._clock.now()
            play = read_own(tx, player_id, play_id, now)
            if play.game.outcome is not None:
                raise HintOverError
            shown = play.next_hint
            if shown is None or (len(play.game.turns), len(play.hints)) != (turns, taken):
                return play
            games_store.add(tx, "play", play_id, hint_of(turns, shown), given_at=now)
            return read_own(tx, player_id, play_id, now)

        return await self._database.write(take, keys.player(player_id))

    async def of_mastermind(
        self, player_id: int, game_id: int, turns: int, taken: int
    ) -> MastermindGame:
        """Take a hint where a player breaks the bot's code; the game with it.

        Args and Raises:
            As `of_play`, with NoSuchGameError and NotYourGameError; a challenge has none.
        """

        def take(work: MastermindTransaction) -> MastermindGame:
            game = work.breakers_game(player_id, game_id, Kind.PLAY)
            if game.stage is Stage.OVER:
                raise HintOverError
            is_same = (len(game.turns), len(game.hints)) == (turns, taken)
            if not is_same or not game.may_hint or game.hidden_code is None:
                return game
            shown = next_hint(game.rules, game.hidden_code, history_of(game.turns, game.hints))
            if shown is None:
                return game
            hint = hint_of(turns, shown)
            games_store.add(work.tx, "mastermind", game_id, hint, given_at=work.now)
            return work.touch(game, pending=game.pending)

        return await self._transactions.write(take, game_id, player_id)


# Lessons: a finished FoCdle before one of its guesses, for which its player seeks a better one.
# Nothing is stored of what is tried, and the game stays as it was played.

WEIGH: Final[
    Named[[Rules[Any], tuple[Turn[Any] | Shown, ...], tuple[str, ...]], tuple[Weighed, ...]]
] = Named("bot.coach.analysis", "weigh_guesses")

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
        play = await self._database.read(
            lambda tx: read_bare(tx, player_id, play_id, self._clock.now())
        )
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


@dataclass(frozen=True, slots=True)
class CoachServices:
    """What guesses were worth, hints, par.

    Attributes:
        reviews: what the guesses of finished games were worth.
        hints: what players are told during games.
        lessons: a better guess than one of a finished FoCdle.
        pars: how hard the dailies are.
        replays: finished Masterminds and duels, guess by guess.
    """

    reviews: Reviews
    hints: Hints
    lessons: Lessons
    pars: Pars
    replays: Replays
    _queue: Queue

    @classmethod
    def on(
        cls,
        database: Database,
        clock: Clock,
        par_runs: int,
        pool: Pool,
        leases: Leases,
    ) -> Self:
        """The use cases on a database; a par comes from so many games, and without any is none."""
        queue = Queue(pool.solve)
        pars = Pars(database, clock, queue, leases, runs=par_runs)
        if par_runs:
            pars.begin()
        reviews = Reviews(database, clock, queue, pars)
        hints, lessons = Hints(database, clock), Lessons(database, clock, queue)
        return cls(reviews, hints, lessons, pars, Replays(database), queue)

    @property
    def waiting(self) -> Mapping[Lane, int]:
        """How many pieces of work of each lane are not done."""
        return self._queue.waiting

    async def close(self) -> None:
        """Finish what is under way and let nobody wait any more. May be called twice."""
        await self.reviews.close()
        await self.pars.close()
        await self._queue.close()
