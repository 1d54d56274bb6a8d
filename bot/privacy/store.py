"""What is stored of players: who there is, and all of it, table by table."""

from collections import defaultdict
from collections.abc import Callable, Collection
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
    rating_changes,
    streak_restorations,
    zones,
)
from bot.db.tables.whose import Who, is_of, naming


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
        table: where they are.
        key: their column that says which row they belong to.
        above: that row's column with the same value.
    """

    name: str
    table: Table
    key: str
    above: str = "id"


@dataclass(frozen=True, slots=True)
class Section:
    """Rows that concern a player.

    Attributes:
        name: what they are called.
        table: where they are.
        concern: which of them concern a player of this id.
        parts: what belongs to each of them; only games have some, which have an `id`.
    """

    name: str
    table: Table
    concern: Callable[[int], ColumnElement[bool]]
    parts: tuple[Part, ...] = ()


def _own(table: Table, column: str = "player_id") -> Callable[[int], ColumnElement[bool]]:
    return lambda player_id: table.c[column] == player_id


def _is_breaker_or_maker(player_id: int) -> ColumnElement[bool]:
    return or_(masterminds.c.owner_id == player_id, masterminds.c.codebreaker_id == player_id)


def _is_seated(player_id: int) -> ColumnElement[bool]:
    return duels.c.id.in_(select(duel_seats.c.duel_id).where(duel_seats.c.player_id == player_id))


def _is_own_zone(player_id: int) -> ColumnElement[bool]:
    return (zones.c.subject == "player") & (zones.c.subject_id == player_id)


SECTIONS: Final = (
    Section("names", schema.players, _own(schema.players)),
    Section("servers", schema.members, _own(schema.members)),
    Section("preferences", schema.preferences, _own(schema.preferences)),
    Section("blocked_players", schema.blocks, _own(schema.blocks)),
    Section("time_zones", zones, _is_own_zone),
    Section(
        "focdle",
        plays,
        _own(plays),
        (
            Part("puzzle", puzzles, "id", "puzzle_id"),
            Part("guesses", schema.guesses, "play_id"),
            Part("hints", schema.hints, "play_id"),
            Part("analyses", schema.analyses, "play_id"),
        ),
    ),
    Section("shares", schema.shares, _own(schema.shares)),
    Section("running_rows", schema.running_rows, _own(schema.running_rows)),
    Section("always_shares", schema.always_shares, _own(schema.always_shares)),
    Section("streak", schema.streaks, _own(schema.streaks)),
    Section("streak_changes", schema.streak_changes, _own(schema.streak_changes)),
    Section("streak_restorations", streak_restorations, _own(streak_restorations)),
    Section(
        "streak_restorations_for_others",
        streak_restorations,
        _own(streak_restorations, "restored_by"),
    ),
    Section(
        "mastermind",
        masterminds,
        _is_breaker_or_maker,
        (
            Part("turns", schema.mastermind_turns, "game_id"),
            Part("hints", schema.hints, "mastermind_id"),
            Part("analyses", schema.analyses, "mastermind_id"),
        ),
    ),
    Section(
        "duels",
        duels,
        _is_seated,
        (
            Part("seats", duel_seats, "duel_id"),
            Part("moves", schema.duel_moves, "duel_id"),
            Part("analyses", schema.analyses, "duel_id"),
        ),
    ),
    Section("games_for_nothing", schema.free_games, _own(schema.free_games)),
    Section("rating", schema.ratings, _own(schema.ratings)),
    Section("rating_changes", rating_changes, _own(rating_changes)),
    Section("leaderboards", schema.standings, _own(schema.standings)),
    Section("leaderboards_to_rebuild", schema.standing_rebuilds, _own(schema.standing_rebuilds)),
    Section("finishers_threads", schema.finishers, _own(schema.finishers)),
    Section("reminder_plan", schema.reminder_plans, _own(schema.reminder_plans)),
    Section("reminders", schema.reminders, _own(schema.reminders)),
)
"""Where a player's data are, in the order of an export."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What there is about a player at one moment.

    Attributes:
        rows: by section, where they are no games: there are never very many.
        games: by section, the ids of those that are.
    """

    rows: dict[str, list[Row]]
    games: dict[str, list[int]]


def read_all_but_games(tx: Transaction, player_id: int) -> Contents:
    """All rows that concern a player, every column of them; of games, which there are."""
    rows: dict[str, list[Row]] = {}
    games: dict[str, list[int]] = {}
    for section in SECTIONS:
        condition = section.concern(player_id)
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
    mine = section.table.c.id.in_(ids) & section.concern(player_id)
    rows = _rows(tx, section.table, mine)
    for part in section.parts:
        above = [row[part.above] for row in rows]
        belonging: defaultdict[object, list[Row]] = defaultdict(list)
        for row in _rows(tx, part.table, part.table.c[part.key].in_(above)):
            belonging[row[part.key]].append(row)
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
    mine = _is_breaker_or_maker(player_id)
    seated = _is_seated(player_id)
    never_begun = duels.c.strength.is_(None) & duels.c.accepted_at.is_(None)
    unaccepted = (masterminds.c.kind == "challenge") & masterminds.c.accepted_at.is_(None)
    two_players = masterminds.c.owner_id != masterminds.c.codebreaker_id
    counted = {"focdle", "mastermind", "duels", "servers"}
    others = 0
    for section in SECTIONS:
        if section.name not in counted:
            others += _count(tx, section.table, section.concern(player_id))
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
