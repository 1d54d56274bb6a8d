"""The nouns of leaderboards: a page of one, as use cases hand it out."""

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from bot.leaderboards.game.scores import Figures
from bot.leaderboards.model.keys import Board


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
