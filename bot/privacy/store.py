"""SQL of those who are named anywhere, and of all rows about a player, table by table."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import BigInteger, Column, ColumnElement, Table, exists, func, or_, select, union

from bot.db import tables as schema
from bot.db.database import Transaction
from bot.db.tables.games import duel_seats, duels, masterminds, plays, puzzles
from bot.db.tables.kinds import IdOf, is_of, naming
from bot.db.tables.people import players
from bot.duels import store as duels_store
from bot.feature import Row, Section
from bot.features import CODES, PUZZLES


def known(tx: Transaction, whom: IdOf) -> set[int]:
    """List the ids of all players, or of all servers, that are named in any table.

    It scans whole tables: call it only where nobody waits.
    """
    # Stand-ins are below 0, and 0 is no server.
    named = (select(c.label("id")).where(c > 0, is_of(c, whom)) for c in naming(whom))
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


def _hide_author(row: Row, _player_id: str, _now: datetime) -> None:
    del row["by_id"]


def _hide_excluded(row: Row, _player_id: str, _now: datetime) -> None:
    del row["player_id"], row["met_at"]


SECTIONS: Final = (
    Section("names", players),
    Section("servers", schema.people.members),
    Section("preferences", schema.people.preferences),
    Section("blocked_players", schema.people.blocks),
    Section("time_zones", schema.people.zones, ("subject_id",)),
    *(section for feature in PUZZLES for section in feature.sections),
    Section("shares", schema.posts.shares),
    Section("posts_of_the_last_hour", schema.people.member_posts),
    Section("card_rows", schema.posts.card_rows),
    Section("always_shares", schema.posts.always_shares),
    Section("streak", schema.games.streaks),
    Section("streak_changes", schema.games.streak_changes),
    *(section for feature in CODES for section in feature.sections),
    Section("free_games", schema.bookkeeping.free_games),
    Section("rating", schema.games.ratings),
    Section("rating_changes", schema.games.rating_changes),
    Section("leaderboards", schema.people.standings),
    Section("champion_roles", schema.people.champions),
    Section("leaderboards_to_rebuild", schema.people.standing_rebuilds),
    Section("exclusions", schema.people.exclusions, redact=_hide_author),
    Section("exclusions_of_others", schema.people.exclusions, ("by_id",), redact=_hide_excluded),
    Section("kept_out", schema.people.kept_out, ("user_id",)),
    Section("finishers_threads", schema.posts.finishers),
    Section("reminder_plan", schema.posts.reminder_plans),
    Section("reminders", schema.posts.reminders),
    Section("links_to_the_page", schema.people.web_tickets),
    Section("sessions_on_the_page", schema.people.web_sessions),
    Section("posts_from_the_page", schema.people.web_posts),
)
"""All tables with a player's data, in the order of an export."""


def rows_of(section: Section, player_id: int) -> ColumnElement[bool]:
    """Match a section's rows about a player."""
    if section.where is not None:
        return section.where(player_id)
    columns = [section.table.c[name] for name in section.by]
    return or_(*(column == player_id for column in columns)) & is_of(columns[0], IdOf.PLAYER)


@dataclass(frozen=True, slots=True)
class PlayerRows:
    """A player's rows and the ids of their games at one moment, by the names of sections."""

    rows: dict[str, list[Row]]
    games: dict[str, list[int]]


def read_all_but_games(tx: Transaction, player_id: int) -> PlayerRows:
    """Read all rows about a player with all columns; of games only the ids."""
    rows: dict[str, list[Row]] = {}
    games: dict[str, list[int]] = {}
    for section in SECTIONS:
        condition = rows_of(section, player_id)
        if section.parts:
            number = section.table.c[section.id]
            ids = select(number).where(condition).order_by(number)
            games[section.name] = list(tx.scalars(ids))
        else:
            rows[section.name] = _rows(tx, section.table, condition)
    return PlayerRows(rows, games)


def read_games(
    tx: Transaction, player_id: int, section: Section, ids: Collection[int]
) -> list[Row]:
    """Read games by their ids, with the rows of their parts, if they are still the player's."""
    mine = section.table.c[section.id].in_(ids) & rows_of(section, player_id)
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
    seated = duels_store.names(player_id)
    mine = or_(masterminds.c.owner_id == player_id, masterminds.c.codebreaker_id == player_id)
    never_begun = duels.c.strength.is_(None) & duels.c.accepted_at.is_(None)
    unaccepted = (masterminds.c.kind == "challenge") & masterminds.c.accepted_at.is_(None)
    two_players = masterminds.c.owner_id != masterminds.c.codebreaker_id
    counted = {"focdle", "mastermind", "duels", "servers"}
    others = 0
    for section in SECTIONS:
        if section.name not in counted:
            others += _count(tx, section.table, rows_of(section, player_id))
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
