"""Series: duels one after another, until one of the two has won most of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.services.duels.transitions import Ending
from bot.storage.duels.duels import DuelRow, NewDuel
from bot.storage.duels.pairs import SeriesRow

LENGTHS: Final = (1, 3, 5)
"""How many duels may be agreed on; who wins more than half of them wins the series."""
MOST_REPLAYED: Final = 2
"""How many draws are played again; one more, and the series is shared."""

_GIVEN_AWAY: Final = {Ending.TIMED_OUT, Ending.RESIGNED, Ending.FORFEITED}
"""The endings by which a player gives a duel away; twice in a row, and the series is lost."""
_CALLED_OFF: Final = {Ending.LAPSED, Ending.WITHDRAWN, Ending.DECLINED}


class SeriesEnding(StrEnum):
    """How a series ended."""

    WON = "won"
    """One player has won more than half of its duels."""
    GIVEN_AWAY = "given_away"
    """The loser has given up, or not moved in time, twice in a row."""
    SHARED = "shared"
    """Too many draws: nobody wins."""
    STOPPED = "stopped"
    """Both would rather stop, neither set a number in time, or one has deleted their data."""


@dataclass(frozen=True, slots=True)
class Decision:
    """How a series ended.

    Attributes:
        ending: by what.
        winner: the side that has won it, as in `Score`; None for nobody.
    """

    ending: SeriesEnding
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """How a series stands.

    A side is the seat that its player had in the first duel. The two change seats after each
    duel, since whoever moved first moves second then.

    Attributes:
        wins: duels won, by side.
        draws: duels that nobody won.
        decision: how it ended; None while another duel is to be played.
    """

    wins: tuple[int, int]
    draws: int
    decision: Decision | None


@dataclass(frozen=True, slots=True)
class Series:
    """The series of a duel, as its players see it.

    Attributes:
        best_of: how many duels it has at most, but for draws that are played again.
        number: which of its duels this is, from 1.
        wins: duels won so far, by the seats of this duel.
        draws: duels that nobody won.
        ending: how it ended; None while it goes on.
        winner: the seat, in this duel, of who has won it; None for nobody.
        next_id: the duel that follows this one, once it is there.
    """

    best_of: int
    number: int
    wins: tuple[int, int]
    draws: int
    ending: SeriesEnding | None
    winner: int | None
    next_id: int | None


def score_of(best_of: int, duels: Sequence[SeriesRow]) -> Score:
    """How a series stands after the duels of it that are over, in their order."""
    wins, draws, gave_away = [0, 0], 0, None
    for number, duel in enumerate(duels):
        if duel.ending is None:
            break
        loser = None
        if duel.winner is not None:
            winner = side_of(number, duel.winner)
            wins[winner] += 1
            loser = 1 - winner if Ending(duel.ending) in _GIVEN_AWAY else None
            if wins[winner] > best_of // 2:
                return Score(_pair(wins), draws, Decision(SeriesEnding.WON, winner))
            if loser is not None and loser == gave_away:
                return Score(_pair(wins), draws, Decision(SeriesEnding.GIVEN_AWAY, winner))
        elif Ending(duel.ending) in _CALLED_OFF:
            return Score(_pair(wins), draws, Decision(SeriesEnding.STOPPED))
        else:
            draws += 1
            if draws > MOST_REPLAYED:
                return Score(_pair(wins), draws, Decision(SeriesEnding.SHARED))
        gave_away = loser
    return Score(_pair(wins), draws, None)


def _pair(wins: Sequence[int]) -> tuple[int, int]:
    first, second = wins
    return first, second


def next_duel(row: DuelRow, first_id: int) -> NewDuel:
    """The duel that follows another one of a series: the same again, with new numbers."""
    return NewDuel(
        rules=row.rules,
        mode=row.mode,
        pace=row.pace,
        rated=row.rated,
        strength=row.strength,
        challenger_id=row.challenger_id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        best_of=row.best_of,
        series_id=first_id,
    )


def side_of(number: int, seat: int) -> int:
    """The side of a seat in a series' duel, numbered from 0; or the seat of a side."""
    return seat if number % 2 == 0 else 1 - seat


def series_of(duel_id: int, best_of: int, duels: Sequence[SeriesRow]) -> Series:
    """What a series looks like from one of its duels: as it stood then, and what follows.

    A duel that is over without one to follow was the last, whatever the score: a player has
    deleted their data.
    """
    ids = [duel.id for duel in duels]
    index = ids.index(duel_id)
    score = score_of(best_of, duels[: index + 1])
    decision, is_last = score.decision, index + 1 == len(duels)
    if decision is None and is_last and duels[index].ending is not None:
        decision = Decision(SeriesEnding.STOPPED)
    first, second = (score.wins[side_of(index, seat)] for seat in (0, 1))
    winner = None if decision is None or decision.winner is None else decision.winner
    return Series(
        best_of=best_of,
        number=index + 1,
        wins=(first, second),
        draws=score.draws,
        ending=None if decision is None else decision.ending,
        winner=None if winner is None else side_of(index, winner),
        next_id=None if is_last else ids[index + 1],
    )
