"""Games that count and go on: beside them the bot breaks no code like theirs for their player."""

import math
from datetime import datetime
from typing import Final

from bot.db.database import Transaction
from bot.duels.store import duels
from bot.leaderboards.game import update
from bot.mastermind.store import masterminds
from bot.mastermind.store.masterminds import MastermindRow
from bot.refused import RankedGameError, RatedDuelError
from engine import BullsAndCows, CodeGame, Mastermind

_HELPS_FROM: Final = 3
"""A solver helps if one code in so many is one of its own."""

AT_STAKE: Final = "at_stake"
"""The ending of a game that a rated duel has ended, as it is stored."""
_DEFEND: Final = "defend"


def is_alike(solver: CodeGame, game: CodeGame) -> bool:
    """Whether who breaks codes of one kind breaks those of another, too.

    Symbols are but names, so four of ten colours without repeats are four digits all different, and
    a larger alphabet hides a smaller one. What breaks a third of the codes is as good as what
    breaks them all: its player finds out in time.

    Args:
        solver: the rules of the codes that are broken.
        game: the rules of the code that is to be found.
    """
    if solver.length != game.length:
        return False
    shared = min(len(solver.alphabet), len(game.alphabet))
    repeats = solver.repeats and game.repeats
    broken = shared**game.length if repeats else math.perm(shared, game.length)
    return _HELPS_FROM * broken >= game.size


async def require_no_ranked(
    tx: Transaction, player_id: int, rules: CodeGame, now: datetime, *, is_sealable: bool = False
) -> None:
    """Make sure that breaking such codes helps a player in no ranked Mastermind.

    Raises:
        RankedGameError: such a game goes on.
    """
    for row in await masterminds.open_of(tx, player_id, now):
        if update.is_ranked(row) and is_alike(rules, Mastermind.decode(row.rules)):
            raise RankedGameError(rules=rules, game_id=row.id, is_sealable=is_sealable)


async def require_no_rated(tx: Transaction, player_id: int, rules: CodeGame) -> None:
    """Make sure that breaking such codes helps a player in no rated duel that was accepted.

    Raises:
        RatedDuelError: such a duel goes on.
    """
    for row in await duels.unfinished(tx, player_id):
        numbers = BullsAndCows.decode(row.rules)
        if row.rated and row.accepted_at is not None and is_alike(rules, numbers):
            (opponent,) = (s.player_id for s in row.seats if s.player_id != player_id)
            raise RatedDuelError(
                rules=rules, duel_id=row.id, player_id=opponent or 0, numbers=numbers
            )


async def solvers(
    tx: Transaction, player_id: int, rules: CodeGame, now: datetime
) -> list[MastermindRow]:
    """The games in which the bot breaks a code for a player's answers, like those of a game."""
    return [
        row
        for row in await masterminds.open_of(tx, player_id, now)
        if (row.kind, row.secret) == (_DEFEND, None)
        and is_alike(Mastermind.decode(row.rules), rules)
    ]


async def close_solvers(
    tx: Transaction, player_id: int, rules: CodeGame, now: datetime
) -> list[MastermindRow]:
    """End those games, since a rated duel begins in which they could help; which these were."""
    rows = await solvers(tx, player_id, rules, now)
    for row in rows:
        await masterminds.finish(tx, row.id, ending=AT_STAKE, finished_at=now)
    return rows
