"""A player's rows on leaderboards, computed once more from all games."""

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import groupby
from typing import Final

from bot.clock import Moment, day_of
from bot.db.database import Transaction
from bot.db.tables.kinds import FIRST_PLAYER
from bot.leaderboards import results, store
from bot.leaderboards.game import Calendars, Sheet, put_streak
from bot.leaderboards.scores import BoardGame, DuelFigures, FocdleFigures, MastermindFigures
from bot.ratings import store as ratings_store
from bot.ratings.model import FEWEST_OPPONENTS
from bot.streaks import store as streaks_store

# A rebuild is needed when other games count than before, rather than one more: a player becomes a
# member somewhere, hides or shows themselves, or a server changes its length for a date that is
# already played further east. Only one player's games are read.

BATCH: Final = 100
"""The most players whom one look for due work finds, queued rebuilds for example."""


def rebuild(
    tx: Transaction, player_id: int, now: datetime, scopes: Collection[int] | None = None
) -> None:
    """Compute a player's rows from all games and store them, in every scope or only in `scopes`."""
    _rebuild(tx, Sheet.read(tx, player_id, now), scopes)


def _rebuild(tx: Transaction, sheet: Sheet, scopes: Collection[int] | None = None) -> None:
    sheet.keep_only(lambda scope, _: scopes is not None and scope not in scopes)
    wanted = [scope for scope in sheet.scopes if scopes is None or scope in scopes]
    calendars = Calendars.read(tx, wanted)
    if wanted:
        _count_dailies(tx, sheet, wanted, calendars)
        _show_streak(tx, sheet)
        _count_masterminds(tx, sheet, wanted, calendars)
    _show_ratings(tx, sheet, wanted, calendars)
    sheet.write()


def rebuild_of_queue(tx: Transaction, player_id: int, now: datetime) -> None:
    """Take a player off the queue and rebuild their rows, unless somebody else has."""
    sheet = Sheet.read(tx, player_id, now)  # servers come before the queue
    if store.dequeue(tx, player_id):
        _rebuild(tx, sheet)


def rebuild_some(tx: Transaction, now: datetime) -> None:
    """Rebuild rows of queued players until a tenth of a second has passed."""
    moment = Moment()
    for player_id in store.queued(tx, BATCH):
        rebuild_of_queue(tx, player_id, now)
        if moment.is_over:
            break


def _count_dailies(
    tx: Transaction, sheet: Sheet, scopes: Collection[int], calendars: Calendars
) -> None:
    rows = results.dailies(tx, sheet.player_id)
    for number, of_date in groupby(rows, key=lambda row: row.number):
        day, plays = day_of(number), list(of_date)
        slots = sheet.slots(BoardGame.FOCDLE, day)
        for scope in scopes:
            counted = FocdleFigures.best(play for play in plays if calendars.counts(scope, play))
            for slot in slots:
                sheet.add(scope, slot, counted)


def _show_streak(tx: Transaction, sheet: Sheet) -> None:
    changes = streaks_store.get_changes(tx, sheet.player_id)
    put_streak(sheet, ((change.day, change.reason) for change in changes))


def _count_masterminds(
    tx: Transaction, sheet: Sheet, scopes: Collection[int], calendars: Calendars
) -> None:
    for game in results.mastermind_games(tx, sheet.player_id):
        figures = MastermindFigures.of_game(
            solved=game.solved, guesses=game.guesses, hints=game.hints
        )
        for scope, slot in sheet.places(BoardGame.MASTERMIND, game.finished_at, calendars, scopes):
            sheet.add(scope, slot, figures)


def _show_ratings(
    tx: Transaction, sheet: Sheet, scopes: Collection[int], calendars: Calendars
) -> None:
    days, opponents = set[date](), set[int]()
    # In the order in which ratings moved, so the last one of each period stays.
    for change in ratings_store.history(tx, sheet.player_id):
        days.add(change.changed_at.astimezone(UTC).date())
        if change.opponent_id >= FIRST_PLAYER:
            opponents.add(change.opponent_id)
        most = min(len(opponents), FEWEST_OPPONENTS)
        rating = replace(change.after, dates=len(days), opponents=most)
        for place in sheet.places(BoardGame.DUELS, change.changed_at, calendars, scopes):
            sheet.figures[place] = DuelFigures.of(rating)
