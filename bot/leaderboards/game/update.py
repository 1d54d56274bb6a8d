"""Keeps leaderboards, in the transactions that end games.

A leaderboard is kept as rows, not added up when it is looked at: a row for each player, server and
period, in an index in the order of ranks (`bot.leaderboards.store.leaderboards`). Whoever ends a
game changes their own rows only: at most four for each server they are a member of, and four
across servers.
There are rows for those only who are shown, so hiding is deleting, and ranks close up by
themselves. There are rows for those periods only that can be looked at, the running one and the
one before; older ones go when their player's rows are next written. So what is stored grows with
players and servers, not with time.

Rows can always be worked out anew from the games (`rebuild`); that a row kept here and one
worked out there are the same is what the tests show.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Final

from bot.dailies import PuzzleName
from bot.db.database import Transaction
from bot.leaderboards.game.calendars import Calendars
from bot.leaderboards.game.player_rows import Sheet
from bot.leaderboards.game.scores import (
    DuelFigures,
    FocdleFigures,
    MastermindFigures,
    StreakFigures,
    counted_after,
)
from bot.leaderboards.model.keys import GLOBAL, BoardGame
from bot.leaderboards.store import results
from bot.mastermind.store.masterminds import MastermindRow, NewMastermind
from bot.ratings.model.ratings import FEWEST_MET, RatingChange
from bot.ratings.store import ratings
from bot.streaks.model.streaks import ENDED, Reason
from engine import Mastermind

STANDARD_MASTERMIND: Final = Mastermind().encode()
"""The one setting that leaderboards count."""
PLAY: Final = "play"
"""The one kind of Mastermind that leaderboards count, as it is stored."""
SOLVED: Final = "solved"
"""The ending of a game of Mastermind in which the code was found, as it is stored."""


async def count_daily(
    tx: Transaction, sheet: Sheet, calendars: Calendars, puzzle: PuzzleName
) -> None:
    """Add a daily that was just finished on its date to a player's sheet, still to be written."""
    if not sheet.scopes:
        return
    plays = await results.dailies_of_date(tx, sheet.player_id, puzzle.number)
    (this,) = [play for play in plays if play.length == puzzle.length]
    scopes = [scope for scope in sheet.scopes if calendars.counts(scope, this)]
    counted = [play for play in plays if play is not this and calendars.counts(GLOBAL, play)]
    new = FocdleFigures.of_daily(this)
    better = FocdleFigures.best([*counted, this]).minus(FocdleFigures.best(counted))
    for scope in scopes:
        for slot in sheet.slots(BoardGame.FOCDLE, puzzle.day):
            sheet.add(scope, slot, better if scope == GLOBAL else new)


def is_ranked(row: MastermindRow | NewMastermind) -> bool:
    """Whether a game of Mastermind is one that leaderboards count once it is over."""
    return row.ranked and (row.kind, row.rules) == (PLAY, STANDARD_MASTERMIND)


async def mastermind_finished(tx: Transaction, row: MastermindRow, now: datetime) -> None:
    """Count a game of Mastermind that has just ended, if leaderboards count its like."""
    if not is_ranked(row) or not row.turns:
        return
    if row.codebreaker_id is None or row.finished_at is None:
        raise RuntimeError("only finished games of players are counted")
    sheet = await Sheet.read(tx, row.codebreaker_id, now)
    calendars = await Calendars.read(tx, sheet.scopes)
    game = MastermindFigures.of_game(
        solved=row.ending == SOLVED, guesses=len(row.turns), hints=len(row.hints)
    )
    for scope in sheet.scopes:
        for slot in sheet.slots(BoardGame.MASTERMIND, calendars.date_of(scope, row.finished_at)):
            sheet.add(scope, slot, game)
    await sheet.write()


async def duel_rated(
    tx: Transaction, change: RatingChange, now: datetime, scopes: Sequence[int]
) -> None:
    """Show a player's rating as a duel has just left it, where the player is shown.

    Args:
        tx: the transaction.
        change: what the duel did to it.
        now: the present instant.
        scopes: where the player is shown.
    """
    sheet = await Sheet.read(tx, change.player_id, now, scopes)
    calendars = await Calendars.read(tx, sheet.scopes)
    opponents, met = await ratings.count_opponents(tx, change.player_id)
    after = replace(change.after, opponents=opponents)
    floor = (after.played or after).floor
    change = replace(change, after=after, floor=floor, met=met)
    for scope in sheet.scopes:
        for slot in sheet.slots(BoardGame.DUELS, calendars.date_of(scope, change.changed_at)):
            sheet.put(scope, slot, duel_figures(change))
    await sheet.write()


def duel_figures(change: RatingChange) -> DuelFigures:
    """A player's figures after a duel."""
    after, floor = change.after, change.floor if change.met >= FEWEST_MET else None
    return DuelFigures(
        after.ranked_points,
        after.games,
        after.opponents,
        int(not after.is_sure),
        after.dates,
        floor or 0,
    )


def put_streak(sheet: Sheet, steps: Sequence[tuple[date, Reason]], by: Mapping[date, int]) -> None:
    """Show a streak on all leaderboards, or on none if it has ended.

    Args:
        sheet: the player's rows.
        steps: what each date did to it, oldest first.
        by: of dates that were restored, in which server.
    """
    (slot,) = sheet.slots(BoardGame.STREAK, sheet.today)
    sheet.drop(lambda row: row.slot != slot)
    for scope in sheet.scopes:
        figures = streak_figures(scope, steps, by)
        if figures.length:
            sheet.put(scope, slot, figures)


def streak_figures(
    scope: int, steps: Sequence[tuple[date, Reason]], by: Mapping[date, int]
) -> StreakFigures:
    """What a streak counts on a board: whole where it was restored, elsewhere from then on."""
    elsewhere = {day for day, guild_id in by.items() if guild_id != scope or scope == GLOBAL}
    length, best, assisted = counted_after(steps, elsewhere)
    ended = max((day for day, reason in steps if reason in ENDED), default=date.min)
    last = max((day for day in by if day > ended), default=None)
    begun = max((day for day in elsewhere if day > ended), default=None)
    restored = 0 if last is None else 1 if begun is None else 2
    return StreakFigures(length, best, restored, assisted)
