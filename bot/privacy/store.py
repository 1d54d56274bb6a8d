"""What is stored of players: who there is, and all of it, table by table."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias

from sqlalchemy import BigInteger, Column, ColumnElement, Table, exists, func, or_, select, union

from bot.db import tables as schema
from bot.db.database import Transaction
from bot.db.tables import (
    duel_seats,
    duels,
    masterminds,
    players,
    plays,
    puzzles,
)
from bot.db.tables.kinds import Who, is_of, naming


def known(tx: Transaction, who: Who) -> set[int]:
    """The ids of all players, or of all servers, that are named anywhere.

    It goes through whole tables, so nobody is to wait for it.
    """
    # Stand-ins are below 0, and 0 is nowhere.
    named = (select(c.label("id")).where(c > 0, is_of(c, who)) for c in naming(who))
    return set(tx.scalars(union(*named)).all())


_SEAT_IN_OPEN_DUEL: Final = (
    select(duel_seats.c.duel_id)
    .join_from(duel_seats, duels)
    .where(
        duel_seats.c.player_id == players.c.player_id,
        duels.c.finished_at.is_(None),
        duels.c.strength.is_(None),
    )
)
_OPEN_CHALLENGE: Final = exists().where(
    masterminds.c.finished_at.is_(None),
    masterminds.c.kind == "challenge",
    or_(
        masterminds.c.owner_id == players.c.player_id,
        masterminds.c.codebreaker_id == players.c.player_id,
    ),
)
_UNSEEN: Final = select(players.c.player_id).where(
    ~_SEAT_IN_OPEN_DUEL.correlate(players).exists(), ~_OPEN_CHALLENGE
)


def find(tx: Transaction, seen_by: datetime, most: int) -> list[int]:
    """Some of those who were seen last by an instant, and are in no game of two that goes on."""
    query = _UNSEEN.where(players.c.seen_at <= seen_by).order_by(players.c.seen_at).limit(most)
    return list(tx.scalars(query).all())


def is_unseen(tx: Transaction, player_id: int, seen_by: datetime) -> bool:
    """Whether a player is one of them."""
    query = _UNSEEN.where(players.c.seen_at <= seen_by, players.c.player_id == player_id)
    return tx.scalar(query) is not None


Row: TypeAlias = dict[str, Any]
"""A row by its columns' names, and under further names the rows that belong to it.

Discord's ids are strings: as numbers, most readers of JSON would round them.
"""


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that belong to the rows of another table.

    Attributes:
        name: what they are called in that table's rows.
        key: their column that says which row they belong to.
        above: that row's column with the same value.
    """

    name: str
    key: Column[int]
    above: str = "id"


@dataclass(frozen=True, slots=True)
class Section:
    """Rows that concern a player.

    Attributes:
        name: what they are called.
        table: where they are.
        by: the columns that name whom they concern.
        parts: what belongs to each of them; only games have some, which have an `id`.
    """

    name: str
    table: Table
    by: tuple[str, ...] = ("player_id",)
    parts: tuple[Part, ...] = ()

    def of(self, player_id: int) -> ColumnElement[bool]:
        """Which of them concern a player."""
        if self.table is duels:
            seats = select(duel_seats.c.duel_id).where(duel_seats.c.player_id == player_id)
            return duels.c.id.in_(seats)
        columns = [self.table.c[name] for name in self.by]
        return or_(*(column == player_id for column in columns)) & is_of(columns[0], Who.PLAYER)


_MASTERMIND: Final = Section(
    "mastermind",
    masterminds,
    ("owner_id", "codebreaker_id"),
    parts=(
        Part("turns", schema.mastermind_turns.c.game_id),
        Part("hints", schema.hints.c.mastermind_id),
        Part("analyses", schema.analyses.c.mastermind_id),
    ),
)
_DUELS: Final = Section(
    "duels",
    duels,
    parts=(
        Part("seats", duel_seats.c.duel_id),
        Part("moves", schema.duel_moves.c.duel_id),
        Part("analyses", schema.analyses.c.duel_id),
    ),
)
SECTIONS: Final = (
    Section("names", players),
    Section("servers", schema.members),
    Section("preferences", schema.preferences),
    Section("blocked_players", schema.blocks),
    Section("time_zones", schema.zones, ("subject_id",)),
    Section(
        "focdle",
        plays,
        parts=(
            Part("puzzle", puzzles.c.id, "puzzle_id"),
            Part("guesses", schema.guesses.c.play_id),
            Part("hints", schema.hints.c.play_id),
            Part("analyses", schema.analyses.c.play_id),
        ),
    ),
    Section("shares", schema.shares),
    Section("running_rows", schema.running_rows),
    Section("always_shares", schema.always_shares),
    Section("streak", schema.streaks),
    Section("streak_changes", schema.streak_changes),
    Section("streak_restorations", schema.streak_restorations),
    Section("streak_restorations_for_others", schema.streak_restorations, ("restored_by",)),
    _MASTERMIND,
    _DUELS,
    Section("games_for_nothing", schema.free_games),
    Section("rating", schema.ratings),
    Section("rating_changes", schema.rating_changes),
    Section("leaderboards", schema.standings),
    Section("leaderboards_to_rebuild", schema.standing_rebuilds),
    Section("finishers_threads", schema.finishers),
    Section("reminder_plan", schema.reminder_plans),
    Section("reminders", schema.reminders),
)
"""Where a player's data are, in the order of an export."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What there is about a player at one moment, by section.

    Attributes:
        rows: those that are no games: there are never very many.
        games: the ids of games.
    """

    rows: dict[str, list[Row]]
    games: dict[str, list[int]]


def read_all_but_games(tx: Transaction, player_id: int) -> Contents:
    """All rows that concern a player, every column of them; of games, which there are."""
    rows: dict[str, list[Row]] = {}
    games: dict[str, list[int]] = {}
    for section in SECTIONS:
        condition = section.of(player_id)
        if section.parts:
            ids = select(section.table.c.id).where(condition).order_by(section.table.c.id)
            games[section.name] = list(tx.scalars(ids))
        else:
            rows[section.name] = _rows(tx, section.table, condition)
    return Contents(rows, games)


def read_games(
    tx: Transaction, player_id: int, section: Section, ids: Collection[int]
) -> list[Row]:
    """Some games of a player with all that belongs to them: those that are still the player's."""
    mine = section.table.c.id.in_(ids) & section.of(player_id)
    rows = _rows(tx, section.table, mine)
    for part in section.parts:
        above = [row[part.above] for row in rows]
        belonging: defaultdict[object, list[Row]] = defaultdict(list)
        for row in _rows(tx, part.key.table, part.key.in_(above)):
            belonging[row[part.key.name]].append(row)
        for row in rows:
            row[part.name] = belonging[row[part.above]]
    return rows


def _rows(tx: Transaction, table: Table, condition: ColumnElement[bool]) -> list[Row]:
    query = select(table).where(condition).order_by(*table.primary_key.columns)
    columns = list(table.columns)
    return [
        {column.name: _plain(column, value) for column, value in zip(columns, row, strict=True)}
        for row in tx.execute(query)
    ]


def _plain(column: Column[Any], value: object) -> object:
    is_id = isinstance(column.type, BigInteger) and value is not None
    return str(value) if is_id else value


@dataclass(frozen=True, slots=True)
class CountsRow:
    """How much is stored about a player.

    Attributes:
        dailies: plays of dailies, from the archive too.
        practices: plays of practice puzzles.
        masterminds: games of Mastermind in any role.
        duels: duels, with the bot too.
        challenges: those to duels and at Mastermind that nobody has accepted.
        shared: games and challenges that are another player's as well.
        servers: servers in which the player's name is known.
        others: rows besides: name, choices, streak, ratings, places on boards, reminders.
    """

    dailies: int
    practices: int
    masterminds: int
    duels: int
    challenges: int
    shared: int
    servers: int
    others: int


def count(tx: Transaction, player_id: int) -> CountsRow:
    """How much is stored about a player."""
    mine, seated = _MASTERMIND.of(player_id), _DUELS.of(player_id)
    never_begun = duels.c.strength.is_(None) & duels.c.accepted_at.is_(None)
    unaccepted = (masterminds.c.kind == "challenge") & masterminds.c.accepted_at.is_(None)
    two_players = masterminds.c.owner_id != masterminds.c.codebreaker_id
    counted = {"focdle", "mastermind", "duels", "servers"}
    others = 0
    for section in SECTIONS:
        if section.name not in counted:
            others += _count(tx, section.table, section.of(player_id))
    played = select(func.count(puzzles.c.number).label("dailies"), func.count().label("all"))
    played = played.join_from(plays, puzzles).where(plays.c.player_id == player_id)
    dailies, focdles = tx.execute(played).one()
    return CountsRow(
        dailies=dailies,
        practices=focdles - dailies,
        masterminds=_count(tx, masterminds, mine & ~unaccepted),
        duels=_count(tx, duels, seated & ~never_begun),
        challenges=_count(tx, masterminds, mine & unaccepted)
        + _count(tx, duels, seated & never_begun),
        shared=_count(tx, masterminds, mine & two_players)
        + _count(tx, duels, seated & duels.c.strength.is_(None)),
        servers=_count(tx, schema.members, schema.members.c.player_id == player_id),
        others=others,
    )


def _count(tx: Transaction, table: Table, condition: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(table).where(condition)
    return tx.execute(query).scalar_one()
