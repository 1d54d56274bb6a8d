"""Why guesses were made, worked out with a solver: only slow work imports it."""

from collections.abc import Sequence
from typing import TypeVar

from bot.games.model import Reason
from engine import Turn
from engine.solvers import Codebreaker

F = TypeVar("F")


def reasons_for(breaker: Codebreaker[F], turns: Sequence[Turn[F]]) -> tuple[Reason[F], ...]:
    """Why each of a game's turns was made, and what it left."""
    reasons: list[Reason[F]] = []
    for index, turn in enumerate(turns):
        parts = breaker.parts(turns[:index], turn.guess)
        after = breaker.remaining(turns[: index + 1])
        reasons.append(Reason(turn, parts.total, after))
    return tuple(reasons)
