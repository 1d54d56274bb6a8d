"""A week as a server's members made it: who won what, and what else is worth telling.

It tells only what is good to read, by the rules of the server's leaderboards: nobody is named for
a loss, and who is hidden is nowhere.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from bot.dailies import day_of, number_of
from bot.db.database import Transaction
from bot.leaderboards.game.calendars import Calendars
from bot.leaderboards.game.scores import StreakFigures, figures_of
from bot.leaderboards.model.keys import BoardGame, Period, slot_of
from bot.leaderboards.model.page import Row
from bot.leaderboards.store import leaderboards
from bot.people.store import members
from bot.posts.store import recaps
from bot.posts.store.recaps import DuelResultRow, PuzzleRow

FEWEST_PLAYERS: Final = 3
"""How many members must have played in a week for it to have a recap."""

_WON: Final = (BoardGame.MASTERMIND, BoardGame.DUELS)
_PLAYED: Final = (BoardGame.FOCDLE, *_WON)
_MOST_NAMED: Final = 2
_SHORTEST_STREAK: Final = 3
_WEEK: Final = timedelta(days=7)
# No zone is further from UTC.
_MARGIN: Final = timedelta(days=1)
_DRAW: Final = "both_solved"
# As they are stored. No others say how near it was: in these both have played to the end.
_FOUND: Final = ("solved", _DRAW)


@dataclass(frozen=True, slots=True)
class Best:
    """Who leads a leaderboard: at most two of those who tie, and how many they are."""

    game: BoardGame
    rows: tuple[Row, ...]
    total: int


@dataclass(frozen=True, slots=True)
class CloseDuel:
    """The closest duel of a week.

    Attributes:
        names: by id, what its two players are called there, in the order in which they moved.
        apart: how many guesses lay between them.
        guesses: how many the one with more has made.
        is_draw: whether both found their number.
    """

    names: dict[int, str]
    apart: int
    guesses: int
    is_draw: bool


@dataclass(frozen=True, slots=True)
class HardPuzzle:
    """The puzzle of a week with the highest par that anybody there has finished.

    Attributes:
        number: which daily.
        par: how many guesses the solver takes on average.
        finished: how many members have finished it on its date.
        solved: how many of them have solved it.
    """

    number: int
    par: float
    finished: int
    solved: int


@dataclass(frozen=True, slots=True)
class Recap:
    """A week in a server; None is what there is nothing to tell of.

    Attributes:
        winners: who leads each of the week's leaderboards but the one of points.
        duel: the closest duel.
        streak: who has the longest streak now.
        puzzle: the hardest puzzle.
    """

    winners: tuple[Best, ...] = ()
    duel: CloseDuel | None = None
    streak: Best | None = None
    puzzle: HardPuzzle | None = None

    @property
    def names(self) -> list[dict[int, str]]:
        """Who is named in each of its parts, and how."""
        bests = [*self.winners, *([self.streak] if self.streak else [])]
        parts = [{row.player_id: row.name for row in best.rows} for best in bests]
        if self.duel is not None:
            parts.append(self.duel.names)
        return parts


async def recap_of(tx: Transaction, guild_id: int, monday: date) -> Recap | None:
    """The recap of the week that begins on a date; None if too few have played in it."""
    slots = [slot_of(game, Period.WEEK, monday) for game in _PLAYED]
    if await recaps.count_players(tx, guild_id, slots) < FEWEST_PLAYERS:
        return None
    week = _Week(tx, guild_id, monday, await Calendars.read(tx, [guild_id]))
    winners = [await week.best(game, Period.WEEK) for game in _WON]
    return Recap(
        tuple(best for best in winners if best is not None),
        await week.closest_duel(),
        await week.longest_streak(),
        await week.hardest_puzzle(),
    )


class _Week:
    """A week of a server in an open transaction."""

    def __init__(self, tx: Transaction, guild_id: int, monday: date, calendars: Calendars) -> None:
        self._tx = tx
        self._guild_id = guild_id
        self._monday = monday
        self._calendars = calendars

    async def best(self, game: BoardGame, period: Period) -> Best | None:
        """Who leads a leaderboard, if anybody is ranked on it."""
        tx, guild_id, slot = self._tx, self._guild_id, slot_of(game, period, self._monday)
        ranked = await leaderboards.ranked(tx, guild_id, slot, offset=0, limit=_MOST_NAMED)
        first = [row for row in ranked if row.rank == 1]
        if not first:
            return None
        total = await leaderboards.count_before(tx, guild_id, slot, first[0].sort_key + 1)
        names = await self._names(row.player_id for row in first)
        rows = tuple(
            Row(1, row.player_id, names.get(row.player_id, ""), figures_of(slot, row.figures))
            for row in first
        )
        return Best(game, rows, total)

    async def longest_streak(self) -> Best | None:
        """Who has the longest streak now, if it is one of some days."""
        best = await self.best(BoardGame.STREAK, Period.ALL)
        if best is None:
            return None
        figures = best.rows[0].figures
        is_long = isinstance(figures, StreakFigures) and figures.length >= _SHORTEST_STREAK
        return best if is_long else None

    async def closest_duel(self) -> CloseDuel | None:
        """The duel with the smallest margin; of several the longest, and the last of those."""
        begin = datetime.combine(self._monday, time(), UTC)
        found = await recaps.duels_between(
            self._tx, self._guild_id, begin - _MARGIN, begin + _WEEK + _MARGIN, _FOUND
        )
        inside = [row for row in found if self._has(row.finished_at)]
        if not inside:
            return None
        closest = min(inside, key=_closeness)
        players = (closest.first_id, closest.second_id)
        names = await self._names(players)
        return CloseDuel(
            {player_id: names.get(player_id, "") for player_id in players},
            abs(closest.first_guesses - closest.second_guesses),
            max(closest.first_guesses, closest.second_guesses),
            closest.ending == _DRAW,
        )

    async def hardest_puzzle(self) -> HardPuzzle | None:
        """The puzzle with the highest par of those that members have finished."""
        tx, guild_id, first = self._tx, self._guild_id, number_of(self._monday)
        slot = slot_of(BoardGame.FOCDLE, Period.WEEK, self._monday)
        there = await self._puzzles(first, first + _WEEK.days - 1)
        known = [(row.par, row) for row in there if row.par is not None]
        for par, row in sorted(known, key=lambda one: (-one[0], one[1].number)):
            deadline = self._calendars.deadline(guild_id, day_of(row.number))
            finished, solved = await recaps.count_finishers(tx, guild_id, slot, row.id, deadline)
            if finished:
                return HardPuzzle(row.number, par, finished, solved)
        return None

    async def _puzzles(self, first: int, last: int) -> list[PuzzleRow]:
        """The server's dailies of some dates, by the first and the last number."""
        there = await recaps.puzzles_between(self._tx, first, last)
        length_on = self._calendars.length_on
        return [p for p in there if p.length == length_on(self._guild_id, day_of(p.number))]

    async def _names(self, player_ids: Iterable[int]) -> dict[int, str]:
        found = await members.names_in(self._tx, self._guild_id, set(player_ids))
        return {player_id: row.name for player_id, row in found.items()}

    def _has(self, instant: datetime) -> bool:
        """Whether an instant lies in the week, by the server's calendar."""
        day = self._calendars.date_of(self._guild_id, instant)
        return self._monday <= day < self._monday + _WEEK


def _closeness(row: DuelResultRow) -> tuple[int, bool, int, int]:
    """What duels are compared by, the closest first: a draw is closer than a last guess."""
    first, second = row.first_guesses, row.second_guesses
    return (abs(first - second), row.ending != _DRAW, -max(first, second), -row.id)
