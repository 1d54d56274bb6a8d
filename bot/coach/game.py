"""Use cases of hints and lessons, and the coach's services."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Final, Self

from bot.clock import Clock
from bot.coach.difficulties import Difficulties
from bot.coach.model import Analysis, FirstHintError, HintOverError, Weighed
from bot.coach.reviews import Reviews, consult, mistakes, stored
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.features import FINISHED
from bot.focdle.model import NoSuchPlayError, Play
from bot.focdle.plays import guessed, read_own
from bot.games import store as games_store
from bot.games.model import GameName, Hint, Record, history_of
from bot.mastermind.game import MastermindTransaction, MastermindTransactions
from bot.mastermind.model import Kind, MastermindGame, Stage
from bot.pool.pool import Pool
from bot.pool.worker import Named
from engine import next_hint
from engine.skill import Grade


class Hints:
    """Use cases of hints; each is one transaction.

    A click on an outdated board does nothing: the player must have seen the present numbers of
    guesses and hints. If there is no symbol left to show, nothing happens either.

    With `asks`, FirstHintError refuses a player's first hint that costs something.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._transactions = MastermindTransactions(database, clock)

    async def of_play(
        self, player_id: int, play_id: int, turns: int, taken: int, *, asks: bool = False
    ) -> Play:
        """Take a hint in a FoCdle; return the play after it.

        `turns` and `taken` are the guesses and hints that the player saw.
        """

        def take(tx: Transaction) -> Play:
            now = self._clock.now()
            play = read_own(tx, player_id, play_id, now)
            if play.game.outcome is not None:
                raise HintOverError
            shown = play.next_hint
            if shown is None or (len(play.game.turns), len(play.hints)) != (turns, taken):
                return play
            if asks and play.is_hint_priced and not games_store.has_hinted(tx, player_id, "play"):
                raise FirstHintError
            hint = Hint(turns, shown.place, shown.symbol)
            games_store.add_hint(tx, "play", play_id, hint, given_at=now)
            return read_own(tx, player_id, play_id, now)

        return await self._database.write(take, keys.player(player_id))

    async def of_mastermind(
        self, player_id: int, game_id: int, turns: int, taken: int, *, asks: bool = False
    ) -> MastermindGame:
        """Take a hint in a game against the bot's code; return the game after it.

        `turns` and `taken` are the guesses and hints that the player saw. Nothing happens where
        the game allows no hint.
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
            if asks and not games_store.has_hinted(work.tx, player_id, "mastermind"):
                raise FirstHintError
            hint = Hint(turns, shown.place, shown.symbol)
            games_store.add_hint(work.tx, "mastermind", game_id, hint, given_at=work.now)
            return work.touch(game, pending=game.pending)

        return await self._transactions.write(take, game_id, player_id)


# A lesson shows a finished FoCdle before one of its guesses, and its player seeks a better one.
# Nothing that is tried is stored, and the game stays as it was played.

WEIGH: Final[Named[[Record, tuple[str, ...]], tuple[Weighed, ...]]] = Named(
    "bot.coach.analysis", "weigh_guesses"
)

_LEAST_DIFFERENCE: Final = Fraction(1, 20)
"""The least difference to the best guess that counts, in guesses or in chances of the last one."""
_ORDER: Final = tuple(Grade)


class Worth(StrEnum):
    """How the mark of a tried guess compares with that of the one that was made."""

    BETTER = "better"
    AS_GOOD = "as_good"
    WORSE = "worse"


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position in a finished game in which the player looks for a better guess.

    `play` is that of `name` as it was before the guess `made`. `then` is the index of the guess
    whose lesson follows; None after the last one, or while the coach has not looked at the game.
    """

    name: GameName
    play: Play
    made: str
    then: int | None

    @property
    def turn(self) -> int:
        """The 0-based index of the guess that was made."""
        return len(self.play.game.turns)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A tried guess compared with the one that was made.

    `tried` is None if the player asks to see the solver's choice instead.
    """

    lesson: Lesson
    made: Weighed
    tried: Weighed | None

    @property
    def worth(self) -> Worth | None:
        if self.tried is None:
            return None
        tried, made = (_ORDER.index(each.grade) for each in (self.tried, self.made))
        if tried == made:
            return Worth.AS_GOOD
        return Worth.BETTER if tried < made else Worth.WORSE

    @property
    def is_as_good_as_any(self) -> bool:
        """True if the tried guess is about as good as the solver's, and no worse than `made`."""
        is_best = self.tried is not None and self.tried.lost < _LEAST_DIFFERENCE
        return is_best and self.worth is not Worth.WORSE and not self.is_secret

    @property
    def is_done(self) -> bool:
        """True if there is nothing left to seek: the best guess is found, or was shown."""
        return self.tried is None or self.is_as_good_as_any

    @property
    def is_secret(self) -> bool:
        return self.tried is not None and self.tried.guess == self.lesson.play.game.secret


def _played(tx: Transaction, player_id: int, name: GameName, now: datetime) -> Play:
    """A player's own FoCdle; in a race, as a play of its own."""
    read = FINISHED[name.source].play
    if read is None:
        raise NoSuchPlayError
    return read(tx, player_id, name, now)


class Lessons:
    def __init__(self, database: Database, clock: Clock, pool: Pool) -> None:
        self._database = database
        self._clock = clock
        self._pool = pool

    async def of(self, player_id: int, name: GameName, turn: int) -> Lesson:
        """The lesson about a guess of a finished FoCdle; `turn` is its 0-based index."""

        def body(tx: Transaction) -> tuple[Play, Analysis | None]:
            now = self._clock.now()
            finished = consult(tx, player_id, name, now)
            return _played(tx, player_id, name, now), stored(tx, finished)

        play, analysis = await self._database.read(body)
        turns = play.game.turns
        if not 0 <= turn < len(turns):
            raise NoSuchPlayError
        game = replace(play.game, turns=turns[:turn], is_given_up=False)
        known = tuple(hint for hint in play.hints if hint.turn <= turn)
        before = replace(play, game=game, hints=known, salt=None, is_learning=False)
        line = iter(mistakes(analysis) if analysis else ())
        then = next(line, None) if turn in line else None
        return Lesson(name, before, turns[turn].guess, then)

    async def answer(self, player_id: int, name: GameName, turn: int, text: str) -> Comparison:
        """Compare a typed guess with the made one.

        There are no warnings as in a game, because the guess does not count.

        Raises:
            GuessRefusedError: the guess could not have been made there; the error has the play as
                it was before the made guess.
        """
        lesson = await self.of(player_id, name, turn)
        tried = guessed(lesson.play, text, as_probe=True).turns[-1].guess
        made, other = await self._weighed(lesson, lesson.made, tried)
        return Comparison(lesson, made, other)

    async def best(self, player_id: int, name: GameName, turn: int) -> Comparison:
        lesson = await self.of(player_id, name, turn)
        (made,) = await self._weighed(lesson, lesson.made)
        return Comparison(lesson, made, None)

    async def _weighed(self, lesson: Lesson, *guesses: str) -> tuple[Weighed, ...]:
        play = lesson.play
        rules, game = play.rules, play.game
        record = Record(rules, rules.encode(), game.secret, game.turns, hints=play.hints)
        return await self._pool.solve(partial(WEIGH, record, guesses))


@dataclass(frozen=True, slots=True)
class CoachServices:
    reviews: Reviews
    hints: Hints
    lessons: Lessons
    difficulties: Difficulties

    @classmethod
    def on(cls, database: Database, clock: Clock, pool: Pool) -> Self:
        return cls(
            Reviews(database, clock, pool),
            Hints(database, clock),
            Lessons(database, clock, pool),
            Difficulties(database, pool),
        )
