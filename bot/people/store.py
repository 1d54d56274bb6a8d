"""SQL of members, zones, lengths, choices and invitations."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from operator import attrgetter
from typing import Any, Final, Literal

from sqlalchemy import (
    ColumnElement,
    Select,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    null,
    or_,
    select,
    type_coerce,
    union_all,
    update,
)

from bot.db import keyed
from bot.db.database import Transaction
from bot.db.keyed import Keyed, columns_of
from bot.db.tables.games import CHALLENGES, duel_seats, duels, equations, masterminds, puzzles
from bot.db.tables.people import (
    blocks,
    guild_lengths,
    guilds,
    kept_out,
    members,
    players,
    preferences,
    zones,
)
from bot.people.model import (
    Blocked,
    Calendar,
    Choices,
    Face,
    LengthChange,
    ServerChoices,
    ZoneChange,
    face_of,
)

choices: Final = Keyed[Choices, int](Choices, preferences)
"""A player's choices; none are stored before the first."""


def hides(player_id: ColumnElement[Any] | int) -> ColumnElement[bool]:
    """Match players who hide themselves, or whom the host keeps out."""
    return or_(
        exists().where(preferences.c.player_id == player_id, preferences.c.hidden),
        exists().where(kept_out.c.user_id == player_id),
    )


def is_hidden(tx: Transaction, player_id: int) -> bool:
    return bool(tx.scalar(select(hides(player_id))))


Subject = Literal["guild", "player"]

_ZONE_COLUMNS: Final = columns_of(ZoneChange, zones)
_LENGTH_COLUMNS: Final = columns_of(LengthChange, guild_lengths)


def get_zones(tx: Transaction, subject: Subject, subject_id: int) -> list[ZoneChange]:
    """Read all past and coming zones of a server or player, in the order in which they hold."""
    theirs = (zones.c.subject == subject, zones.c.subject_id == subject_id)
    query = select(*_ZONE_COLUMNS).where(*theirs).order_by(zones.c.effective_at)
    return [ZoneChange(*row) for row in tx.execute(query)]


_ZONES_AROUND: Final = (
    select(zones.c.subject, zones.c.subject_id, *_ZONE_COLUMNS)
    .where(
        or_(
            (zones.c.subject == "player") & (zones.c.subject_id == bindparam("player")),
            (zones.c.subject == "guild")
            & zones.c.subject_id.in_(bindparam("guilds", expanding=True)),
        )
    )
    .order_by(zones.c.effective_at)
)


def get_zones_around(
    tx: Transaction, player_id: int, guild_ids: Collection[int]
) -> dict[int | None, list[ZoneChange]]:
    """Map these servers to all their past and coming zones, in order, and None to the player's."""
    values = {"player": player_id, "guilds": list(guild_ids)}
    found: dict[int | None, list[ZoneChange]] = {
        None: [],
        **{guild_id: [] for guild_id in guild_ids},
    }
    rows: Sequence[Any] = tx.execute(_ZONES_AROUND, values).all()
    for subject, subject_id, *row in rows:
        found[subject_id if subject == "guild" else None].append(ZoneChange(*row))
    return found


def put_zone(tx: Transaction, subject: Subject, subject_id: int, row: ZoneChange) -> None:
    """Store a zone change, in place of those that would come into force then or later."""
    drop_zones(tx, subject, subject_id, since=row.effective_at)
    values = {"subject": subject, "subject_id": subject_id, **asdict(row)}
    tx.execute(insert(zones).values(values))


def drop_zones(tx: Transaction, subject: Subject, subject_id: int, *, since: datetime) -> None:
    tx.execute(
        delete(zones).where(
            zones.c.subject == subject,
            zones.c.subject_id == subject_id,
            zones.c.effective_at >= since,
        )
    )


def drop_zone(tx: Transaction, subject: Subject, subject_id: int, effective_at: datetime) -> None:
    tx.execute(
        delete(zones).where(
            zones.c.subject == subject,
            zones.c.subject_id == subject_id,
            zones.c.effective_at == effective_at,
        )
    )


def get_lengths(tx: Transaction, guild_id: int) -> list[LengthChange]:
    """Read all past and coming lengths of a server's daily, in the order in which they hold."""
    query = select(*_LENGTH_COLUMNS).where(guild_lengths.c.guild_id == guild_id)
    rows = tx.execute(query.order_by(guild_lengths.c.from_day))
    return [LengthChange(*row) for row in rows]


def _nulls(columns: Iterable[ColumnElement[Any]]) -> list[ColumnElement[Any]]:
    return [type_coerce(null(), column.type).label(column.key) for column in columns]


_CALENDARS: Final = union_all(
    select(zones.c.subject_id.label("guild_id"), *_ZONE_COLUMNS, *_nulls(_LENGTH_COLUMNS)).where(
        zones.c.subject == "guild", zones.c.subject_id.in_(bindparam("guilds", expanding=True))
    ),
    select(guild_lengths.c.guild_id, *_nulls(_ZONE_COLUMNS), *_LENGTH_COLUMNS).where(
        guild_lengths.c.guild_id.in_(bindparam("guilds", expanding=True))
    ),
)


def get_calendars(tx: Transaction, guild_ids: Collection[int]) -> dict[int, Calendar]:
    """Map these servers to all their past and coming zones and lengths, in order."""
    zone_changes: dict[int, list[ZoneChange]] = {guild_id: [] for guild_id in guild_ids}
    length_changes: dict[int, list[LengthChange]] = {guild_id: [] for guild_id in guild_ids}
    rows: Sequence[Any] = tx.execute(_CALENDARS, {"guilds": list(guild_ids)}).all()
    for guild_id, *zone, length, from_day in rows:
        if length is None:
            zone_changes[guild_id].append(ZoneChange(*zone))
        else:
            length_changes[guild_id].append(LengthChange(length, from_day))
    return {
        guild_id: Calendar(
            sorted(zone_changes[guild_id], key=attrgetter("effective_at")),
            sorted(length_changes[guild_id], key=attrgetter("from_day")),
        )
        for guild_id in guild_ids
    }


def put_length(tx: Transaction, guild_id: int, row: LengthChange) -> None:
    """Store a length change, in place of those that would begin on its date or later."""
    drop_lengths(tx, guild_id, since=row.from_day)
    values = {"guild_id": guild_id, "from_day": row.from_day, "length": row.length}
    tx.execute(insert(guild_lengths).values(values))


def drop_lengths(tx: Transaction, guild_id: int, *, since: date) -> None:
    tx.execute(
        delete(guild_lengths).where(
            guild_lengths.c.guild_id == guild_id, guild_lengths.c.from_day >= since
        )
    )


def drop_length(tx: Transaction, guild_id: int, from_day: date) -> None:
    theirs = (guild_lengths.c.guild_id == guild_id, guild_lengths.c.from_day == from_day)
    tx.execute(delete(guild_lengths).where(*theirs))


server_choices: Final = Keyed[ServerChoices, int](ServerChoices, guilds)
"""A server's choices; none are stored before the first."""


def was_asked_to_post(tx: Transaction, guild_id: int) -> bool:
    """Return true if a manager was asked whether to post dailies, or a channel is chosen."""
    is_settled = guilds.c.asked_to_post | guilds.c.channel_id.is_not(None)
    return bool(tx.scalar(select(is_settled).where(guilds.c.guild_id == guild_id)))


def put_guild(tx: Transaction, guild_id: int, **values: object) -> None:
    """Store some of a server's choices, by column; its others stay."""
    keyed.put(tx, guilds, {"guild_id": guild_id}, values)


_DECLINED: Final = "declined"


@dataclass(frozen=True, slots=True)
class InvitationRow:
    """A challenge to a duel or at Mastermind, or a set equation that pings a member.

    `is_rematch` is true for the rematch of a duel that was played.
    """

    challenger_id: int
    opened_at: datetime
    accepted_at: datetime | None
    declined_at: datetime | None
    is_rematch: bool


def _columns(table: Any, challenger: Any, rematch: Any) -> tuple[Any, ...]:
    is_declined = table.c.ending == _DECLINED
    return (
        challenger.label("challenger_id"),
        table.c.opened_at,
        table.c.accepted_at,
        case((is_declined, table.c.finished_at)).label("declined_at"),
        rematch.label("is_rematch"),
    )


# Ids grow with time, so only a player's latest duels are read. Of duels opened in the same instant
# this finds the first, in whatever order the database returns them.
_FIRST_DUEL: Final = (
    select(duels.c.id)
    .where(duels.c.opened_at > bindparam("since"))
    .order_by(duels.c.opened_at, duels.c.id)
    .limit(1)
    .scalar_subquery()
)
_SEATS: Final = duel_seats.alias("seats")
_OTHERS: Final = duel_seats.alias("others")

_BEFORE: Final = duels.alias("before")
_IS_REMATCH: Final = (
    exists()
    .where(_BEFORE.c.id == duels.c.rematch_of, _BEFORE.c.playing_at.is_not(None))
    .correlate(duels)
)


def _duels_of(player: str) -> Select[*tuple[Any, ...]]:
    """Select a player's duels opened after the time that is bound as `since`.

    `player` is the name under which the player's id is bound.
    """
    columns = _columns(duels, duels.c.challenger_id, _IS_REMATCH)
    return (
        select(*columns)
        .join_from(_SEATS, duels, duels.c.id == _SEATS.c.duel_id)
        .where(_SEATS.c.player_id == bindparam(player), _SEATS.c.duel_id >= _FIRST_DUEL)
        .where(duels.c.opened_at > bindparam("since"))
    )


def _masterminds_to(breaker: str) -> Select[*tuple[Any, ...]]:
    """Select recent challenges at Mastermind to the player whose id is bound under this name."""
    return select(*_columns(masterminds, masterminds.c.owner_id, literal(False))).where(
        CHALLENGES,
        masterminds.c.codebreaker_id == bindparam(breaker),
        masterminds.c.opened_at > bindparam("since"),
    )


def _equations_for(*which: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """Select recent set equations that ping a player, and meet these conditions."""
    return select(
        equations.c.setter_id.label("challenger_id"),
        equations.c.opened_at,
        equations.c.accepted_at,
        type_coerce(null(), equations.c.accepted_at.type).label("declined_at"),
        literal(False).label("is_rematch"),
    ).where(equations.c.invited_id.is_not(None), equations.c.opened_at > bindparam("since"), *which)


_BETWEEN: Final = union_all(
    _duels_of("one")
    .join(_OTHERS, _OTHERS.c.duel_id == duels.c.id)
    .where(_OTHERS.c.player_id == bindparam("other")),
    _masterminds_to("one").where(masterminds.c.owner_id == bindparam("other")),
    _masterminds_to("other").where(masterminds.c.owner_id == bindparam("one")),
    _equations_for(
        equations.c.invited_id == bindparam("one"), equations.c.setter_id == bindparam("other")
    ),
    _equations_for(
        equations.c.invited_id == bindparam("other"), equations.c.setter_id == bindparam("one")
    ),
)


def between(tx: Transaction, one: int, other: int, since: datetime) -> list[InvitationRow]:
    """List the invitations between two players since an instant, whoever made them, in no order."""
    values = {"one": one, "other": other, "since": since}
    return [InvitationRow(*row) for row in tx.execute(_BETWEEN, values)]


_UNANSWERED: Final = select(func.count()).select_from(
    union_all(
        _duels_of("player").where(
            duels.c.challenger_id != bindparam("player"),
            duels.c.accepted_at.is_(None),
            or_(duels.c.ending.is_(None), duels.c.ending != _DECLINED),
            or_(
                duels.c.opened_at > bindparam("of_late"),
                duels.c.finished_at.is_(None) & (duels.c.deadline_at > bindparam("now")),
            ),
            duels.c.id != bindparam("besides"),
        ),
        _masterminds_to("player").where(
            masterminds.c.accepted_at.is_(None),
            or_(masterminds.c.ending.is_(None), masterminds.c.ending != _DECLINED),
            or_(
                masterminds.c.opened_at > bindparam("of_late"),
                masterminds.c.finished_at.is_(None)
                & (masterminds.c.deadline_at > bindparam("now")),
            ),
        ),
        _equations_for(
            equations.c.invited_id == bindparam("player"),
            equations.c.accepted_at.is_(None),
            or_(
                equations.c.opened_at > bindparam("of_late"),
                exists().where(
                    puzzles.c.id == equations.c.puzzle_id, puzzles.c.closes_at > bindparam("now")
                ),
            ),
        ),
    ).subquery()
)


def count_unanswered(
    tx: Transaction,
    player_id: int,
    *,
    since: datetime,
    of_late: datetime,
    now: datetime,
    besides: int,
) -> int:
    """Count the invitations to a player that were neither accepted nor declined.

    Those made since `of_late` count even if they are over; older ones, made since `since`, only
    while they are open. The duel `besides` does not count.
    """
    values = {
        "player": player_id,
        "since": since,
        "of_late": of_late,
        "now": now,
        "besides": besides,
    }
    return tx.scalar(_UNANSWERED, values) or 0


_MADE: Final = union_all(
    _duels_of("player").where(
        duels.c.challenger_id == bindparam("player"),
        duels.c.strength.is_(None),
        duels.c.accepted_at.is_(None),
        duels.c.id != bindparam("besides"),
        ~_IS_REMATCH,
    ),
    select(*_columns(masterminds, masterminds.c.owner_id, literal(False))).where(
        CHALLENGES,
        masterminds.c.owner_id == bindparam("player"),
        masterminds.c.opened_at > bindparam("since"),
        masterminds.c.accepted_at.is_(None),
    ),
    _equations_for(equations.c.setter_id == bindparam("player"), equations.c.accepted_at.is_(None)),
)


def made_by(
    tx: Transaction, player_id: int, since: datetime, *, besides: int = 0
) -> list[datetime]:
    """List the times, in order, at which a player made invitations that are not accepted.

    Only those made after `since` are listed, without rematches and the duel `besides`.
    """
    values = {"player": player_id, "since": since, "besides": besides}
    return sorted(InvitationRow(*row).opened_at for row in tx.execute(_MADE, values))


def is_rematch(tx: Transaction, duel_id: int) -> bool:
    return bool(tx.scalar(select(_IS_REMATCH).where(duels.c.id == duel_id)))


def drop_unseen(tx: Transaction, game: Literal["duel", "mastermind"], game_id: int) -> None:
    """Delete a game that was not accepted, has not ended, and has no board."""
    games = duels if game == "duel" else masterminds
    unseen = (games.c.accepted_at.is_(None), games.c.finished_at.is_(None))
    change = delete(games).where(games.c.id == game_id, *unseen, games.c.message_id.is_(None))
    tx.execute(change)


_UNWANTED: Final = select(
    or_(
        exists().where(preferences.c.player_id == bindparam("player"), preferences.c.no_challenges),
        exists().where(
            blocks.c.player_id == bindparam("player"), blocks.c.blocked_id == bindparam("other")
        ),
        exists().where(kept_out.c.user_id == bindparam("player")),
    )
)


def is_unwanted(tx: Transaction, player_id: int, challenger_id: int) -> bool:
    """Return true if a player is kept out, takes no challenges, or has blocked the challenger."""
    return bool(tx.scalar(_UNWANTED, {"player": player_id, "other": challenger_id}))


def block(tx: Transaction, player_id: int, blocked_id: int, blocked_at: datetime) -> None:
    """Store that a player wants no challenges from another; a second time changes nothing."""
    theirs = (blocks.c.player_id == player_id, blocks.c.blocked_id == blocked_id)
    if not tx.scalar(select(exists().where(*theirs))):
        values = {"player_id": player_id, "blocked_id": blocked_id, "blocked_at": blocked_at}
        tx.execute(insert(blocks).values(values))


def unblock(tx: Transaction, player_id: int, blocked_id: int) -> None:
    tx.execute(
        delete(blocks).where(blocks.c.player_id == player_id, blocks.c.blocked_id == blocked_id)
    )


def blocked(tx: Transaction, player_id: int) -> list[Blocked]:
    """List the players whose challenges a player does not want, the last blocked first."""
    query = (
        select(blocks.c.blocked_id, blocks.c.blocked_at)
        .where(blocks.c.player_id == player_id)
        .order_by(blocks.c.blocked_at.desc(), blocks.c.blocked_id)
    )
    return [Blocked(*row) for row in tx.execute(query)]


@dataclass(frozen=True, slots=True)
class NameRow:
    """A player's name, when they were last seen, and when the bot last asked Discord about them.

    `looked_up_at` is about one server. It is None in a row of `names`.
    """

    name: str
    seen_at: datetime
    looked_up_at: datetime | None = None


_SEEN: Final[dict[str, ColumnElement[Any]]] = {
    "name": bindparam("called"),
    "seen_at": bindparam("now"),
    "avatar": case(
        (hides(bindparam("player")), null()), else_=bindparam("shown", type_=players.c.avatar.type)
    ),
}
_SEE_AGAIN: Final = update(players).where(players.c.player_id == bindparam("player")).values(_SEEN)
_SEE_FIRST: Final = insert(players).values(player_id=bindparam("player"), **_SEEN)


def see_player(
    tx: Transaction, player_id: int, name: str, avatar: str | None, seen_at: datetime
) -> None:
    """Store a player's name, `seen_at` and, unless they hide or are kept out, their avatar."""
    values = {"player": player_id, "called": name, "shown": avatar, "now": seen_at}
    if not tx.execute(_SEE_AGAIN, values).rowcount:
        tx.execute(_SEE_FIRST, values)


def forget_avatar(tx: Transaction, player_id: int) -> None:
    tx.execute(update(players).where(players.c.player_id == player_id).values(avatar=None))


def forget_avatars(tx: Transaction) -> None:
    tx.execute(update(players).where(players.c.avatar.is_not(None)).values(avatar=None))


def face(tx: Transaction, player_id: int) -> Face | None:
    return faces(tx, [player_id]).get(player_id)


def faces(tx: Transaction, player_ids: Collection[int]) -> dict[int, Face]:
    query = select(players.c.player_id, players.c.avatar).where(
        players.c.player_id.in_(player_ids), players.c.avatar.is_not(None)
    )
    found = (face_of(*row) for row in tx.execute(query))
    return {face.player_id: face for face in found if face is not None}


def see_member(
    tx: Transaction, guild_id: int, player_id: int, name: str, seen_at: datetime
) -> bool:
    """Store a member's name and when they were seen; return true if they are new in the server."""
    key = {"guild_id": guild_id, "player_id": player_id}
    return keyed.put(tx, members, key, {"name": name, "seen_at": seen_at})


def rename(tx: Transaction, guild_id: int, player_id: int, name: str) -> None:
    change = update(members).where(members.c.guild_id == guild_id, members.c.player_id == player_id)
    tx.execute(change.values(name=name))


def note_look_up(
    tx: Transaction, guild_id: int, player_ids: Collection[int], looked_up_at: datetime
) -> None:
    """Store when Discord was asked about these members."""
    change = update(members).where(
        members.c.guild_id == guild_id, members.c.player_id.in_(player_ids)
    )
    tx.execute(change.values(looked_up_at=looked_up_at))


def remove(tx: Transaction, guild_id: int, player_id: int) -> bool:
    """Delete a player's membership in a server; return true if there was one."""
    those = (members.c.guild_id == guild_id, members.c.player_id == player_id)
    return tx.execute(delete(members).where(*those)).rowcount > 0


_THEIRS: Final = members.alias("theirs")
_COMMON: Final = (
    select(members.c.guild_id)
    .join(_THEIRS, _THEIRS.c.guild_id == members.c.guild_id)
    .where(members.c.player_id == bindparam("one"), _THEIRS.c.player_id == bindparam("other"))
    .limit(1)
)


def share_server(tx: Transaction, one: int, other: int) -> bool:
    """Return true if two players are stored as members of one server."""
    return tx.scalar(_COMMON, {"one": one, "other": other}) is not None


def names_in(tx: Transaction, guild_id: int, player_ids: Collection[int]) -> dict[int, NameRow]:
    """Map players to their names in a server; players who are no members there are left out."""
    query = select(members.c.player_id, *columns_of(NameRow, members)).where(
        members.c.guild_id == guild_id, members.c.player_id.in_(player_ids)
    )
    rows: Sequence[Any] = tx.execute(query).all()
    return {player_id: NameRow(*row) for player_id, *row in rows}


def names(tx: Transaction, player_ids: Collection[int]) -> dict[int, NameRow]:
    """Map players to their names as last seen anywhere; players never seen are left out."""
    query = select(players.c.player_id, players.c.name, players.c.seen_at).where(
        players.c.player_id.in_(player_ids)
    )
    return {row.player_id: NameRow(*row[1:]) for row in tx.execute(query)}
