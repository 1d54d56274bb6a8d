"""Leaderboards, page by page: who is ranked where, and one's own place."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from bot.clock import Clock
from bot.db.database import Database, Transaction
from bot.leaderboards.game.calendars import today_in
from bot.leaderboards.game.scores import Figures, figures_of, missing_games
from bot.leaderboards.model.keys import GLOBAL, Board, BoardGame, days_of, slot_before, slot_of
from bot.leaderboards.model.page import Absence, Page, Row, Waiting
from bot.leaderboards.store import leaderboards, ranks
from bot.leaderboards.store.leaderboards import NO_RANK, RankedRow, StandingRow
from bot.people.store import members, preferences
from bot.people.store.members import NameRow

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

        async def read(tx: Transaction) -> Board:
            begun: list[Board] = []
            for board in boards:
                view = _View(tx, board, await self._today(tx, board))
                if await view.count():
                    return board
                if await view.row_of(viewer_id) is not None:
                    begun.append(board)
            return [*begun, *boards][0]

        return await self._database.read(read)

    async def _today(self, tx: Transaction, board: Board) -> date:
        return await today_in(tx, board.guild_id or GLOBAL, self._clock.now())

    async def _page(
        self, tx: Transaction, board: Board, viewer_id: int, number: int | None
    ) -> Page:
        view = _View(tx, board, await self._today(tx, board))
        total = await view.count()
        pages = max(-(-total // PAGE_SIZE), 1)
        mine = await view.row_of(viewer_id)
        own = None if mine is None else await view.place_of(viewer_id, mine)
        if number is None:
            number = own[1] // PAGE_SIZE if own else 0
        number = min(max(number, 0), pages - 1)
        found = await view.ranked(number * PAGE_SIZE)
        is_last = number == pages - 1
        waiting = await view.waiting(viewer_id, PAGE_SIZE - len(found)) if is_last else {}
        shown = {viewer_id, *(row.player_id for row in found)}
        names = await view.names(shown | waiting.keys())
        before = await view.ranks_before(shown)
        return Page(
            board=board,
            days=days_of(board.period, view.day),
            number=number,
            pages=pages,
            total=total,
            rows=tuple(view.row(row, names, before or {}) for row in found),
            own=None if own is None else view.row(own[0], names, before or {}),
            own_page=None if own is None else own[1] // PAGE_SIZE,
            absence=None if own else await _absence(tx, board, viewer_id, mine),
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

    async def count(self) -> int:
        return await leaderboards.count(self._tx, self._scope, self._slot)

    async def ranked(self, offset: int) -> list[RankedRow]:
        return await leaderboards.ranked(
            self._tx, self._scope, self._slot, offset=offset, limit=PAGE_SIZE
        )

    async def row_of(self, player_id: int) -> StandingRow | None:
        """A player's row, perhaps one that is not ranked yet."""
        return await leaderboards.get(self._tx, player_id, self._scope, self._slot)

    async def place_of(self, player_id: int, row: StandingRow) -> tuple[RankedRow, int] | None:
        """A row with its rank, and how many stand before it."""
        key = row.sort_key
        if key is None:
            return None
        before = await leaderboards.count_before(self._tx, self._scope, self._slot, key)
        tied = await leaderboards.count_tied_before(
            self._tx, self._scope, self._slot, key, player_id
        )
        rank = before + 1 if key < NO_RANK else 0
        return RankedRow(rank, player_id, key, row.figures), before + tied

    async def names(self, player_ids: set[int]) -> Mapping[int, NameRow]:
        if self._scope == GLOBAL:
            return await members.names(self._tx, player_ids)
        return await members.names_in(self._tx, self._scope, player_ids)

    def figures(self, row: StandingRow | RankedRow) -> Figures:
        return figures_of(self._slot, row.figures)

    def row(self, row: RankedRow, names: Mapping[int, NameRow], before: Mapping[int, int]) -> Row:
        player, name = row.player_id, names.get(row.player_id)
        return Row(
            row.rank, player, name.name if name else "", self.figures(row), before.get(player)
        )

    async def ranks_before(self, player_ids: set[int]) -> Mapping[int, int] | None:
        """The ranks of players in the period before; None where nobody had one, or none is kept."""
        slot = slot_before(self._board.game, self._board.period, self.day)
        if slot is None or self._board.previous:
            return None
        if not await leaderboards.count(self._tx, self._scope, slot):
            return None
        return await ranks.of_players(self._tx, player_ids, self._scope, slot)

    async def waiting(self, viewer_id: int, most: int) -> dict[int, int]:
        """Who is not ranked yet, the nearest first, and what they miss; never who looks."""
        if self._board.previous or self._board.game is not BoardGame.MASTERMIND or most <= 0:
            return {}
        found = await ranks.unranked(self._tx, self._scope, self._slot, _LOOKED_AT)
        missing = {
            player: missing_games(figures_of(self._slot, figures))
            for player, figures in found.items()
            if player != viewer_id
        }
        nearest = sorted(missing.items(), key=lambda item: (item[1], item[0]))
        return dict(nearest[: min(most, _MOST_WAITING)])


async def _absence(
    tx: Transaction, board: Board, viewer_id: int, row: StandingRow | None
) -> Absence:
    """Why a player has no ranked row."""
    choice = await preferences.choices.get(tx, viewer_id)
    if choice is not None and choice.hidden:
        return Absence.HIDDEN
    if board.guild_id is None and (choice is None or not choice.on_global_boards):
        return Absence.NOT_OPTED_IN
    return Absence.NOT_PLAYED if row is None else Absence.TOO_FEW
