"""What a running message shows: a row for each result, ranked as on the day's leaderboard."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.model.dailies import PuzzleName, points_for
from bot.model.faces import Face
from bot.model.running import RunningMessage
from bot.services.standings.scores import FocdleFigures
from bot.storage.coach import pars
from bot.storage.database import Transaction
from bot.storage.focdle import puzzles
from bot.storage.server import running
from bot.storage.server.running import ResultRow
from bot.storage.standings import members
from engine import Code, Focdle, Marks

MOST_ROWS: Final = 25


@dataclass(frozen=True, slots=True)
class RunningRow:
    """A result in a running message.

    Attributes:
        rank: 1 for the best; results that the leaderboard would not tell apart share one.
        player_id: whose it is.
        name: what they are called in the server; empty if that was never seen.
        is_solved: whether the puzzle was solved.
        is_hard: whether it was played in hard mode.
        hints: how many were taken.
        streak: how long the player's streak was after that date; 0 without any.
        turns: the marks of each guess.
        face: the player's face, if it is known.
    """

    rank: int
    player_id: int
    name: str
    is_solved: bool
    is_hard: bool
    hints: int
    streak: int
    turns: tuple[Marks, ...]
    face: Face | None = None


@dataclass(frozen=True, slots=True)
class RunningContent:
    """What a running message shows.

    Attributes:
        puzzle: the puzzle.
        max_guesses: how many guesses it has.
        total: how many results there are.
        rows: the best of them.
        par: the puzzle's par, if it is known.
        is_closed: whether its date has ended.
    """

    puzzle: PuzzleName
    max_guesses: int
    total: int
    rows: tuple[RunningRow, ...]
    par: float | None = None
    is_closed: bool = False


async def read_content(tx: Transaction, running_id: int, message: RunningMessage) -> RunningContent:
    """What a message is to show now."""
    name = message.puzzle
    puzzle = await puzzles.find(tx, name.number, name.length)
    if puzzle is None:
        raise RuntimeError("a puzzle that somebody has finished is stored")
    rules = Focdle.decode(puzzle.rules)
    ranked = rank(await running.results(tx, running_id, name, name.day))
    shown = ranked[:MOST_ROWS]
    names = await members.names_in(tx, message.guild_id, [row.player_id for _, row in shown])
    faces = await members.faces(tx, [row.player_id for _, row in shown])
    codes = await running.codes(tx, [row.play_id for _, row in shown])
    secret = Code(puzzle.secret)
    rows = tuple(
        RunningRow(
            number,
            row.player_id,
            names[row.player_id].name if row.player_id in names else "",
            is_solved=row.solved,
            is_hard=row.hard,
            hints=row.hints,
            streak=(row.streak or 0) if row.solved else 0,
            turns=tuple(rules.feedback(Code(code), secret) for code in codes[row.play_id]),
            face=faces.get(row.player_id),
        )
        for number, row in shown
    )
    par = await pars.get(tx, name.number, name.length)
    is_closed = message.closed_at is not None
    return RunningContent(name, rules.max_guesses, len(ranked), rows, par, is_closed)


def rank(results: Sequence[ResultRow]) -> list[tuple[int, ResultRow]]:
    """Results in the order of the day's leaderboard, each with its rank; of equals the first in."""
    ranked: list[tuple[int, ResultRow]] = []
    last = None
    for place, row in enumerate(sorted(results, key=_key), 1):
        number = ranked[-1][0] if ranked and _key(row) == last else place
        ranked.append((number, row))
        last = _key(row)
    return ranked


def _key(row: ResultRow) -> int:
    points = points_for(solved=row.solved, guesses=row.guesses, hints=row.hints)
    is_assisted = row.solved and row.hints > 0
    figures = FocdleFigures(points, int(row.solved), row.guesses, 1, int(is_assisted))
    return figures.sort_key or 0
