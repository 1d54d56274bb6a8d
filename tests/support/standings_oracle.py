"""Leaderboards by the book: sums over everything that was ever played, nothing remembered."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from functools import partial
from math import exp, floor, log, sqrt
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from tests.support.sql import sql

FIRST = date(2026, 1, 1)
BEGINNING = datetime(2025, 12, 1, tzinfo=UTC)

Expected = list[tuple[int, int, tuple[int, ...]]]
"""Rank, 0 for none, player, figures."""


class Board(NamedTuple):
    game: str
    period: str
    previous: bool
    guild: int


class Books:
    """Everything in the tables that players and servers have made, and what it comes to."""

    def __init__(self, folder: Path, now: datetime) -> None:
        self.now = now
        self._ends: dict[tuple[int, date], datetime] = {}
        read = partial(sql, folder)
        self.members = set(read("SELECT guild_id, player_id FROM members"))
        self.hidden = {row[0] for row in read("SELECT player_id FROM preferences WHERE hidden")}
        self.lengths = read("SELECT guild_id, from_day, length FROM guild_lengths ORDER BY 2")
        self.zones = read(
            "SELECT subject_id, effective_at, zone, set_at FROM zones"
            " WHERE subject = 'guild' ORDER BY effective_at"
        )
        self.plays = read(
            "SELECT player_id, number, length, outcome, count(*),"
            " (SELECT count(*) FROM hints WHERE hints.play_id = plays.id),"
            " opened_at, finished_at FROM plays"
            " JOIN puzzles ON puzzles.id = puzzle_id JOIN guesses ON guesses.play_id = plays.id"
            " WHERE on_date AND number IS NOT NULL GROUP BY plays.id, puzzles.id"
        )
        self.games = read(
            "SELECT codebreaker_id, finished_at, ending, count(*),"
            " (SELECT count(*) FROM hints WHERE mastermind_id = masterminds.id)"
            " FROM masterminds"
            " JOIN mastermind_turns ON game_id = masterminds.id"
            " WHERE kind = 'play' AND rules = 'mastermind:4x6r/12' AND ending IS NOT NULL"
            " AND ranked"
            " GROUP BY masterminds.id"
        )
        self.ratings = read(
            "SELECT player_id, changed_at, games, opponent_id, mu_after FROM rating_changes"
            " ORDER BY games"
        )

    def board(self, board: Board) -> Expected:
        """The rows that a board has."""
        if board.game == "focdle":
            return self._focdle(board)
        return self._mastermind(board) if board.game == "mastermind" else self._duels(board)

    def shows(self, player: int, guild: int) -> bool:
        return player not in self.hidden and (guild, player) in self.members

    def _zone(self, guild: int, instant: datetime) -> ZoneInfo:
        zone = "UTC"
        for subject, effective_at, name, _ in self.zones:
            if subject == guild and _instant(effective_at) <= instant:
                zone = name
        return ZoneInfo(zone)

    def _date(self, guild: int, instant: datetime) -> date:
        return instant.astimezone(self._zone(guild, instant)).date()

    def _covers(self, board: Board) -> Callable[[date], bool]:
        today = self._date(board.guild, self.now)
        if board.period == "all":
            return lambda _: True
        if board.period == "day":
            wanted = today - timedelta(days=board.previous)
            return lambda day: day == wanted
        if board.period == "week":
            week = (today - timedelta(days=7 * board.previous)).isocalendar()[:2]
            return lambda day: day.isocalendar()[:2] == week
        months = today.year * 12 + today.month - board.previous
        return lambda day: day.year * 12 + day.month == months

    def _length(self, guild: int, day: date) -> int:
        length = 10
        for subject, from_day, value in self.lengths:
            if subject == guild and date.fromisoformat(from_day) <= day:
                length = value
        return length

    def _in_time(self, guild: int, day: date, opened: str, finished: str) -> bool:
        """Opened before the date had ended there, and finished half an hour after at most."""
        if (guild, day) not in self._ends:
            self._ends[guild, day] = self._end(guild, day)
        end = self._ends[guild, day]
        return _instant(opened) < end and _instant(finished) < end + timedelta(minutes=30)

    def _end(self, guild: int, day: date) -> datetime:
        """When the clock there first comes to show the next date, before it is changed."""
        mine = [row for row in self.zones if row[0] == guild]
        zones = [(BEGINNING, "UTC"), *((_instant(at), zone) for _, at, zone, _ in mine)]
        if mine and mine[0][1] == mine[0][3]:  # chosen before anybody had played there
            zones[:2] = [(BEGINNING, mine[0][2])]
        midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
        hours = [midnight + timedelta(hours=n) for n in range(10, 37)]
        for instant in sorted([*hours, *(at + timedelta(seconds=1) for at, _ in zones)]):
            zone = [name for at, name in zones if at < instant][-1]
            if instant.astimezone(ZoneInfo(zone)).date() > day:
                return instant
        raise AssertionError("no date lasts so long")

    def _dailies(self, board: Board) -> Iterator[tuple[int, date, bool, int, int]]:
        """Player, date, whether it was solved, guesses and hints of what counts."""
        covers = self._covers(board)
        for player, number, length, outcome, guesses, hints, *times in self.plays:
            day = FIRST + timedelta(days=number - 1)
            if not self.shows(player, board.guild) or not covers(day):
                continue
            is_counted = self._length(board.guild, day) == length
            is_counted &= self._in_time(board.guild, day, *times)
            if is_counted:
                yield player, day, outcome == "solved", guesses, hints

    def _focdle(self, board: Board) -> Expected:
        dates: defaultdict[tuple[int, date], list[tuple[int, int, int, int]]] = defaultdict(list)
        for player, day, solved, guesses, hints in self._dailies(board):
            points = max(7 - guesses - hints, 0) if solved else 0
            assisted = int(solved and hints > 0)
            dates[player, day].append((points, int(solved), -assisted, -guesses))
        totals: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0, 0])
        for (player, _), plays in dates.items():
            for place, value in enumerate((*max(plays), 1)):
                totals[player][place] += value
        return _ranked(
            (
                player,
                (points, solved, unassisted, fewer),
                (points, solved, -fewer, plays, -unassisted),
            )
            for player, (points, solved, unassisted, fewer, plays) in totals.items()
        )

    def _mastermind(self, board: Board) -> Expected:
        covers = self._covers(board)
        games: defaultdict[int, list[tuple[int, bool]]] = defaultdict(list)
        for player, finished_at, ending, turns, hints in self.games:
            day = self._date(board.guild, _instant(finished_at))
            if self.shows(player, board.guild) and covers(day):
                solved = ending == "solved"
                games[player].append((min(turns + hints, 13) if solved else 13, solved))
        totals = {
            player: (len(found), sum(solved for _, solved in found), sum(n for n, _ in found))
            for player, found in games.items()
            if len(found) >= 5
        }
        return _ranked(
            (player, (-floor(Fraction(taken + 30, count + 5) * 100 + Fraction(1, 2)), count), row)
            for player, row in totals.items()
            for count, _, taken in [row]
        )

    def _duels(self, board: Board) -> Expected:
        covers = self._covers(board)
        opponents: defaultdict[int, set[int]] = defaultdict(set)
        dates: defaultdict[int, set[date]] = defaultdict(set)
        last: dict[int, tuple[int, int, int]] = {}
        for player, changed_at, games, opponent, mu in self.ratings:
            opponents[player] |= {opponent} if opponent > 0 else set()
            dates[player].add(_instant(changed_at).date())
            day = self._date(board.guild, _instant(changed_at))
            if self.shows(player, board.guild) and covers(day):
                is_new = len(dates[player]) < 5 or len(opponents[player]) < 3
                last[player] = round(mu), games, int(is_new)
        ranked = [(who, row[:1], row) for who, row in last.items() if not row[2]]
        below = sorted((-row[0], who) for who, row in last.items() if row[2])
        return [*_ranked(ranked), *((0, who, last[who]) for _, who in below)]


def told(
    before: tuple[float, float], other: tuple[float, float], score: float
) -> tuple[float, float]:
    """What Weng and Lin make of a mean and its deviation, as their paper has it."""
    points = 400 / log(10)
    (mean, _), variances = before, [sigma**2 + 0.5**2 for _, sigma in (before, other)]
    spread = sqrt(sum(variances) + 2 * (points / sqrt(2)) ** 2)
    expected = 1 / (1 + exp((other[0] - mean) / spread))
    left = 1 - variances[0] / spread**2 * expected * (1 - expected)
    return mean + variances[0] / spread * (score - expected), sqrt(variances[0] * left)


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def _ranked(
    rows: Iterable[tuple[int, tuple[int, ...], tuple[int, ...]]],
) -> Expected:
    """Rows with the rank that everybody better leaves, in order, ties by id."""
    found = list(rows)
    placed = [
        (1 + sum(other > key for _, other, _ in found), player, figures)
        for player, key, figures in found
    ]
    return sorted(placed)
