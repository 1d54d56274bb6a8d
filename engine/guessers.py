"""Guessers, a game that one plays, and how many guesses one takes in many games."""

import math
import random
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Final, Protocol, TypeVar

from engine.codes import Code
from engine.errors import EngineError, counted
from engine.feedback import Turn
from engine.game import Game, Outcome
from engine.rules import MOST_GUESSES, Rules

F = TypeVar("F")

_BAR: Final = 30


class Guesser(Protocol):
    """Whoever guesses in a game: a solver, any other program, a person at an interface.

    >>> from engine import Mastermind, is_consistent, play
    >>> class First:
    ...     '''The first code that explains all answers.'''
    ...     def next_guess(self, turns):
    ...         codes = Mastermind().codes()
    ...         return next(code for code in codes if is_consistent(Mastermind(), code, turns))
    >>> play(Mastermind(), "RYGB", First()).guesses
    ('RRRR', 'ROOO', 'RYYY', 'RYGG', 'RYGB')
    """

    def next_guess(self, turns: Sequence[Turn[Any]], /) -> str:
        """Choose the guess that follows these turns; return it in canonical notation."""
        ...


@dataclass(frozen=True)
class Measured:
    """How many guesses a Guesser has taken to find many secrets.

    Attributes:
        distribution: maps each number of guesses to the number of games that took so many. The
            right guess counts. The numbers of guesses ascend.
        is_sample: whether the secrets were drawn at random. Only then the mean has an error.
        seconds: how many processor seconds choosing the guesses took, in all processes together.
    """

    distribution: Mapping[int, int]
    is_sample: bool
    seconds: float = field(compare=False)

    @property
    def games(self) -> int:
        return sum(self.distribution.values())

    @property
    def guesses(self) -> int:
        """The number of guesses in all games together."""
        return sum(guesses * games for guesses, games in self.distribution.items())

    @property
    def mean(self) -> float:
        return self.guesses / self.games

    @property
    def worst(self) -> int:
        """The number of guesses in the longest game."""
        return max(self.distribution)

    @property
    def error(self) -> float:
        """The standard error of the mean, in guesses; 0 unless at least two secrets were drawn."""
        if not self.is_sample or self.games == 1:
            return 0.0
        squares = sum(n * (guesses - self.mean) ** 2 for guesses, n in self.distribution.items())
        return math.sqrt(squares / (self.games - 1) / self.games)

    def __str__(self) -> str:
        """Lines of text: the number of games, the mean, and a bar for each number of guesses."""
        error = f" (standard error {self.error:.3f})" if self.error else ""
        lines = [f"{counted(self.games, 'game')}:", f"{self.mean:.3f} guesses on average{error}"]
        most = max(self.distribution.values())
        for guesses in range(min(self.distribution), self.worst + 1):
            games = self.distribution.get(guesses, 0)
            lines.append(f"{guesses:>2} {'#' * math.ceil(_BAR * games / most)} {games:,}")
        return "\n".join(lines)


def play(rules: Rules[F], secret: str, guesser: Guesser) -> Game[F]:
    """Play a game to its end.

    Args:
        rules: those of any game.
        secret: the secret, in canonical notation.
        guesser: is asked once a turn, and gets all turns so far.

    Returns:
        The game, solved or lost.

    Raises:
        ForeignGuessError: the secret, or a guess, is not of this game.
        IllegalGuessError: the guess was made before, or hard mode does not allow it.
    """
    game = Game(rules, secret)
    while game.outcome is None:
        game = game.guess(guesser.next_guess(game.turns))
    return game


def endless(rules: Rules[F]) -> Rules[F]:
    """The same rules with `MOST_GUESSES`, the highest limit of guesses that rules can have."""
    settings: Any = rules
    return replace(settings, max_guesses=MOST_GUESSES)


def measure(
    rules: Rules[F],
    guesser: Guesser,
    secrets: Iterable[str] | int | None = None,
    *,
    seed: int = 1,
    processes: int = 1,
) -> Measured:
    """Count the guesses that a Guesser takes, up to 99 a game, whatever the rules' limit.

    >>> from engine import BullsAndCows, is_consistent
    >>> class First:
    ...     def next_guess(self, turns):
    ...         codes = BullsAndCows(1).codes()
    ...         return next(code for code in codes if is_consistent(BullsAndCows(1), code, turns))
    >>> found = measure(BullsAndCows(1), First())
    >>> found.games, found.mean, found.worst, found.distribution[3]
    (10, 5.5, 10, 1)

    Args:
        rules: those of any game.
        guesser: whoever guesses. With several processes each has a copy, made by `pickle`: the
            class of `guesser` must be importable, and the call of `measure` must stand under
            ``if __name__ == "__main__":``.
        secrets: the secrets, in canonical notation; or how many are to be drawn; or None for all.
        seed: decides which secrets are drawn.
        processes: how many processes play at once, 1 or more.

    Raises:
        EngineError: there is no secret or no process, or 99 guesses do not find a secret.
        ForeignGuessError, IllegalGuessError: as `play`.
    """
    if isinstance(secrets, int):
        rng = random.Random(seed)  # noqa: S311 - the same games in every run
        played = [rules.draw(rng) for _ in range(secrets)]
    else:
        played = list(rules.codes() if secrets is None else secrets)
    if not played or processes < 1:
        raise EngineError("There must be a secret to be found, and a process for it.")
    shares = [played[n::processes] for n in range(min(processes, len(played)))]
    many = len(shares) > 1
    found = _at_once(rules, guesser, shares) if many else [_count(rules, guesser, played)]
    tally = sum((counts for counts, _ in found), Counter[int]())
    seconds = sum(seconds for _, seconds in found)
    return Measured(dict(sorted(tally.items())), isinstance(secrets, int), seconds)


_Counted = tuple[Counter[int], float]
"""How many games took each number of guesses, and the seconds that choosing them took."""


def _at_once(rules: Rules[F], guesser: Guesser, shares: Sequence[Sequence[Code]]) -> list[_Counted]:
    # Loaded only here: they would take a third of the engine's start.
    context = import_module("multiprocessing").get_context("spawn")
    pools: Any = import_module("concurrent.futures")
    with pools.ProcessPoolExecutor(len(shares), mp_context=context) as pool:
        tasks = [pool.submit(_count, rules, guesser, share) for share in shares]
        return [task.result() for task in tasks]


def _count(rules: Rules[F], guesser: Guesser, secrets: Iterable[Code]) -> _Counted:
    """Play until each secret is found; a secret not found in 99 guesses is an EngineError."""
    watch, long = _Watch(guesser), endless(rules)
    tally: Counter[int] = Counter()
    for secret in secrets:
        game = play(long, secret, watch)
        if game.outcome is not Outcome.SOLVED:
            raise EngineError(f"{secret} was not found in {MOST_GUESSES} guesses.")
        tally[len(game.turns)] += 1
    return tally, watch.seconds


class _Watch:
    """A Guesser that asks another one for each guess, and adds up its processor time."""

    def __init__(self, guesser: Guesser) -> None:
        self._guesser = guesser
        self.seconds = 0.0

    def next_guess(self, turns: Sequence[Turn[Any]], /) -> str:
        before = time.process_time()
        guess = self._guesser.next_guess(turns)
        self.seconds += time.process_time() - before
        return guess
