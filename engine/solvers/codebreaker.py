"""Codebreakers of all games: `codebreaker` makes one, `solve` plays a perfect one."""

import random
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar, cast

import numpy as np

from engine.choice import Allowed, Goal, Strength
from engine.code_games import CodeGame, Relabelling
from engine.codes import Code
from engine.errors import EngineError, GameOverError, listed
from engine.feedback import Fact, Turn
from engine.focdle import Focdle
from engine.guessers import endless, play
from engine.own_games import Codes
from engine.rules import Rules
from engine.solvers.code_games import CodeSpace
from engine.solvers.consistency import candidates_after
from engine.solvers.focdle.space import FocdleSpace, openings
from engine.solvers.own_games import CodesSpace
from engine.solvers.space import Columns, History, Reply, Space, replies_in
from engine.solvers.tree_files import Tree
from engine.solvers.trees import tree_of

F = TypeVar("F")
E = TypeVar("E", bound=StrEnum)

_CASUAL_MEMORY: Final = 3


class Codebreaker(Generic[F]):
    """A Codebreaker for one game's rules, made by `codebreaker`.

    It is a `Guesser` without state: everything follows from the turns, and from `rng` if there is
    one. So one object may serve many games at once, also from several threads. A turn's feedback
    may be text. Hints may stand among the turns. If it has an `rng`, a copy made by `pickle` has
    an `rng` of its own.
    """

    def __init__(
        self,
        space: Space[F],
        strength: Strength,
        allowed: Allowed,
        goal: Goal,
        rng: random.Random | None,
    ) -> None:
        self._space = space
        self._strength = strength
        self._allowed = allowed
        self._goal = goal
        self._rng = rng

    @property
    def rules(self) -> Rules[F]:
        return self._space.rules

    @property
    def strength(self) -> Strength:
        return self._strength

    def __repr__(self) -> str:
        options = f"{self._strength.value!r}, {self._allowed.value!r}, {self._goal.value!r}"
        return f"codebreaker({self.rules!r}, {options})"

    def __reduce__(self) -> tuple[object, ...]:
        rng = self._rng and random.Random(self._rng.random())  # noqa: S311 - no secret
        options = (self._space.rules, self._strength, self._allowed, self._goal, rng)
        return codebreaker, options

    def next_guess(self, turns: Sequence[Fact[F]], *, is_last: bool = False) -> Code:
        """Choose the guess after these turns.

        Args:
            turns: guesses with their answers, and hints.
            is_last: whether no further guess may follow; then a perfect Codebreaker guesses only
                candidates.

        Raises:
            InconsistentFeedback: no secret explains all turns and hints.
            ForeignGuessError, ImpossibleFeedbackError: a turn, or a hint, is not of this game.
            NotationError: the text of a turn's feedback cannot be parsed.
            GameOverError: a turn has solved the game.
            EngineError: more turns than a game can have.
        """
        history = self._space.history(turns)
        if self._space.is_solved(history):
            candidates_after(self._space, history)
            raise GameOverError
        if self._strength is Strength.PERFECT:
            best = tuple(self._best(history))
            if is_last:  # all candidates are equally likely
                candidates = candidates_after(self._space, history)
                if not (candidates == np.array(best)[:, None]).all(axis=0).any():
                    return self._space.write(candidates[:, 0])
            return self._space.write(best)
        candidates = candidates_after(self._space, history)
        if self._strength is Strength.CASUAL and self._allowed is not Allowed.HARD:
            candidates = self._remembered(history)
        seed = f"{self._space.key} {history}"
        chance = self._rng or random.Random(seed)  # noqa: S311 - a guess is drawn, no secret
        return self._space.write(candidates[:, chance.randrange(candidates.shape[1])])

    def remaining(self, turns: Sequence[Fact[F]]) -> int:
        """The exact number of candidates after these turns, at least 1.

        Raises:
            EngineError: as `next_guess`, but the last turn may have solved the game.
        """
        return candidates_after(self._space, self._space.history(turns)).shape[1]

    def candidates(self, turns: Sequence[Fact[F]], limit: int) -> list[Code]:
        """At most `limit` candidates after these turns: the first in an order that never changes.

        Raises:
            EngineError: as `remaining`.
        """
        columns = candidates_after(self._space, self._space.history(turns))
        return self._space.write_all(columns[:, : max(0, limit)])

    def _best(self, history: History) -> Sequence[int]:
        if not history:
            return self._opening()
        tree = tree_of(self._space.rules, self._goal) if self._allowed is Allowed.ANY else None
        replies = replies_in(history)
        if tree and replies == history and (guess := self._in(tree, replies)) is not None:
            return guess
        candidates = candidates_after(self._space, history)
        return self._space.choose(candidates, self._allowed, self._goal, len(replies))

    def _opening(self) -> Sequence[int]:
        """The first guess; with an `rng`, one that it draws from those that are about as good."""
        rules, rng = self._space.rules, self._rng
        if rng and isinstance(rules, Focdle):
            return self._space.read(rng.choice(openings(rules, self._allowed)))
        first = self._own_opening()
        if rng and isinstance(rules, CodeGame):
            labels = Relabelling.draw(rules, rng)
            return self._space.read(labels.to_game(rules, self._space.write(first)))
        return first

    def _own_opening(self) -> Sequence[int]:
        tree = tree_of(self._space.rules, self._goal) if self._allowed is Allowed.ANY else None
        guess = tree.lookup(()) if tree else None
        return self._space.opening(self._allowed, self._goal) if guess is None else guess

    def _in(self, tree: Tree[Any], replies: Sequence[Reply]) -> Sequence[int] | None:
        """The guess that a tree has after these turns; None if it has none.

        A game whose opening was relabelled by `rng` is looked up by the tree's own opening: symbols
        and places are renamed for the tree, and its guess is renamed back.
        """
        guess, rules = tree.lookup(replies), self._space.rules
        if guess is not None or not self._rng or not isinstance(rules, CodeGame):
            return guess
        space = self._space
        own, first = space.write(self._own_opening()), space.write(replies[0].guess)
        labels = Relabelling.between(rules, own, first)
        if labels is None:
            return None
        guess = tree.lookup(
            [
                Reply(space.read(labels.to_solver(rules, space.write(guess))), number)
                for guess, number in replies
            ]
        )
        return None if guess is None else space.read(labels.to_game(rules, space.write(guess)))

    def _remembered(self, history: History) -> Columns:
        """The codes that explain all hints and the last three turns, except earlier guesses."""
        replies = replies_in(history)
        shown = tuple(step for step in history if not isinstance(step, Reply))
        candidates = self._space.after(shown + replies[-_CASUAL_MEMORY:])
        for reply in replies[:-_CASUAL_MEMORY]:
            tried = (candidates == np.array(reply.guess)[:, None]).all(axis=0)
            candidates = candidates.compress(~tried, axis=1)
        return candidates


def codebreaker(
    rules: Rules[F],
    strength: str = Strength.PERFECT,
    allowed: str = Allowed.ANY,
    goal: str = Goal.MEAN,
    rng: random.Random | None = None,
) -> Codebreaker[F]:
    """Make a Codebreaker for these rules.

    >>> from engine import BullsAndCows
    >>> breaker = codebreaker(BullsAndCows(4))
    >>> breaker.next_guess([]), breaker.remaining([Turn("0123", "1B1C")])
    ('0123', 720)

    Args:
        rules: those of any game. Hard FoCdle allows only hard guesses.
        strength: *perfect*: the guess of a shipped tree or, where none is shipped, the best that a
            search finds; *sharp*: a random candidate; *casual*: a random code that explains all
            hints and the last three turns, and was not guessed earlier.
        allowed: the guesses that it may make: *any*, *form*, *true* or *hard*, see `Allowed`.
            With hard guesses only, *casual* has to explain all turns, too.
        goal: what *perfect* minimises: *mean*, the mean number of guesses; or *worst*, the
            greatest number of guesses, and only then the mean.
        rng: draws the random codes, and for *perfect* one of the openings that are about equally
            good. Without it both follow from the turns: every game begins with the same guess.

    Raises:
        EngineError: no such game, strength, guesses or goal.
    """
    space = space_of(rules)
    return Codebreaker(
        space,
        _option(Strength, strength),
        space.permitted(_option(Allowed, allowed)),
        _option(Goal, goal),
        rng,
    )


def solve(
    rules: Rules[F], secret: str, allowed: str = Allowed.ANY, goal: str = Goal.MEAN
) -> tuple[Turn[F], ...]:
    """Play a perfect Codebreaker against this secret.

    >>> from engine import Mastermind
    >>> [turn.guess for turn in solve(Mastermind(), "RYGB")]
    ['RROY', 'RGRB', 'RGPR', 'ROGB', 'RYGB']

    Args:
        rules: those of any game; their limit of guesses is ignored.
        secret: the secret, in canonical notation.
        allowed: as for `codebreaker`.
        goal: as for `codebreaker`.

    Returns:
        The turns of the game; the last one guesses the secret.

    Raises:
        ForeignGuessError: the secret is not of this game.
        EngineError: no such game, guesses or goal.
    """
    space_of(rules).read_secret(secret)
    breaker = codebreaker(rules, allowed=allowed, goal=goal)
    return play(endless(rules), secret, breaker).turns


def space_of(rules: Rules[F]) -> Space[F]:
    """Make the solvers' view of a game with these rules.

    Raises:
        EngineError: there is no solver for these rules.
    """
    # A checker cannot see that F is Marks or Score in the respective branch.
    if isinstance(rules, Focdle):
        return cast("Space[F]", FocdleSpace(rules))
    if isinstance(rules, CodeGame):
        return cast("Space[F]", CodeSpace(rules))
    if isinstance(rules, Codes):
        return cast("Space[F]", _space_of_codes(cast("Codes[Any]", rules)))
    raise EngineError(f"There is no solver for {rules!r}.")


# What has been answered one by one is not asked again.
@lru_cache(maxsize=4)
def _space_of_codes(rules: Codes[Any]) -> CodesSpace[Any]:
    return CodesSpace(rules)


def _option(options: type[E], name: str) -> E:
    # Callers without a type checker may pass anything.
    if not isinstance(name, str) or name not in set(options):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EngineError(f"{name!r} is none of {listed(options)}.")
    return options(name)
