"""Keeps leaderboards, in the transactions that end games.

A board is kept as rows, not added up when it is looked at: a row for each player, server and
period, in an index in the order of ranks (`bot.storage.standings`). Whoever ends a game changes
their own rows only: at most four for each server they are a member of, and four across servers.
There are rows for those only who are shown, so hiding is deleting, and ranks close up by
themselves. There are rows for those periods only that can be looked at, the running one and the
one before; older ones go when their player's rows are next written. So what is stored grows with
players and servers, not with time.

Rows can always be worked out anew from the games (`rebuilding`); that a row kept here and one
worked out there are the same is what the tests show.
"""

from datetime import datetime
from typing import Final

from bot.services.play import PuzzleName
from bot.services.standings.boards import GLOBAL, BoardGame
from bot.services.standings.figures import (
    DuelFigures,
    FocdleFigures,
    MastermindFigures,
    StreakFigures,
    best_of,
    conservative,
)
from bot.services.standings.sheet import Dates, Lengths, Sheet
from bot.storage import ratings, results
from bot.storage.database import Transaction
from bot.storage.masterminds import MastermindRow
from bot.storage.ratings import ChangeRow
from bot.storage.results import DailyResultRow
from engine import Mastermind

STANDARD_MASTERMIND: Final = Mastermind().encode()
"""The one setting that boards count."""
PLAY: Final = "play"
"""The one kind of Mastermind that boards count, as it is stored."""
SOLVED: Final = "solved"
"""The ending of a game of Mastermind in which the code was found, as it is stored."""


async def count_daily(tx: Transaction, player_id: int, puzzle: PuzzleName, now: datetime) -> Sheet:
    """A player's sheet, still to be written, with a daily just finished on its date."""
    sheet = await Sheet.read(tx, player_id, now)
    if not sheet.scopes:
        return sheet
    lengths = await Lengths.read(tx, sheet.scopes)
    plays = await results.dailies_of_date(tx, player_id, puzzle.number)
    new = next(focdle_figures(play) for play in plays if play.length == puzzle.length)
    others = [focdle_figures(play) for play in plays if play.length != puzzle.length]
    for scope in sheet.scopes:
        if not lengths.counts(scope, puzzle.day, puzzle.length):
            continue
        gain = best_of([*others, new]).minus(best_of(others)) if scope == GLOBAL else new
        for slot in sheet.slots(BoardGame.FOCDLE, puzzle.day):
            add_daily(sheet, scope, slot, gain)
    return sheet


async def mastermind_finished(tx: Transaction, row: MastermindRow, now: datetime) -> None:
    """Count a game of Mastermind that has just ended, if boards count its like."""
    if (row.kind, row.rules) != (PLAY, STANDARD_MASTERMIND) or not row.turns:
        return
    if row.codebreaker_id is None or row.finished_at is None:
        raise RuntimeError("only finished games of players are counted")
    sheet = await Sheet.read(tx, row.codebreaker_id, now)
    dates = await Dates.read(tx, sheet.scopes)
    game = MastermindFigures.of_game(
        solved=row.ending == SOLVED, guesses=len(row.turns), hints=len(row.hints)
    )
    for scope in sheet.scopes:
        for slot in sheet.slots(BoardGame.MASTERMIND, dates.of(scope, row.finished_at)):
            add_mastermind(sheet, scope, slot, game)
    await sheet.write()


async def duel_rated(tx: Transaction, change: ChangeRow, now: datetime) -> None:
    """Show a player's rating as a duel has just left it."""
    sheet = await Sheet.read(tx, change.player_id, now)
    dates = await Dates.read(tx, sheet.scopes)
    opponents = await ratings.count_opponents(tx, change.player_id)
    for scope in sheet.scopes:
        for slot in sheet.slots(BoardGame.DUELS, dates.of(scope, change.changed_at)):
            sheet.put(scope, slot, duel_figures(change, opponents))
    await sheet.write()


def focdle_figures(play: DailyResultRow) -> FocdleFigures:
    """What a daily counts for."""
    return FocdleFigures.of_play(solved=play.solved, guesses=play.guesses, hints=play.hints)


def duel_figures(change: ChangeRow, opponents: int) -> DuelFigures:
    """What a player is ranked by after a duel."""
    rating = conservative(change.mu_after, change.sigma_after)
    return DuelFigures(round(rating), change.games, opponents)


def add_daily(sheet: Sheet, scope: int, slot: str, gain: FocdleFigures) -> None:
    """Add a daily to what a player has on a board."""
    found = sheet.get(scope, slot)
    sheet.put(scope, slot, found.plus(gain) if isinstance(found, FocdleFigures) else gain)


def add_mastermind(sheet: Sheet, scope: int, slot: str, game: MastermindFigures) -> None:
    """Add a game to what a player has on a board."""
    found = sheet.get(scope, slot)
    sheet.put(scope, slot, found.plus(game) if isinstance(found, MastermindFigures) else game)


def put_streak(sheet: Sheet, figures: StreakFigures) -> None:
    """Show a streak on all boards, or on none if it has ended."""
    (slot,) = sheet.slots(BoardGame.STREAK, sheet.today)
    sheet.drop(lambda row: row.slot != slot)
    if figures.length:
        for scope in sheet.scopes:
            sheet.put(scope, slot, figures)
