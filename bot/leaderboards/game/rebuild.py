"""Rebuilds a player's rows on leaderboards from the games.

This is needed when other games count than before, rather than one more: a player becomes a member
somewhere, hides or shows themselves, or a server changes its length for a date that is already
played further east. One player's games are read, never all.
"""

from collections.abc import Collection
from datetime import datetime
from itertools import groupby
from typing import Final

from bot.clock import Moment
from bot.dailies import day_of
from bot.db.database import Transaction
from bot.leaderboards.game.calendars import Calendars
from bot.leaderboards.game.player_rows import Sheet
from bot.leaderboards.game.scores import (
    DuelFigures,
    FocdleFigures,
    MastermindFigures,
    StreakFigures,
)
from bot.leaderboards.game.update import (
    PLAY,
    SOLVED,
    STANDARD_MASTERMIND,
    duel_figures,
    streak_figures,
)
from bot.leaderboards.model.keys import BoardGame, is_slot_of
from bot.leaderboards.store import rebuilds, results
from bot.people.game.places import fair_since
from bot.ratings.game.proving import proved
from bot.ratings.store import ratings
from bot.streaks.store import restorations, streaks

BATCH: Final = 100
"""How many players are looked at in one transaction at most, if there is time."""


async def rebuild(
    tx: Transaction, player_id: int, now: datetime, scopes: Collection[int] | None = None
) -> None:
    """Rebuild a player's rows, everywhere or in these scopes only."""
    await _rebuild(tx, await Sheet.read(tx, player_id, now), scopes)


async def _rebuild(tx: Transaction, sheet: Sheet, scopes: Collection[int] | None = None) -> None:
    sheet.drop(lambda row: scopes is not None and row.guild_id not in scopes)
    wanted = [scope for scope in sheet.scopes if scopes is None or scope in scopes]
    calendars = await Calendars.read(tx, wanted)
    if wanted:
        await _count_dailies(tx, sheet, wanted, calendars)
        await _show_streak(tx, sheet, wanted)
        await _count_masterminds(tx, sheet, wanted, calendars)
    await _show_ratings(tx, sheet, wanted, calendars)
    await sheet.write()


async def rebuild_of_queue(tx: Transaction, player_id: int, now: datetime) -> None:
    """Rebuild the queued rows of a player: all, or those of duels only; none if none are."""
    sheet = await Sheet.read(tx, player_id, now)  # servers come before the queue
    is_of_duels = await rebuilds.leave(tx, player_id)
    if is_of_duels is None:
        return
    if not is_of_duels:
        await _rebuild(tx, sheet)
        return
    sheet.drop(lambda row: not is_slot_of(row.slot, BoardGame.DUELS))
    calendars = await Calendars.read(tx, sheet.scopes)
    await _show_ratings(tx, sheet, sheet.scopes, calendars)
    await sheet.write()


async def rebuild_some(tx: Transaction, now: datetime) -> None:
    """Rebuild queued players' rows for a tenth of a second."""
    moment = Moment()
    for player_id in await rebuilds.following(tx, BATCH):
        await rebuild_of_queue(tx, player_id, now)
        if moment.is_over:
            break


async def _count_dailies(
    tx: Transaction, sheet: Sheet, scopes: Collection[int], calendars: Calendars
) -> None:
    totals: dict[tuple[int, str], FocdleFigures] = {}
    rows = await results.dailies(tx, sheet.player_id)
    for number, of_date in groupby(rows, key=lambda row: row.number):
        day, plays = day_of(number), list(of_date)
        slots = sheet.slots(BoardGame.FOCDLE, day)
        for scope in scopes:
            there = [play for play in plays if calendars.counts(scope, play)]
            counted = FocdleFigures.best(there)
            for slot in slots:
                total = totals.get((scope, slot), FocdleFigures())
                totals[scope, slot] = total.plus(counted)
    for (scope, slot), figures in totals.items():
        sheet.add(scope, slot, figures)


async def _show_streak(tx: Transaction, sheet: Sheet, scopes: Collection[int]) -> None:
    row = await streaks.stored.get(tx, sheet.player_id)
    if row is None or not row.length:
        return
    (slot,) = sheet.slots(BoardGame.STREAK, sheet.today)
    fair = await fair_since(tx)
    restored = await restorations.get(tx, sheet.player_id)
    by = {day: note.guild_id for day, note in restored.items() if day >= fair}
    if not by:
        for scope in scopes:
            sheet.put(scope, slot, StreakFigures(row.length, row.best, 0, row.assisted))
        return
    changes = await streaks.get_changes(tx, sheet.player_id)
    steps = [(change.day, change.reason) for change in changes]
    for scope in scopes:
        figures = streak_figures(scope, steps, by)
        if figures.length:
            sheet.put(scope, slot, figures)


async def _count_masterminds(
    tx: Transaction, sheet: Sheet, scopes: Collection[int], calendars: Calendars
) -> None:
    games = await results.mastermind_games(
        tx, sheet.player_id, kind=PLAY, rules=STANDARD_MASTERMIND
    )
    for game in games:
        figures = MastermindFigures.of_game(
            solved=game.ending == SOLVED, guesses=game.guesses, hints=game.hints
        )
        for scope in scopes:
            for slot in sheet.slots(
                BoardGame.MASTERMIND, calendars.date_of(scope, game.finished_at)
            ):
                sheet.add(scope, slot, figures)


async def _show_ratings(
    tx: Transaction, sheet: Sheet, scopes: Collection[int], calendars: Calendars
) -> None:
    last: dict[tuple[int, str], DuelFigures] = {}
    proven = await ratings.base(tx, sheet.player_id)
    # In the order in which ratings moved, so the last one of each period stays.
    for change in proved(await ratings.history(tx, sheet.player_id), proven):
        proven, figures = change.after.proven, duel_figures(change)
        for scope in scopes:
            for slot in sheet.slots(BoardGame.DUELS, calendars.date_of(scope, change.changed_at)):
                last[scope, slot] = figures
    if proven is not None:
        await ratings.prove(tx, sheet.player_id, proven)
    for (scope, slot), figures in last.items():
        sheet.put(scope, slot, figures)
