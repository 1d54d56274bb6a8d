"""SQL of who is named anywhere, and of all rows about a player, table by table."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias

from sqlalchemy import BigInteger, Column, ColumnElement, Table, exists, func, or_, select, union

from bot.db import tables as schema
from bot.db.database import Transaction
from bot.db.tables.games import duel_seats, duels, masterminds, plays, puzzles, races
from bot.db.tables.kinds import Who, is_of, naming
from bot.db.tables.people import players
from bot.races import store as races_store


def known(tx: Transaction, who: Who) -> set[int]:
    """List the ids of all players, or of all servers, that are named in any table.

    It scans whole tables: call it only where nobody waits.
    """
    # Stand-ins are below 0, and 0 is no server.
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


def find_unseen(tx: Transaction, seen_by: datetime, most: int) -> list[int]:
    """Find some players who were not seen after `seen_by` and have no open duel or challenge.

    The longest unseen come first.
    """
    query = _UNSEEN.where(players.c.seen_at <= seen_by).order_by(players.c.seen_at).limit(most)
    return list(tx.scalars(query).all())


def is_unseen(tx: Transaction, player_id: int, seen_by: datetime) -> bool:
    """Return true if `find_unseen` would find this player."""
    query = _UNSEEN.where(players.c.seen_at <= seen_by, players.c.player_id == player_id)
    return tx.scalar(query) is not None


Row: TypeAlias = dict[str, Any]
"""A row by its columns' names, and under further names the rows that belong to it.

Discord's ids are strings: as numbers, most readers of JSON would round them.
"""


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that belong to a section's rows: their column `key` equals the column `above` there."""

    name: str
    key: Column[int]
    above: str = "id"


@dataclass(frozen=True, slots=True)
class Section:
    """A table's rows about a player.

    Attributes:
        by: the columns that may name the player; not used for duels and races, whose seats name
            the players.
        parts: rows of other tables that belong to these; only games have any.
        id: the column with the ids of games, by which they are read.
    """

    name: str
    table: Table
    by: tuple[str, ...] = ("player_id",)
    parts: tuple[Part, ...] = ()
    id: str = "id"

    def of(self, player_id: int) -> ColumnElement[bool]:
        if self.table is duels:
            seats = select(duel_seats.c.duel_id).where(duel_seats.c.player_id == player_id)
            return duels.c.id.in_(seats)
        if self.table is races:
            return races_store.names(player_id)
        columns = [self.table.c[name] for name in self.by]
        return or_(*(column == player_id for column in columns)) & is_of(columns[0], Who.PLAYER)


_MASTERMIND: Final = Section(
    "mastermind",
    masterminds,
    ("owner_id", "codebreaker_id"),
    parts=(
        Part("turns", schema.games.mastermind_turns.c.game_id),
        Part("hints", schema.games.hints.c.mastermind_id),
        Part("analyses", schema.games.analyses.c.mastermind_id),
    ),
)
_DUELS: Final = Section(
    "duels",
    duels,
    parts=(
        Part("seats", duel_seats.c.duel_id),
        Part("moves", schema.games.duel_moves.c.duel_id),
        Part("analyses", schema.games.analyses.c.duel_id),
    ),
)
SECTIONS: Final = (
    Section("names", players),
    Section("servers", schema.people.members),
    Section("preferences", schema.people.preferences),
    Section("blocked_players", schema.people.blocks),
    Section("time_zones", schema.people.zones, ("subject_id",)),
    Section(
        "focdle",
        plays,
        parts=(
            Part("puzzle", puzzles.c.id, "puzzle_id"),
            Part("guesses", schema.games.guesses.c.play_id),
            Part("hints", schema.games.hints.c.play_id),
            Part("analyses", schema.games.analyses.c.play_id),
        ),
    ),
    Section(
        "equations",
        schema.games.equations,
        ("setter_id", "invited_id"),
        parts=(Part("puzzle", puzzles.c.id, "puzzle_id"),),
        id="puzzle_id",
    ),
    Section(
        "races",
        races,
        parts=(
            Part("seats", schema.games.race_seats.c.race_id),
            Part("guesses", schema.games.race_guesses.c.race_id),
            Part("analyses", schema.games.analyses.c.race_id),
        ),
    ),
    Section("shares", schema.posts.shares),
    Section("posts_of_the_last_hour", schema.people.member_posts),
    Section("running_rows", schema.posts.running_rows),
    Section("always_shares", schema.posts.always_shares),
    Section("streak", schema.games.streaks),
    Section("streak_changes", schema.games.streak_changes),
    _MASTERMIND,
    _DUELS,
    Section("games_for_nothing", schema.bookkeeping.free_games),
    Section("rating", schema.games.ratings),
    Section("rating_changes", schema.games.rating_changes),
    Section("leaderboards", schema.people.standings),
    Section("champion_roles", schema.people.champions),
    Section("leaderboards_to_rebuild", schema.people.standing_rebuilds),
    Section("exclusions", schema.people.exclusions),
    Section("exclusions_of_others", schema.people.exclusions, ("by_id",)),
    Section("kept_out", schema.people.kept_out, ("user_id",)),
    Section("finishers_threads", schema.posts.finishers),
    Section("reminder_plan", schema.posts.reminder_plans),
    Section("reminders", schema.posts.reminders),
    Section("links_to_the_page", schema.people.web_tickets),
    Section("sessions_on_the_page", schema.people.web_sessions),
)
"""All tables with a player's data, in the order of an export."""


@dataclass(frozen=True, slots=True)
class Contents:
    """A player's rows and the ids of their games at one moment, by the names of sections."""

    rows: dict[str, list[Row]]
    games: dict[str, list[int]]


def read_all_but_games(tx: Transaction, player_id: int) -> Contents:
    """Read all rows about a player with all columns; of games only the ids."""
    rows: dict[str, list[Row]] = {}
    games: dict[str, list[int]] = {}
    for section in SECTIONS:
        condition = section.of(player_id)
        if section.parts:
            number = section.table.c[section.id]
            ids = select(number).where(condition).order_by(number)
            games[section.name] = list(tx.scalars(ids))
        else:
            rows[section.name] = _rows(tx, section.table, condition)
    return Contents(rows, games)


def read_games(
    tx: Transaction, player_id: int, section: Section, ids: Collection[int]
) -> list[Row]:
    """Read games by their ids, with the rows of their parts, if they are still the player's."""
    mine = section.table.c[section.id].in_(ids) & section.of(player_id)
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
    """The numbers of a player's rows, by kind.

    Attributes:
        practices: with plays of set equations.
        challenges: challenges to duels and at Mastermind that were not accepted.
        shared: games of Mastermind and duels, also unaccepted ones, with another player.
        others: all other rows, such as name, choices, streak, ratings, races and reminders.
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
        servers=_count(tx, schema.people.members, schema.people.members.c.player_id == player_id),
        others=others,
    )


def _count(tx: Transaction, table: Table, condition: ColumnElement[bool]) -> int:
    query = select(func.count()).select_from(table).where(condition)
    return tx.execute(query).scalar_one()
