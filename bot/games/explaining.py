"""How many candidates each guess of the bot leaves, by a solver; for worker processes alone."""

from collections.abc import Sequence
from typing import TypeVar

from bot.games.model import Narrowing
from engine import Turn
from engine.solvers import Codebreaker

F = TypeVar("F")


def narrowings(breaker: Codebreaker[F], turns: Sequence[Turn[F]]) -> tuple[Narrowing[F], ...]:
    reasons: list[Narrowing[F]] = []
    for index, turn in enumerate(turns):
        parts = breaker.parts(turns[:index], turn.guess)
        after = breaker.remaining(turns[: index + 1])
        reasons.append(Narrowing(turn, parts.total, after))
    return tuple(reasons)
