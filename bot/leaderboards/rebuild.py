"""A player's rows on leaderboards, computed once more from all games."""

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Final

from bot.clock import Moment
from bot.db.database import Transaction
from bot.db.tables.kinds import FIRST_PLAYER
from bot.leaderboards import results, store
from bot.leaderboards.boards import BoardGame, DuelFigures, MastermindFigures
from bot.leaderboards.game import Calendars, Sheet, add_daily, put_streak
from bot.ratings import store as ratings_store
from bot.ratings.model import FEWEST_OPPONENTS
from bot.streaks import store as streaks_store

# A rebuild is needed when other games count than before, rather than one more: a player becomes a
# member somewhere, hides or shows themselves, or a server changes its length for a date that is
# already played further east. Only one player's games are read.

BATCH: Final = 100
"""The most players whom one look for due work finds, queued rebuilds for example."""


def rebuild(
    tx: Transaction, player_id: int, now: datetime, servers: Collection[int] | None = None
) -> None:
    """Compute a player's rows from all games and store them, everywhere or only in `servers`."""
    _rebuild(tx, Sheet.read(tx, player_id, now), servers)


def _rebuild(tx: Transaction, sheet: Sheet, servers: Collection[int] | None = None) -> None:
    sheet.keep_only(lambda guild_id, _: servers is not None and guild_id not in servers)
    wanted = [guild_id for guild_id in sheet.servers if servers is None or guild_id in servers]
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
    tx: Transaction, sheet: Sheet, servers: Collection[int], calendars: Calendars
) -> None:
    for play in results.dailies(tx, sheet.player_id):
        add_daily(sheet, calendars, play, servers)


def _show_streak(tx: Transaction, sheet: Sheet) -> None:
    changes = streaks_store.get_changes(tx, sheet.player_id)
    put_streak(sheet, ((change.day, change.reason) for change in changes))


def _count_masterminds(
    tx: Transaction, sheet: Sheet, servers: Collection[int], calendars: Calendars
) -> None:
    for game in results.mastermind_games(tx, sheet.player_id):
        figures = MastermindFigures.of_game(
            solved=game.solved, guesses=game.guesses, hints=game.hints
        )
        for guild_id, slot in sheet.places(
            BoardGame.MASTERMIND, game.finished_at, calendars, servers
        ):
            sheet.add(guild_id, slot, figures)


def _show_ratings(
    tx: Transaction, sheet: Sheet, servers: Collection[int], calendars: Calendars
) -> None:
    days, opponents = set[date](), set[int]()
    # In the order in which ratings moved, so the last one of each period stays.
    for change in ratings_store.history(tx, sheet.player_id):
        days.add(change.changed_at.astimezone(UTC).date())
        if change.opponent_id >= FIRST_PLAYER:
            opponents.add(change.opponent_id)
        most = min(len(opponents), FEWEST_OPPONENTS)
        rating = replace(change.after, dates=len(days), opponents=most)
        for place in sheet.places(BoardGame.DUELS, change.changed_at, calendars, servers):
            sheet.figures[place] = DuelFigures.of(rating)
