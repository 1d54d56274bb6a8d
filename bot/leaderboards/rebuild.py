"""Leaderboards, page by page, and a player's rows worked out anew."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from itertools import groupby
from typing import Final

from bot.clock import Clock, Moment, day_of
from bot.db.database import Database, Transaction
from bot.leaderboards import results, store
from bot.leaderboards.game import (
    PLAY,
    SOLVED,
    STANDARD_MASTERMIND,
    Absence,
    Calendars,
    Page,
    Row,
    Sheet,
    Waiting,
    duel_figures,
    streak_figures,
    today_in,
)
from bot.leaderboards.scores import (
    GLOBAL,
    Board,
    BoardGame,
    DuelFigures,
    Figures,
    FocdleFigures,
    MastermindFigures,
    StreakFigures,
    days_of,
    figures_of,
    is_slot_of,
    missing_games,
    slot_before,
    slot_of,
)
from bot.leaderboards.store import NO_RANK, RankedRow, StandingRow
from bot.people import store as people_store
from bot.people.game import fair_since
from bot.people.store import NameRow
from bot.ratings import store as ratings_store
from bot.ratings.game import proved
from bot.streaks import store as streaks_store

# Rebuilds a player's rows on leaderboards from the games. This is needed when other games count
# than before, rather than one more: a player becomes a member somewhere, hides or shows themselves,
# or a server changes its length for a date that is already played further east. One player's games
# are read, never all.

BATCH: Final = 100
"""How many players are looked at in one transaction at most, if there is time."""


def rebuild(
    tx: Transaction, player_id: int, now: datetime, scopes: Collection[int] | None = None
) -> None:
    """Rebuild a player's rows, everywhere or in these scopes only."""
    _rebuild(tx, Sheet.read(tx, player_id, now), scopes)


def _rebuild(tx: Transaction, sheet: Sheet, scopes: Collection[int] | None = None) -> None:
    sheet.drop(lambda row: scopes is not None and row.guild_id not in scopes)
    wanted = [scope for scope in sheet.scopes if scopes is None or scope in scopes]
    calendars = Calendars.read(tx, wanted)
    if wanted:
        _count_dailies(tx, sheet, wanted, calendars)
        _show_streak(tx, sheet, wanted)
        _count_masterminds(tx, sheet, wanted, calendars)
    _show_ratings(tx, sheet, wanted, calendars)
    sheet.write()


def rebuild_of_queue(tx: Transaction, player_id: int, now: datetime) -> None:
    """Rebuild the queued rows of a player: all, or those of duels only; none if none are."""
    sheet = Sheet.read(tx, player_id, now)  # servers come before the queue
    is_of_duels = store.leave(tx, player_id)
    if is_of_duels is None:
        return
    if not is_of_duels:
        _rebuild(tx, sheet)
        return
    sheet.drop(lambda row: not is_slot_of(row.slot, BoardGame.DUELS))
    calendars = Calendars.read(tx, sheet.scopes)
    _show_ratings(tx, sheet, sheet.scopes, calendars)
    sheet.write()


def rebuild_some(tx: Transaction, now: datetime) -> None:
    """Rebuild queued players' rows for a tenth of a second."""
    moment = Moment()
    for player_id in store.following(tx, BATCH):
        rebuild_of_queue(tx, player_id, now)
        if moment.is_over:
            break


def _count_dailies(
    tx: Transaction, sheet: Sheet, scopes: Collection[int], calendars: Calendars
) -> None:
    totals: dict[tuple[int, str], FocdleFigures] = {}
    rows = results.dailies(tx, sheet.player_id)
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


def _show_streak(tx: Transaction, sheet: Sheet, scopes: Collection[int]) -> None:
    row = streaks_store.stored.get(tx, sheet.player_id)
    if row is None or not row.length:
        return
    (slot,) = sheet.slots(BoardGame.STREAK, sheet.today)
    fair = fair_since(tx)
    restored = streaks_store.get(tx, sheet.player_id)
    by = {day: note.guild_id for day, note in restored.items() if day >= fair}
    if not by:
        for scope in scopes:
            sheet.put(scope, slot, StreakFigures(row.length, row.best, 0, row.assisted))
        return
    changes = streaks_store.get_changes(tx, sheet.player_id)
    steps = [(change.day, change.reason) for change in changes]
    for scope in scopes:
        figures = streak_figures(scope, steps, by)
        if figures.length:
            sheet.put(scope, slot, figures)


def _count_masterminds(
    tx: Transaction, sheet: Sheet, scopes: Collection[int], calendars: Calendars
) -> None:
    games = results.mastermind_games(tx, sheet.player_id, kind=PLAY, rules=STANDARD_MASTERMIND)
    for game in games:
        figures = MastermindFigures.of_game(
            solved=game.ending == SOLVED, guesses=game.guesses, hints=game.hints
        )
        for scope in scopes:
            for slot in sheet.slots(
                BoardGame.MASTERMIND, calendars.date_of(scope, game.finished_at)
            ):
                sheet.add(scope, slot, figures)


def _show_ratings(
    tx: Transaction, sheet: Sheet, scopes: Collection[int], calendars: Calendars
) -> None:
    last: dict[tuple[int, str], DuelFigures] = {}
    proven = ratings_store.base(tx, sheet.player_id)
    # In the order in which ratings moved, so the last one of each period stays.
    for change in proved(ratings_store.history(tx, sheet.player_id), proven):
        proven, figures = change.after.proven, duel_figures(change)
        for scope in scopes:
            for slot in sheet.slots(BoardGame.DUELS, calendars.date_of(scope, change.changed_at)):
                last[scope, slot] = figures
    if proven is not None:
        ratings_store.prove(tx, sheet.player_id, proven)
    for (scope, slot), figures in last.items():
        sheet.put(scope, slot, figures)


PAGE_SIZE: Final = 10
_MOST_WAITING: Final = 3
_LOOKED_AT: Final = 200
"""Of how many who are not ranked yet the nearest are found."""
NOBODY: Final = 0
"""The viewer's id when the bot itself looks."""


class Leaderboards:
    """Use cases that read leaderboards; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def page(self, board: Board, viewer_id: int, number: int | None = 0) -> Page:
        """A page of a leaderboard, with the viewer's own row.

        Args:
            board: which leaderboard.
            viewer_id: the Discord user who looks; `NOBODY` for a page without an own row.
            number: which page, from 0, the last one if there are fewer; None for the one that
                the viewer is on, else the first.
        """
        return await self._database.read(lambda tx: self._page(tx, board, viewer_id, number))

    async def worth_opening(self, boards: Sequence[Board], viewer_id: int) -> Board:
        """The first of some leaderboards that somebody is on.

        Where nobody is on any, the first that the viewer has begun to get on, else the first.
        """

        def read(tx: Transaction) -> Board:
            begun: list[Board] = []
            for board in boards:
                view = _View(tx, board, self._today(tx, board))
                if view.count():
                    return board
                if view.row_of(viewer_id) is not None:
                    begun.append(board)
            return [*begun, *boards][0]

        return await self._database.read(read)

    def _today(self, tx: Transaction, board: Board) -> date:
        return today_in(tx, board.guild_id or GLOBAL, self._clock.now())

    def _page(self, tx: Transaction, board: Board, viewer_id: int, number: int | None) -> Page:
        view = _View(tx, board, self._today(tx, board))
        total = view.count()
        pages = max(-(-total // PAGE_SIZE), 1)
        mine = view.row_of(viewer_id)
        own = None if mine is None else view.place_of(viewer_id, mine)
        if number is None:
            number = own[1] // PAGE_SIZE if own else 0
        number = min(max(number, 0), pages - 1)
        found = view.ranked(number * PAGE_SIZE)
        is_last = number == pages - 1
        waiting = view.waiting(viewer_id, PAGE_SIZE - len(found)) if is_last else {}
        shown = {viewer_id, *(row.player_id for row in found)}
        names = view.names(shown | waiting.keys())
        before = view.ranks_before(shown)
        return Page(
            board=board,
            days=days_of(board.period, view.day),
            number=number,
            pages=pages,
            total=total,
            rows=tuple(view.row(row, names, before or {}) for row in found),
            own=None if own is None else view.row(own[0], names, before or {}),
            own_page=None if own is None else own[1] // PAGE_SIZE,
            absence=None if own else _absence(tx, board, viewer_id, mine),
            own_figures=view.figures(mine) if mine and not own else None,
            compares=before is not None,
            waiting=tuple(
                Waiting(player, names[player].name if player in names else "", missing)
                for player, missing in waiting.items()
            ),
        )


class _View:
    """A leaderboard as it is in an open transaction.

    Attributes:
        day: a date that the leaderboard covers.
    """

    def __init__(self, tx: Transaction, board: Board, today: date) -> None:
        days = days_of(board.period, today, previous=board.previous)
        self.day = days[0] if days else today
        self._tx = tx
        self._board = board
        self._scope = board.guild_id or GLOBAL
        self._slot = slot_of(board.game, board.period, self.day)

    def count(self) -> int:
        return store.count(self._tx, self._scope, self._slot)

    def ranked(self, offset: int) -> list[RankedRow]:
        return store.ranked(self._tx, self._scope, self._slot, offset=offset, limit=PAGE_SIZE)

    def row_of(self, player_id: int) -> StandingRow | None:
        """A player's row, perhaps one that is not ranked yet."""
        return store.get(self._tx, player_id, self._scope, self._slot)

    def place_of(self, player_id: int, row: StandingRow) -> tuple[RankedRow, int] | None:
        """A row with its rank, and how many stand before it."""
        key = row.sort_key
        if key is None:
            return None
        before = store.count_before(self._tx, self._scope, self._slot, key)
        tied = store.count_tied_before(self._tx, self._scope, self._slot, key, player_id)
        rank = before + 1 if key < NO_RANK else 0
        return RankedRow(rank, player_id, key, row.figures), before + tied

    def names(self, player_ids: set[int]) -> Mapping[int, NameRow]:
        if self._scope == GLOBAL:
            return people_store.names(self._tx, player_ids)
        return people_store.names_in(self._tx, self._scope, player_ids)

    def figures(self, row: StandingRow | RankedRow) -> Figures:
        return figures_of(self._slot, row.figures)

    def row(self, row: RankedRow, names: Mapping[int, NameRow], before: Mapping[int, int]) -> Row:
        player, name = row.player_id, names.get(row.player_id)
        return Row(
            row.rank, player, name.name if name else "", self.figures(row), before.get(player)
        )

    def ranks_before(self, player_ids: set[int]) -> Mapping[int, int] | None:
        """The ranks of players in the period before; None where nobody had one, or none is kept."""
        slot = slot_before(self._board.game, self._board.period, self.day)
        if slot is None or self._board.previous:
            return None
        if not store.count(self._tx, self._scope, slot):
            return None
        return store.of_players(self._tx, player_ids, self._scope, slot)

    def waiting(self, viewer_id: int, most: int) -> dict[int, int]:
        """Who is not ranked yet, the nearest first, and what they miss; never who looks."""
        if self._board.previous or self._board.game is not BoardGame.MASTERMIND or most <= 0:
            return {}
        found = store.unranked(self._tx, self._scope, self._slot, _LOOKED_AT)
        missing = {
            player: missing_games(figures_of(self._slot, figures))
            for player, figures in found.items()
            if player != viewer_id
        }
        nearest = sorted(missing.items(), key=lambda item: (item[1], item[0]))
        return dict(nearest[: min(most, _MOST_WAITING)])


def _absence(tx: Transaction, board: Board, viewer_id: int, row: StandingRow | None) -> Absence:
    """Why a player has no ranked row."""
    choice = people_store.choices.get(tx, viewer_id)
    if choice is not None and choice.hidden:
        return Absence.HIDDEN
    if board.guild_id is None and (choice is None or not choice.on_global_boards):
        return Absence.NOT_OPTED_IN
    return Absence.NOT_PLAYED if row is None else Absence.TOO_FEW
