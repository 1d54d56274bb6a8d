"""Leaderboards, page by page, and a player's rows worked out anew."""

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import groupby
from typing import Final

from bot.clock import Clock, Moment, day_of
from bot.db.database import Database, Transaction
from bot.leaderboards import results, store
from bot.leaderboards.game import (
    Absence,
    Calendars,
    Page,
    Row,
    Sheet,
    Waiting,
    duel_figures,
    put_streak,
    today_in,
)
from bot.leaderboards.scores import (
    FEWEST_MASTERMINDS,
    GLOBAL,
    Board,
    BoardGame,
    FocdleFigures,
    MastermindFigures,
    days_of,
    figures_of,
    slot_before,
    slot_of,
)
from bot.leaderboards.store import NO_RANK, RankedRow, StandingRow
from bot.people import store as people_store
from bot.people.game import fair_since
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
    sheet.keep(lambda scope, _: scopes is not None and scope not in scopes)
    wanted = [scope for scope in sheet.scopes if scopes is None or scope in scopes]
    calendars = Calendars.read(tx, wanted)
    if wanted:
        _count_dailies(tx, sheet, wanted, calendars)
        _show_streak(tx, sheet)
        _count_masterminds(tx, sheet, wanted, calendars)
    _show_ratings(tx, sheet, wanted, calendars)
    sheet.write()


def rebuild_of_queue(tx: Transaction, player_id: int, now: datetime) -> None:
    """Rebuild the queued rows of a player: all, or those of duels only; none if none are."""
    sheet = Sheet.read(tx, player_id, now)  # servers come before the queue
    is_of_duels = store.leave(tx, player_id)
    if is_of_duels:
        sheet.keep(lambda _, slot: slot[0] != BoardGame.DUELS[0])
        _show_ratings(tx, sheet, sheet.scopes, Calendars.read(tx, sheet.scopes))
        sheet.write()
    elif is_of_duels is not None:
        _rebuild(tx, sheet)


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
    rows = results.dailies(tx, sheet.player_id)
    for number, of_date in groupby(rows, key=lambda row: row.number):
        slots, plays = sheet.slots(BoardGame.FOCDLE, day_of(number)), list(of_date)
        for scope in scopes:
            counted = FocdleFigures.best(play for play in plays if calendars.counts(scope, play))
            for slot in slots:
                sheet.add(scope, slot, counted)


def _show_streak(tx: Transaction, sheet: Sheet) -> None:
    fair = fair_since(tx)
    restored = streaks_store.get(tx, sheet.player_id)
    by = {day: note.guild_id for day, note in restored.items() if day >= fair}
    changes = streaks_store.get_changes(tx, sheet.player_id)
    put_streak(sheet, [(change.day, change.reason) for change in changes], by)


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
    proven = ratings_store.base(tx, sheet.player_id)
    # In the order in which ratings moved, so the last one of each period stays.
    for change in proved(ratings_store.history(tx, sheet.player_id), proven):
        proven, figures = change.after.proven, duel_figures(change)
        for place in sheet.places(BoardGame.DUELS, change.changed_at, calendars, scopes):
            sheet.figures[place] = figures
    if proven is not None:
        ratings_store.prove(tx, sheet.player_id, proven)


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
        return await self._database.read(
            lambda tx: _View(tx, board, self._clock.now()).page(viewer_id, number)
        )

    async def worth_opening(self, boards: Sequence[Board], viewer_id: int) -> Board:
        """The first of some leaderboards that somebody is on.

        Where nobody is on any, the first that the viewer has begun to get on, else the first.
        """

        def read(tx: Transaction) -> Board:
            begun: list[Board] = []
            for board in boards:
                view = _View(tx, board, self._clock.now())
                if view.count():
                    return board
                if view.row_of(viewer_id) is not None:
                    begun.append(board)
            return [*begun, *boards][0]

        return await self._database.read(read)


class _View:
    """A leaderboard in an open transaction."""

    def __init__(self, tx: Transaction, board: Board, now: datetime) -> None:
        self._tx = tx
        self._board = board
        self._scope = board.guild_id or GLOBAL
        today = today_in(tx, self._scope, now)
        self._days = days_of(board.period, today, previous=board.previous)
        self._day = self._days[0] if self._days else today
        self._slot = slot_of(board.game, board.period, self._day)

    def count(self) -> int:
        return store.count(self._tx, self._scope, self._slot)

    def row_of(self, player_id: int) -> StandingRow | None:
        """A player's row, perhaps one that is not ranked yet."""
        return store.get(self._tx, player_id, self._scope, self._slot)

    def page(self, viewer_id: int, number: int | None) -> Page:
        total, mine = self.count(), self.row_of(viewer_id)
        pages = max(-(-total // PAGE_SIZE), 1)
        own, own_page = self._own(viewer_id, mine)
        number = (own_page or 0) if number is None else min(max(number, 0), pages - 1)
        found = store.ranked(
            self._tx, self._scope, self._slot, offset=number * PAGE_SIZE, limit=PAGE_SIZE
        )
        is_last = number == pages - 1
        waiting = self._waiting(viewer_id, PAGE_SIZE - len(found)) if is_last else {}
        shown = {viewer_id, *(row.player_id for row in found)}
        names, before = self._names(shown | waiting.keys()), self._ranks_before(shown)

        def named(row: RankedRow) -> Row:
            player = row.player_id
            figures, rank_before = figures_of(self._slot, row.figures), (before or {}).get(player)
            return Row(row.rank, player, names.get(player, ""), figures, rank_before)

        return Page(
            board=self._board,
            days=self._days,
            number=number,
            pages=pages,
            total=total,
            rows=tuple(map(named, found)),
            own=None if own is None else named(own),
            own_page=own_page,
            absence=None if own else self._absence(viewer_id, mine),
            own_figures=figures_of(self._slot, mine.figures) if mine and not own else None,
            compares=before is not None,
            waiting=tuple(
                Waiting(player, names.get(player, ""), missing)
                for player, missing in waiting.items()
            ),
        )

    def _own(
        self, player_id: int, row: StandingRow | None
    ) -> tuple[RankedRow, int] | tuple[None, None]:
        """A player's row with its rank, and the page that it is on."""
        if row is None or row.sort_key is None:
            return None, None
        key = row.sort_key
        before = store.count_before(self._tx, self._scope, self._slot, key)
        tied = store.count_tied_before(self._tx, self._scope, self._slot, key, player_id)
        rank = before + 1 if key < NO_RANK else 0
        return RankedRow(rank, player_id, key, row.figures), (before + tied) // PAGE_SIZE

    def _names(self, player_ids: set[int]) -> dict[int, str]:
        if self._scope == GLOBAL:
            found = people_store.names(self._tx, player_ids)
        else:
            found = people_store.names_in(self._tx, self._scope, player_ids)
        return {player_id: row.name for player_id, row in found.items()}

    def _ranks_before(self, player_ids: set[int]) -> dict[int, int] | None:
        """The ranks of players in the period before; None where nobody had one, or none is kept."""
        slot = slot_before(self._board.game, self._board.period, self._day)
        if slot is None or self._board.previous or not store.count(self._tx, self._scope, slot):
            return None
        return store.ranks(self._tx, player_ids, self._scope, slot)

    def _waiting(self, viewer_id: int, most: int) -> dict[int, int]:
        """Who is not ranked yet, the nearest first, and what they miss; never who looks."""
        if self._board.previous or self._board.game is not BoardGame.MASTERMIND or most <= 0:
            return {}
        found = store.unranked(self._tx, self._scope, self._slot, _LOOKED_AT)
        missing = {
            player: FEWEST_MASTERMINDS - MastermindFigures.decode(figures).games
            for player, figures in found.items()
            if player != viewer_id
        }
        nearest = sorted(missing.items(), key=lambda item: (item[1], item[0]))
        return dict(nearest[: min(most, _MOST_WAITING)])

    def _absence(self, viewer_id: int, row: StandingRow | None) -> Absence:
        """Why a player has no ranked row."""
        choice = people_store.choices.get(self._tx, viewer_id)
        if choice is not None and choice.hidden:
            return Absence.HIDDEN
        if self._scope == GLOBAL and (choice is None or not choice.on_global_boards):
            return Absence.NOT_OPTED_IN
        return Absence.NOT_PLAYED if row is None else Absence.TOO_FEW
