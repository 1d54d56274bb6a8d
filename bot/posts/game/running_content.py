"""What a running message shows: a row for each result, ranked as on the day's leaderboard."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.dailies import PuzzleName, points_for
from bot.db.database import Transaction
from bot.focdle.store import puzzles
from bot.leaderboards.game.scores import FocdleFigures
from bot.people.model.faces import Face
from bot.people.store import members
from bot.posts.model.running import RunningMessage
from bot.posts.store import running
from bot.posts.store.running import ResultRow
from engine import Code, Focdle, Marks

MOST_ROWS: Final = 24


@dataclass(frozen=True, slots=True)
class RunningRow:
    """A result that everybody sees, in marks alone.

    Attributes:
        rank: 1 for the best; results that the leaderboard would not tell apart share one.
        player_id: whose it is.
        name: what they are called in the server; empty if that was never seen.
        max_guesses: how many guesses there might have been.
        is_solved: whether the puzzle was solved.
        is_hard: whether it was played in hard mode.
        hints: how many were taken.
        turns: the marks of each guess.
        face: the player's face, if it is known.
    """

    rank: int
    player_id: int
    name: str
    max_guesses: int
    is_solved: bool
    is_hard: bool
    hints: int
    turns: tuple[Marks, ...]
    face: Face | None = None

    @property
    def is_best(self) -> bool:
        """Whether nobody was better."""
        return self.is_solved and self.rank == 1


@dataclass(frozen=True, slots=True)
class RunningContent:
    """What a running message shows.

    Attributes:
        puzzle: the puzzle.
        total: how many results there are.
        rows: the best of them.
        is_closed: whether its date has ended.
    """

    puzzle: PuzzleName
    total: int
    rows: tuple[RunningRow, ...]
    is_closed: bool = False


async def read_content(tx: Transaction, running_id: int, message: RunningMessage) -> RunningContent:
    """What a message is to show now."""
    name = message.puzzle
    ranked = rank(await running.results(tx, running_id, name))
    rows = await rows_of(tx, message.guild_id, name, ranked[:MOST_ROWS])
    return RunningContent(name, len(ranked), rows, is_closed=message.closed_at is not None)


async def rows_of(
    tx: Transaction, guild_id: int, name: PuzzleName, ranked: Sequence[tuple[int, ResultRow]]
) -> tuple[RunningRow, ...]:
    """Results of a puzzle, each with its rank, as the members of a server may see them."""
    puzzle = await puzzles.find(tx, name.number, name.length)
    if puzzle is None:
        return ()
    rules, secret = Focdle.decode(puzzle.rules), Code(puzzle.secret)
    names = await members.names_in(tx, guild_id, [row.player_id for _, row in ranked])
    faces = await members.faces(tx, [row.player_id for _, row in ranked])
    codes = await running.codes(tx, [row.play_id for _, row in ranked])
    return tuple(
        RunningRow(
            number,
            row.player_id,
            names[row.player_id].name if row.player_id in names else "",
            rules.max_guesses,
            is_solved=row.solved,
            is_hard=row.hard,
            hints=row.hints,
            turns=tuple(rules.feedback(Code(code), secret) for code in codes[row.play_id]),
            face=faces.get(row.player_id),
        )
        for number, row in ranked
    )


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
    points = points_for(solved=row.solved, guesses=row.guesses, hints=row.hints, least=row.least)
    is_assisted = row.solved and row.hints > 0
    figures = FocdleFigures(points, int(row.solved), row.guesses, 1, int(is_assisted))
    return figures.sort_key or 0
