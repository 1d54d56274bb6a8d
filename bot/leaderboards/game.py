"""Keeping leaderboards as games end: calendars, rows, who counts as an opponent."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Final, Self

from bot.clock import GRACE, PuzzleName, date_in, day_of, first_running
from bot.db import keys as storage_keys
from bot.db.database import Transaction
from bot.games.model import FEWEST_SHARED, SharedDailies
from bot.leaderboards import results, store
from bot.leaderboards.results import DailyResultRow, Deadline
from bot.leaderboards.scores import (
    GLOBAL,
    Board,
    BoardFigures,
    BoardGame,
    DuelFigures,
    Figures,
    FocdleFigures,
    MastermindFigures,
    StreakFigures,
    Sums,
    counted_after,
    figures_of,
    is_live_slot,
    live_slots,
)
from bot.leaderboards.store import StandingRow
from bot.people import store as people_store
from bot.people.game import fair_since, length_on
from bot.people.model import Calendar
from bot.people.zones import DEFAULT_ZONE, first_end, zone_at
from bot.ratings import store as ratings_store
from bot.ratings.model import FEWEST_DUELS, FEWEST_MET, FEWEST_OPPONENTS, RatingChange
from bot.stored import Reason
from bot.streaks.model import ENDED


class Absence(StrEnum):
    """Why a player has no row on a leaderboard."""

    NOT_PLAYED = "not_played"
    """Nothing that counts for it; on the streak leaderboard, no streak."""
    TOO_FEW = "too_few"
    """Too few games, of which `Page.own_figures` says how many, or too few opponents."""
    HIDDEN = "hidden"
    """They chose to be hidden."""
    NOT_OPTED_IN = "not_opted_in"
    """They have not asked to be shown on global leaderboards."""


@dataclass(frozen=True, slots=True)
class Row:
    """A player's row.

    Attributes:
        rank: from 1; shared by who ties (1, 2, 2, 4). 0 for who is settling.
        player_id: the Discord user.
        name: as last seen, in that server or, on a global leaderboard, anywhere; to be escaped.
            Empty if it was never seen.
        figures: what the player is ranked by.
        before: the rank in the period before; None without one.
    """

    rank: int
    player_id: int
    name: str
    figures: Figures
    before: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A player who is not ranked yet.

    Attributes:
        player_id: the Discord user.
        name: as in a `Row`.
        missing: how many more games it takes.
    """

    player_id: int
    name: str
    missing: int


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a leaderboard, as it is now.

    Attributes:
        board: which leaderboard.
        days: the first and the last date that it covers; None for all time.
        number: the page, from 0; the last one if a later one was asked for.
        pages: how many there are, at least 1.
        total: how many rows the leaderboard has.
        rows: at most `PAGE_SIZE`, in order.
        own: the viewer's row, whether or not it is on this page.
        own_page: the page it is on.
        absence: why the viewer has no row; None if they have one.
        own_figures: what the viewer has, if that is too little for a row.
        compares: whether ranks are compared with the period before, of which there are some.
        waiting: who is not ranked yet and will be soon, the nearest first; on the last page, where
            it has room.
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


class Calendars:
    """Calendars of some servers, and of the leaderboards across all servers, which go by UTC."""

    def __init__(self, calendars: Mapping[int, Calendar], since: date) -> None:
        self._calendars = calendars
        self._since = since
        self._ends: dict[tuple[int, date], datetime] = {}

    @classmethod
    def read(cls, tx: Transaction, scopes: Iterable[int | None]) -> Self:
        """Read the calendars of these servers; None stands for all servers."""
        rows = people_store.get_calendars(tx, set(filter(None, scopes)))
        return cls(rows, fair_since(tx))

    def date_of(self, scope: int, instant: datetime) -> date:
        """The date at an instant, in the zone that held then."""
        zone = DEFAULT_ZONE if scope == GLOBAL else zone_at(self._calendars[scope].zones, instant)
        return date_in(zone, instant)

    def length_on(self, guild_id: int, day: date) -> int:
        """The length of a server's daily on a date."""
        return length_on(self._calendars[guild_id].lengths, day)

    def counts(self, scope: int, play: DailyResultRow) -> bool:
        """Whether a leaderboard counts a daily.

        In a server, length and time must be right; everywhere, it is the first guessed at of its
        date, or one from before that was noted.
        """
        if scope == GLOBAL:
            return play.first_of_date is not False
        day = day_of(play.number)
        if self.length_on(scope, day) != play.length:
            return False
        return not self.is_late(scope, day, play.opened_at, play.finished_at)

    def is_late(self, guild_id: int, day: date, opened_at: datetime, finished_at: datetime) -> bool:
        """Whether a server no longer counts a date's daily, which ended there before."""
        deadline = self.deadline(guild_id, day)
        return deadline is not None and not deadline.is_met(opened_at, finished_at)

    def deadline(self, scope: int, day: date) -> Deadline | None:
        """Until when a date's daily must be opened and finished to count; None for any time.

        What has ended in a server is closed there: the date may still be today further west, in a
        zone that a member or the server itself has chosen, and the answer be known.
        """
        if scope == GLOBAL or day < self._since:
            return None
        if (scope, day) not in self._ends:
            self._ends[scope, day] = first_end(self._calendars[scope].zones, day)
        end = self._ends[scope, day]
        return Deadline(end, end + GRACE)


def deadline_of(tx: Transaction, guild_id: int, day: date) -> Deadline | None:
    """Until when a server counts a date's daily; None for any time."""
    return Calendars.read(tx, [guild_id]).deadline(guild_id, day)


def today_in(tx: Transaction, scope: int, now: datetime) -> date:
    """The date that a leaderboard calls today."""
    return Calendars.read(tx, [scope]).date_of(scope, now)


def shared_dailies(
    tx: Transaction, one_id: int, other_id: int, now: datetime
) -> SharedDailies | None:
    """How dailies went that both have finished, if these are enough and their dates are over.

    Who hides is compared with nobody, and nobody with them.
    """
    for player_id in (one_id, other_id):
        if people_store.is_hidden(tx, player_id):
            return None
    found = results.shared_dailies(tx, one_id, other_id, before=first_running(now))
    return found if found.dailies >= FEWEST_SHARED else None


# Whom it counts for a rank to have met: players who are established. Else a rank would be made by
# accounts that do nothing but lose. A player is established after as many rated duels against as
# many others as a rank takes, with an account that is a month old. Then the player counts for
# everybody met before, and from there on, also once their data are deleted.

OF_AGE: Final = timedelta(days=30)
"""How old a Discord account must be."""

_DISCORD_EPOCH: Final = datetime(2015, 1, 1, tzinfo=UTC)
_BITS_BELOW_TIME: Final = 22


def of_age_at(player_id: int) -> datetime:
    """When a Discord account is old enough; its id says when it was made.

    >>> of_age_at(175928847299117063).isoformat()
    '2016-05-30T11:18:25.796000+00:00'
    """
    age = timedelta(milliseconds=player_id >> _BITS_BELOW_TIME)
    return _DISCORD_EPOCH + age + OF_AGE


def look_at(tx: Transaction, player_id: int, now: datetime) -> None:
    """See whether a player who was not established is so after another rated duel."""
    met = ratings_store.met(tx, player_id)
    if met.duels < FEWEST_DUELS or met.opponents < FEWEST_OPPONENTS:
        return
    at = of_age_at(player_id)
    if at > now:
        ratings_store.wait_for_age(tx, player_id, at)
    else:
        establish(tx, player_id)


def establish(tx: Transaction, player_id: int) -> None:
    """Let a player count for all whom they have met, whose places on boards change by it."""
    ratings_store.establish(tx, player_id)
    store.opponents(tx, player_id)


class Sheet:
    """A player's figures, by server and slot: read, changed, and written as rows.

    Attributes:
        player_id: whose.
        scopes: the servers on whose leaderboards the player is shown, and `GLOBAL` if there.
        today: the date in UTC.
        figures: what the player has on each leaderboard.
    """

    def __init__(
        self,
        tx: Transaction,
        player_id: int,
        scopes: Sequence[int],
        today: date,
        stored: Sequence[StandingRow],
    ) -> None:
        self._tx = tx
        self._stored = stored
        self.player_id = player_id
        self.scopes = scopes
        self.today = today
        self.figures: dict[tuple[int, str], BoardFigures] = {
            (row.guild_id, row.slot): figures_of(row.slot, row.figures) for row in stored
        }

    @classmethod
    def read(
        cls, tx: Transaction, player_id: int, now: datetime, scopes: Sequence[int] | None = None
    ) -> Self:
        """The rows as they are; of these scopes if they are known already."""
        if scopes is None:
            scopes = people_store.shown_in(tx, player_id, GLOBAL)
        rows = store.of_player(tx, player_id)
        there = {*scopes, *(row.guild_id for row in rows)}
        tx.about(*(storage_keys.server(scope) for scope in there))
        return cls(tx, player_id, scopes, now.astimezone(UTC).date(), rows)

    def add(self, scope: int, slot: str, gain: Sums) -> None:
        """Add something to what the player has on a leaderboard; nothing leaves no row."""
        if gain != type(gain)():
            found = self.figures.get((scope, slot))
            self.figures[scope, slot] = found.plus(gain) if isinstance(found, Sums) else gain

    def keep(self, wanted: Callable[[int, str], bool]) -> None:
        """Forget the rows of other scopes and slots."""
        self.figures = {key: figures for key, figures in self.figures.items() if wanted(*key)}

    def slots(self, game: BoardGame, day: date) -> list[str]:
        """The slots that something of a date counts for."""
        return live_slots(game, day, self.today)

    def places(
        self, game: BoardGame, at: datetime, calendars: Calendars, scopes: Collection[int]
    ) -> Iterator[tuple[int, str]]:
        """Where something counts that was at an instant: scopes and slots."""
        for scope in scopes:
            for slot in self.slots(game, calendars.date_of(scope, at)):
                yield scope, slot

    def write(self) -> None:
        """Store what has changed, and only what can be looked at: who is shown, and of late."""
        self.keep(lambda scope, slot: scope in self.scopes and is_live_slot(slot, self.today))
        rows = [
            StandingRow(scope, slot, figures.sort_key, figures.encode())
            for (scope, slot), figures in self.figures.items()
        ]
        store.replace(self._tx, self.player_id, self._stored, rows)
        self._stored = rows


# Keeps leaderboards, in the transactions that end games. A leaderboard is kept as rows, not added
# up when it is looked at: a row for each player, server and period, in an index in the order of
# ranks (`bot.leaderboards.store`). Whoever ends a game changes their own rows only: at most four
# for each server they are a member of, and four across servers. There are rows for those only who
# are shown, so hiding is deleting, and ranks close up by themselves. There are rows for those
# periods only that can be looked at, the running one and the one before; older ones go when their
# player's rows are next written. So what is stored grows with players and servers, not with time.
#
# Rows can always be worked out anew from the games (`bot.leaderboards.rebuild`); that a row kept
# here and one worked out there are the same is what the tests show.


def count_daily(tx: Transaction, sheet: Sheet, calendars: Calendars, puzzle: PuzzleName) -> None:
    """Add a daily that was just finished on its date to a player's sheet, still to be written."""
    if not sheet.scopes:
        return
    plays = results.dailies_of_date(tx, sheet.player_id, puzzle.number)
    (this,) = [play for play in plays if play.length == puzzle.length]
    scopes = [scope for scope in sheet.scopes if calendars.counts(scope, this)]
    counted = [play for play in plays if play is not this and calendars.counts(GLOBAL, play)]
    new = FocdleFigures.of_daily(this)
    better = FocdleFigures.best([*counted, this]).minus(FocdleFigures.best(counted))
    for scope in scopes:
        for slot in sheet.slots(BoardGame.FOCDLE, puzzle.day):
            sheet.add(scope, slot, better if scope == GLOBAL else new)


def mastermind_finished(
    tx: Transaction,
    player_id: int,
    figures: MastermindFigures,
    *,
    finished_at: datetime,
    now: datetime,
) -> None:
    """Count a ranked game of Mastermind that has just ended."""
    sheet = Sheet.read(tx, player_id, now)
    calendars = Calendars.read(tx, sheet.scopes)
    for scope, slot in sheet.places(BoardGame.MASTERMIND, finished_at, calendars, sheet.scopes):
        sheet.add(scope, slot, figures)
    sheet.write()


def duel_rated(tx: Transaction, change: RatingChange, now: datetime, scopes: Sequence[int]) -> None:
    """Show a player's rating as a duel has just left it, in the scopes that show the player."""
    sheet = Sheet.read(tx, change.player_id, now, scopes)
    calendars = Calendars.read(tx, sheet.scopes)
    opponents, met = ratings_store.count_opponents(tx, change.player_id)
    after = replace(change.after, opponents=opponents)
    floor = (after.played or after).floor
    change = replace(change, after=after, floor=floor, met=met)
    figures = duel_figures(change)
    for place in sheet.places(BoardGame.DUELS, change.changed_at, calendars, scopes):
        sheet.figures[place] = figures
    sheet.write()


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

    The steps say what each date did to it, oldest first; of dates that were restored `by` says in
    which server.
    """
    (slot,) = sheet.slots(BoardGame.STREAK, sheet.today)
    sheet.keep(lambda _, other: other != slot)
    for scope in sheet.scopes:
        figures = streak_figures(scope, steps, by)
        if figures.length:
            sheet.figures[scope, slot] = figures


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
