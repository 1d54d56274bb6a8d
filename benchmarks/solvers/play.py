"""Games, played one by one or all at once."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.solvers.watch import Watch
from engine.codes import Code
from engine.errors import EngineError
from engine.feedback import Turn
from engine.rules import Rules
from engine.solvers.codebreaker import Codebreaker, space_of
from engine.solvers.space import Columns, Reply, Space, Symbols

F = TypeVar("F")

Player = Callable[[Sequence[Turn[F]]], Code]
"""What chooses the next guess."""

_MOST_GUESSES: Final = 99


def chance(seed: str) -> random.Random:
    """Draws that are the same in every run."""
    return random.Random(seed)


def play(rules: Rules[F], player: Player[F], secret: Code, watch: Watch) -> list[Turn[F]]:
    """The turns of a game until it is solved.

    Raises:
        EngineError: it is not solved for far too long.
    """
    turns: list[Turn[F]] = []
    while not turns or not rules.solved(turns[-1].feedback):
        if len(turns) == _MOST_GUESSES:
            raise EngineError(f"{secret} is not found: {turns}")
        guess = watch.ask(player, tuple(turns))
        turns.append(Turn(guess, rules.feedback(guess, secret)))
    return turns


def consistent_game(rules: Rules[F], secret: Code, rng: random.Random) -> list[Turn[F]]:
    """A game of random guesses that explain everything, as *sharp* plays.

    It leaves nothing behind that would make later answers about this game faster.
    """
    space: Space[F] = space_of(rules)
    columns = space.everything()
    turns: list[Turn[F]] = []
    while not turns or not rules.solved(turns[-1].feedback):
        guess = space.write(columns[:, rng.randrange(columns.shape[1])])
        turn = Turn(guess, rules.feedback(guess, secret))
        reply = Reply(space.read(guess), space.number(guess, turn.feedback))
        columns = space.matching(reply, columns)
        turns.append(turn)
    return turns


class Situation(NamedTuple):
    """What the secrets of one part of a tree have in common.

    Attributes:
        turns: pairs of guess and a secret that gives the same feedback, in order.
        columns: the secrets, in the order that they have among all.
    """

    turns: tuple[tuple[Code, Code], ...]
    columns: Columns


Decide = Callable[[Situation], Symbols]
"""What chooses the next guess of a tree."""


def walk(space: Space[F], decide: Decide, watch: Watch, *, plain: int = 0) -> Counter[int]:
    """How many secrets take how many guesses, for all secrets; each decision is made once.

    Args:
        space: the game.
        decide: chooses the guesses.
        watch: times the decisions.
        plain: parts of so many secrets need no decision: they are guessed one by one.

    Raises:
        EngineError: some secrets are not told apart for far too long.
    """
    tally: Counter[int] = Counter()
    count = space.everything().shape[1]
    waiting = [Situation((), space.everything())]
    while waiting:
        watch.tell(tally.total(), count)
        situation = waiting.pop()
        guesses = len(situation.turns) + 1
        if guesses > _MOST_GUESSES:
            raise EngineError(f"not told apart: {situation.turns}")
        guess = watch.ask(decide, situation)
        parts = _parts(space.numbers(guess, situation.columns))
        tally[guesses] += int(parts.sizes[parts.numbers == space.solving].sum())
        open_sizes = parts.sizes[parts.numbers != space.solving]
        for size in range(1, plain + 1):
            for further in range(1, size + 1):
                tally[guesses + further] += int((open_sizes == size).sum())
        code = space.write(guess)
        columns = situation.columns[:, parts.order]
        for index in np.flatnonzero((parts.sizes > plain) & (parts.numbers != space.solving)):
            part = columns[:, parts.starts[index] : parts.starts[index] + parts.sizes[index]]
            turn = (code, space.write(part[:, 0]))
            waiting.append(Situation((*situation.turns, turn), part))
    return +tally


class _Parts(NamedTuple):
    """Feedback numbers, how many columns give each, and how to bring these together."""

    numbers: NDArray[np.int32]
    sizes: NDArray[np.intp]
    starts: NDArray[np.intp]
    order: NDArray[np.intp]


def _parts(numbers: NDArray[np.int32]) -> _Parts:
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    sizes = np.diff(starts, append=len(ordered))
    return _Parts(ordered[starts], sizes, starts, order)


def by_turns(rules: Rules[F], breaker: Codebreaker[F]) -> Decide:
    """Decides as a Codebreaker would in games."""
    space: Space[F] = space_of(rules)

    def decide(situation: Situation) -> Symbols:
        turns = [Turn(guess, rules.feedback(guess, like)) for guess, like in situation.turns]
        return space.read(breaker.next_guess(turns))

    return decide
