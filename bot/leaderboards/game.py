"""Use cases of leaderboards: reading pages, and changing stored rows as games end."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from enum import StrEnum
from itertools import islice
from typing import Final, Self

from bot.clock import GRACE, Clock, PuzzleName, date_in, day_of, first_running
from bot.db import keys as storage_keys
from bot.db.database import Database, Transaction
from bot.effects import DateEffect
from bot.games.model import FEWEST_SHARED, SharedDailies
from bot.leaderboards import results, store
from bot.leaderboards.boards import (
    MONTHS_KEPT,
    Board,
    BoardFigures,
    BoardGame,
    DuelFigures,
    Figures,
    FocdleFigures,
    MastermindFigures,
    Period,
    StreakFigures,
    Sums,
    days_of,
    figures_of,
    is_live_slot,
    months_before,
    periods_of,
    slot_before,
    slot_of,
)
from bot.leaderboards.results import DailyResultRow, Deadline
from bot.leaderboards.store import NO_RANK, RankedRow, StandingRow
from bot.moderation import store as moderation_store
from bot.people import store as people_store
from bot.people.game import length_on
from bot.people.model import Calendar
from bot.people.zones import first_end, zone_at
from bot.ratings import store as ratings_store
from bot.ratings.model import RatingChange
from bot.streaks.model import ENDED, SOLVES


class Absence(StrEnum):
    """Why a player has no row on a leaderboard."""

    NOT_PLAYED = "not_played"
    """No game that the leaderboard counts; on the streak leaderboard, no streak."""
    TOO_FEW = "too_few"
    """Too few games for a row; `Page.own_figures` has what there is."""
    HIDDEN = "hidden"
    """The player chose to be hidden."""
    TAKEN_OFF = "taken_off"
    """A manager has taken the player off the server's boards."""


@dataclass(frozen=True, slots=True)
class Row:
    """A player's row.

    Attributes:
        rank: from 1; players who tie share one (1, 2, 2, 4). 0 for those without one yet.
        name: as last seen in the server; to be escaped. Empty if no name was seen.
        before: the rank in the period before; None if the player had none, or if the page does not
            compare.
    """

    rank: int
    player_id: int
    name: str
    figures: Figures
    before: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A player who has games on a leaderboard, but too few for a row.

    Attributes:
        name: as in a `Row`.
        missing: the number of games that the player still needs.
    """

    player_id: int
    name: str
    missing: int


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """A page of a leaderboard.

    Attributes:
        days: the first and the last date that the leaderboard covers; None for all time.
        number: the page's number, from 0.
        pages: the number of pages, at least 1.
        total: the number of rows on all pages.
        rows: at most `PAGE_SIZE`, in order.
        own: the row of the viewer, for whom the page is read, whether or not it is on this page.
        own_page: the number of the page with the viewer's row; None without a row.
        absence: why the viewer has no row; None if there is one.
        own_figures: the viewer's figures, if they are too few for a row.
        compares: whether ranks of the period before are known.
        waiting: players with too few games for a row, the one who needs the fewest first. They are
            only on the last page, if it has free places.
        months: on a monthly board, the first dates of the months that have rows, from two months
            ago backwards.
    """

    board: Board
    days: tuple[date, date] | None
    number: int
    pages: int
    total: int
    rows: tuple[Row, ...]
    own: Row | None
    own_page: int | None
    absence: Absence | None
    own_figures: Figures | None
    compares: bool = False
    waiting: tuple[Waiting, ...] = ()
    months: tuple[date, ...] = ()


PAGE_SIZE: Final = 10
_MOST_WAITING: Final = 3
MOST_SERVERS: Final = 10
"""How many servers `Leaderboards.servers_of` lists at most."""
NOBODY: Final = 0
"""The viewer's id where the bot itself reads a page."""


class Leaderboards:
    """Use cases that read leaderboards; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def page(self, board: Board, viewer_id: int, number: int | None = 0) -> LeaderboardPage:
        """Read a page of a leaderboard, with the viewer's own row.

        Args:
            viewer_id: the Discord user who looks; `NOBODY` for a page without an own row.
            number: the page's number, from 0; one beyond the end gives the last page. None gives
                the page with the viewer's row, or the first if there is none.
        """
        return await self._database.read(
            lambda tx: _View(tx, board, self._clock.now()).page(viewer_id, number)
        )

    async def worth_opening(self, boards: Sequence[Board], viewer_id: int) -> Board:
        """Choose the first of these leaderboards that has rows.

        If none has, choose the first that already counts a game of the viewer. If none does, choose
        the first of all.
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

    async def servers_of(self, player_id: int) -> list[int]:
        """List servers whose boards a player can see: up to `MOST_SERVERS`, the last seen first."""
        return await self._database.read(
            lambda tx: people_store.servers_of(tx, player_id, MOST_SERVERS)
        )


class _View:
    """A leaderboard as it is read in one transaction."""

    def __init__(self, tx: Transaction, board: Board, now: datetime) -> None:
        self._tx = tx
        self._board = board
        self._guild_id = board.guild_id
        self._today = Calendars.read(tx, [self._guild_id]).date_of(self._guild_id, now)
        around = board.month or self._today
        self._days = days_of(board.period, around, previous=board.previous)
        self._day = self._days[0] if self._days else self._today
        self._slot = slot_of(board.game, board.period, self._day)

    def count(self) -> int:
        return store.count(self._tx, self._guild_id, self._slot)

    def row_of(self, player_id: int) -> StandingRow | None:
        return store.get(self._tx, player_id, self._guild_id, self._slot)

    def page(self, viewer_id: int, number: int | None) -> LeaderboardPage:
        total, mine = self.count(), self.row_of(viewer_id)
        pages = max(-(-total // PAGE_SIZE), 1)
        own, own_page = self._own(viewer_id, mine)
        number = (own_page or 0) if number is None else min(max(number, 0), pages - 1)
        found = store.ranked(
            self._tx, self._guild_id, self._slot, offset=number * PAGE_SIZE, limit=PAGE_SIZE
        )
        is_last = number == pages - 1
        waiting = self._waiting(viewer_id, PAGE_SIZE - len(found)) if is_last else {}
        shown = {viewer_id, *(row.player_id for row in found)}
        names, before = self._names(shown | waiting.keys()), self._ranks_before(shown)

        def named(row: RankedRow) -> Row:
            player = row.player_id
            figures, rank_before = figures_of(self._slot, row.figures), (before or {}).get(player)
            return Row(row.rank, player, names.get(player, ""), figures, rank_before)

        return LeaderboardPage(
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
            months=tuple(self._months()),
        )

    def _months(self) -> Iterator[date]:
        if self._board.period is not Period.MONTH:
            return
        for number in range(2, MONTHS_KEPT + 1):
            month = months_before(self._today, number)
            slot = slot_of(self._board.game, Period.MONTH, month)
            if store.is_filled(self._tx, self._guild_id, slot):
                yield month

    def _own(
        self, player_id: int, row: StandingRow | None
    ) -> tuple[RankedRow, int] | tuple[None, None]:
        """Find a row with its rank, and the number of its page; two None if it is not shown."""
        if row is None or row.missing:
            return None, None
        key = row.sort_key
        before = store.count_before(self._tx, self._guild_id, self._slot, key)
        tied = store.count_tied_before(self._tx, self._guild_id, self._slot, key, player_id)
        rank = before + 1 if key < NO_RANK else 0
        return RankedRow(rank, player_id, key, row.figures), (before + tied) // PAGE_SIZE

    def _names(self, player_ids: set[int]) -> dict[int, str]:
        found = people_store.names_in(self._tx, self._guild_id, player_ids)
        return {player_id: row.name for player_id, row in found.items()}

    def _ranks_before(self, player_ids: set[int]) -> dict[int, int] | None:
        """Map these players to their ranks in the period before.

        None for all time, for a period that is over, and if the period before has no rows.
        """
        slot = slot_before(self._board.game, self._board.period, self._day)
        if slot is None or self._board.is_over or not store.count(self._tx, self._guild_id, slot):
            return None
        return store.ranks(self._tx, player_ids, self._guild_id, slot)

    def _waiting(self, viewer_id: int, most: int) -> dict[int, int]:
        """Map up to three players to how many more games they need for a row, the nearest first.

        There are no more than `most`, and the viewer is not among them. Empty except for
        leaderboards of Mastermind whose period goes on.
        """
        if self._board.is_over or self._board.game is not BoardGame.MASTERMIND or most <= 0:
            return {}
        most = min(most, _MOST_WAITING)
        found = store.nearest_to_rank(self._tx, self._guild_id, self._slot, most + 1)
        found.pop(viewer_id, None)
        return dict(islice(found.items(), most))

    def _absence(self, viewer_id: int, row: StandingRow | None) -> Absence:
        choice = people_store.choices.get(self._tx, viewer_id)
        if choice is not None and choice.hidden:
            return Absence.HIDDEN
        if moderation_store.is_taken_off(self._tx, self._guild_id, viewer_id):
            return Absence.TAKEN_OFF
        return Absence.NOT_PLAYED if row is None else Absence.TOO_FEW


class Calendars:
    """Zones of some servers, and lengths of their dailies."""

    def __init__(self, calendars: Mapping[int, Calendar]) -> None:
        self._calendars = calendars
        self._ends: dict[tuple[int, date], datetime] = {}

    @classmethod
    def read(cls, tx: Transaction, servers: Iterable[int | None]) -> Self:
        """Read the calendars of these servers; None is left out."""
        rows = people_store.get_calendars(tx, set(filter(None, servers)))
        return cls(rows)

    def date_of(self, guild_id: int, instant: datetime) -> date:
        """Find the date at an instant, in the zone that a server had then."""
        return date_in(zone_at(self._calendars[guild_id].zones, instant), instant)

    def length_on(self, guild_id: int, day: date) -> int:
        return length_on(self._calendars[guild_id].lengths, day)

    def counts(self, guild_id: int, play: DailyResultRow) -> bool:
        """Return true if a server's leaderboards count a daily that was finished on its date.

        They count dailies of the server's length on that date, played by its deadline.
        """
        day = day_of(play.number)
        if self.length_on(guild_id, day) != play.length:
            return False
        return not self.is_late(guild_id, day, play.opened_at, play.finished_at)

    def is_late(self, guild_id: int, day: date, opened_at: datetime, finished_at: datetime) -> bool:
        return not self.deadline(guild_id, day).is_met(opened_at, finished_at)

    def deadline(self, guild_id: int, day: date) -> Deadline:
        """Find a date's `Deadline` in a server.

        Dailies are to be opened before their date first ends in the server. In zones further
        west, or after a change of zone, the date may go on, but from then on players may know the
        answer.
        """
        if (guild_id, day) not in self._ends:
            self._ends[guild_id, day] = first_end(self._calendars[guild_id].zones, day)
        end = self._ends[guild_id, day]
        return Deadline(end, end + GRACE)


def deadline_of(tx: Transaction, guild_id: int, day: date) -> Deadline:
    """Find a date's `Deadline` in a server."""
    return Calendars.read(tx, [guild_id]).deadline(guild_id, day)


def shared_dailies(
    tx: Transaction, one_id: int, other_id: int, now: datetime
) -> SharedDailies | None:
    """Compare two players by dailies that both finished on their dates, which are over everywhere.

    None if there are fewer than `FEWEST_SHARED`, or one of the two is hidden.
    """
    for player_id in (one_id, other_id):
        if people_store.is_hidden(tx, player_id):
            return None
    found = results.shared_dailies(tx, one_id, other_id, before=first_running(now))
    return found if found.dailies >= FEWEST_SHARED else None


class Sheet:
    """A player's figures on leaderboards, by server and slot.

    A slot is the name under which rows of a game's period are stored: see `slot_of`.

    Attributes:
        servers: the servers on whose leaderboards the player may have rows.
        today: the date in UTC.
    """

    def __init__(
        self,
        tx: Transaction,
        player_id: int,
        servers: Collection[int],
        today: date,
        stored: Sequence[StandingRow],
    ) -> None:
        self._tx = tx
        self._stored = stored
        self.player_id = player_id
        self.servers = servers
        self.today = today
        self.figures: dict[tuple[int, str], BoardFigures] = {
            (row.guild_id, row.slot): figures_of(row.slot, row.figures) for row in stored
        }

    @classmethod
    def read(
        cls,
        tx: Transaction,
        player_id: int,
        now: datetime,
        servers: Collection[int] | None = None,
    ) -> Self:
        """Read a player's stored rows and, without `servers`, where the player may have rows."""
        if servers is None:
            servers = moderation_store.shown_in(tx, player_id)
        rows = store.of_player(tx, player_id)
        there = {*servers, *(row.guild_id for row in rows)}
        tx.about(*(storage_keys.server(guild_id) for guild_id in there))
        return cls(tx, player_id, servers, now.astimezone(UTC).date(), rows)

    def add(self, guild_id: int, slot: str, gain: Sums) -> None:
        """Add to the figures of a server's slot; empty figures make no row."""
        if gain != type(gain)():
            found = self.figures.get((guild_id, slot))
            self.figures[guild_id, slot] = found.plus(gain) if isinstance(found, Sums) else gain

    def keep_only(self, wanted: Callable[[int, str], bool]) -> None:
        self.figures = {key: figures for key, figures in self.figures.items() if wanted(*key)}

    def slots(self, game: BoardGame, day: date) -> list[str]:
        """List the slots of a game's periods that include a date and can still be looked at."""
        slots = (slot_of(game, period, day) for period in periods_of(game))
        return [slot for slot in slots if is_live_slot(slot, self.today)]

    def places(
        self, game: BoardGame, at: datetime, calendars: Calendars, servers: Collection[int]
    ) -> Iterator[tuple[int, str]]:
        """Yield server and slot of each leaderboard that counts a game which ended at `at`."""
        for guild_id in servers:
            day = calendars.date_of(guild_id, at)
            for slot in self.slots(game, day):
                yield guild_id, slot

    def write(self) -> None:
        """Store the changed rows; delete those that are too old, or may not show the player."""
        self.keep_only(
            lambda guild_id, slot: guild_id in self.servers and is_live_slot(slot, self.today)
        )
        rows = [
            StandingRow(guild_id, slot, figures.missing, figures.sort_key, figures.encode())
            for (guild_id, slot), figures in self.figures.items()
        ]
        store.replace(self._tx, self.player_id, self._stored, rows)
        self._stored = rows


# Rows change in the transactions that end games, instead of being added up by readers: a row for
# each player, server and period, in an index in the order of ranks (`bot.leaderboards.store`). The
# end of a game changes the player's own rows only: at most four for each server of the player. Only
# shown players have rows, so hiding is deleting, and ranks close up. Only the running period and
# the one before have rows, and twelve closed months; older rows go when the player's rows are next
# written. So stored rows grow with players and servers, not with time.
#
# `bot.leaderboards.rebuild` works rows out anew from the games; tests show that the results agree.


def count_daily(tx: Transaction, sheet: Sheet, calendars: Calendars, puzzle: PuzzleName) -> None:
    """Add a daily that was just finished on its date to a sheet; the caller writes the sheet."""
    for play in results.dailies_of_date(tx, sheet.player_id, puzzle.number):
        if play.length == puzzle.length:
            add_daily(sheet, calendars, play, sheet.servers)


def add_daily(
    sheet: Sheet, calendars: Calendars, play: DailyResultRow, servers: Iterable[int]
) -> None:
    """Add a daily that was finished on its date, in each of these servers that counts it."""
    figures = FocdleFigures.of_daily(play)
    slots = sheet.slots(BoardGame.FOCDLE, day_of(play.number))
    for guild_id in servers:
        if calendars.counts(guild_id, play):
            for slot in slots:
                sheet.add(guild_id, slot, figures)


def mastermind_finished(
    tx: Transaction,
    player_id: int,
    figures: MastermindFigures,
    *,
    finished_at: datetime,
    now: datetime,
) -> None:
    """Add a ranked Mastermind that has just ended to its player's leaderboard rows."""
    sheet = Sheet.read(tx, player_id, now)
    calendars = Calendars.read(tx, sheet.servers)
    for guild_id, slot in sheet.places(BoardGame.MASTERMIND, finished_at, calendars, sheet.servers):
        sheet.add(guild_id, slot, figures)
    sheet.write()


def duel_rated(
    tx: Transaction, change: RatingChange, now: datetime, servers: Collection[int]
) -> None:
    """Store a player's rating after a duel in the rows of these servers, one for each period."""
    sheet = Sheet.read(tx, change.player_id, now, servers)
    calendars = Calendars.read(tx, sheet.servers)
    rating = ratings_store.get(tx, change.player_id) or change.after
    for place in sheet.places(BoardGame.DUELS, change.changed_at, calendars, servers):
        sheet.figures[place] = DuelFigures.of(rating)
    sheet.write()


def put_streak(sheet: Sheet, steps: Iterable[tuple[date, DateEffect]]) -> None:
    """Put a player's streak on a sheet, if it has a length; else remove it.

    `steps` are the effects of all dates on the streak, oldest first.
    """
    (slot,) = sheet.slots(BoardGame.STREAK, sheet.today)
    sheet.keep_only(lambda _, other: other != slot)
    length = best = assisted = 0
    for _, reason in steps:
        if reason in ENDED:
            length = assisted = 0
        elif reason in SOLVES:
            length += 1
            assisted += reason is DateEffect.SOLVED_ASSISTED
        best = max(best, length)
    if length:
        for guild_id in sheet.servers:
            sheet.figures[guild_id, slot] = StreakFigures(length, best, assisted)
