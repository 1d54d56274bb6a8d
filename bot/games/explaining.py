"""How many candidates each guess of the bot leaves, by a solver; for worker processes alone."""

from collections.abc import Sequence
from typing import TypeVar

from bot.games.model import Reason
from engine import Turn
from engine.solvers import Codebreaker

F = TypeVar("F")


def reasons_for(breaker: Codebreaker[F], turns: Sequence[Turn[F]]) -> tuple[Reason[F], ...]:
    reasons: list[Reason[F]] = []
    for index, turn in enumerate(turns):
        parts = breaker.parts(turns[:index], turn.guess)
        after = breaker.remaining(turns[: index + 1])
        reasons.append(Reason(turn, parts.total, after))
    return tuple(reasons)
