"""SQL of members, zones, lengths, choices, posts and declined challenges."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from operator import attrgetter
from typing import Any, Final, Literal

from sqlalchemy import (
    ColumnElement,
    bindparam,
    case,
    column,
    delete,
    exists,
    func,
    insert,
    null,
    or_,
    select,
    type_coerce,
    union_all,
    update,
)

from bot.db import facts, keyed
from bot.db.database import Transaction
from bot.db.keyed import Keyed, columns_of
from bot.db.tables.games import duel_seats, duels, masterminds
from bot.db.tables.people import (
    blocks,
    guild_lengths,
    guilds,
    kept_out,
    member_posts,
    members,
    players,
    preferences,
    recent_deletions,
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


server_choices: Final = Keyed[ServerChoices, int](ServerChoices, guilds)
"""A server's choices; none are stored before the first."""


def was_asked_to_post(tx: Transaction, guild_id: int) -> bool:
    """Return true if a manager was asked whether to post dailies, or a channel is chosen."""
    is_settled = guilds.c.asked_to_post | guilds.c.channel_id.is_not(None)
    return bool(tx.scalar(select(is_settled).where(guilds.c.guild_id == guild_id)))


def put_guild(tx: Transaction, guild_id: int, **values: object) -> None:
    """Store some of a server's choices, by column; its others stay."""
    keyed.put(tx, guilds, {"guild_id": guild_id}, values)


def add_post(tx: Transaction, player_id: int, guild_id: int, posted_at: datetime) -> None:
    values = {"player_id": player_id, "guild_id": guild_id, "posted_at": posted_at}
    tx.execute(insert(member_posts).values(values))


def posted_since(
    tx: Transaction, player_id: int, guild_id: int, instant: datetime
) -> list[datetime]:
    """List when, after an instant, a member posted in a server, in order."""
    query = select(member_posts.c.posted_at).where(
        member_posts.c.player_id == player_id,
        member_posts.c.guild_id == guild_id,
        member_posts.c.posted_at > instant,
    )
    return list(tx.scalars(query.order_by(member_posts.c.posted_at)))


def note_deletion(tx: Transaction, player_id: int, ends_at: datetime) -> None:
    key = {"digest": facts.digest(tx, _DELETED, player_id)}
    keyed.put(tx, recent_deletions, key, {"ends_at": ends_at})


def forget_deletion(tx: Transaction, player_id: int) -> None:
    digest = facts.digest(tx, _DELETED, player_id)
    tx.execute(delete(recent_deletions).where(recent_deletions.c.digest == digest))


def recent_deletion(tx: Transaction, player_id: int, now: datetime) -> datetime | None:
    """Read until when a deletion of a player's data is remembered; None if none is."""
    query = select(recent_deletions.c.ends_at).where(recent_deletions.c.ends_at > now)
    if tx.scalar(query.limit(1)) is None:  # most often nobody's: so no key is made or read
        return None
    return tx.scalar(
        query.where(recent_deletions.c.digest == facts.digest(tx, _DELETED, player_id))
    )


_DELETED: Final = "deleted"
_DECLINED: Final = "declined"
_LAST_DECLINED: Final = select(func.max(column("at", duels.c.finished_at.type))).select_from(
    union_all(
        select(duels.c.finished_at.label("at"))
        .join_from(duels, duel_seats)
        .where(
            duels.c.finished_at > bindparam("since"),
            duels.c.ending == _DECLINED,
            duels.c.challenger_id == bindparam("challenger"),
            duel_seats.c.player_id == bindparam("other"),
        ),
        select(masterminds.c.finished_at.label("at")).where(
            masterminds.c.finished_at > bindparam("since"),
            masterminds.c.ending == _DECLINED,
            masterminds.c.owner_id == bindparam("challenger"),
            masterminds.c.codebreaker_id == bindparam("other"),
        ),
    ).subquery()
)


def last_declined(
    tx: Transaction, challenger_id: int, other_id: int, since: datetime
) -> datetime | None:
    """Read when a player last declined a challenge of another's; None if not after `since`."""
    values = {"challenger": challenger_id, "other": other_id, "since": since}
    return tx.scalar(_LAST_DECLINED, values)


def drop_unseen(tx: Transaction, game: Literal["duel", "mastermind"], game_id: int) -> None:
    """Delete a game that was not accepted, has not ended, and has no board."""
    games = duels if game == "duel" else masterminds
    unseen = (games.c.accepted_at.is_(None), games.c.finished_at.is_(None))
    change = delete(games).where(games.c.id == game_id, *unseen, games.c.message_id.is_(None))
    tx.execute(change)


_TAKES_NONE: Final = select(
    exists().where(preferences.c.player_id == bindparam("player"), preferences.c.no_challenges)
)
_BLOCKED: Final = select(
    or_(
        exists().where(
            blocks.c.player_id == bindparam("player"), blocks.c.blocked_id == bindparam("other")
        ),
        exists().where(kept_out.c.user_id == bindparam("player")),
    )
)


def is_unwanted(tx: Transaction, player_id: int, challenger_id: int) -> bool:
    """Return true if a player is kept out, takes no challenges, or has blocked the challenger."""
    takes_none = tx.scalar(_TAKES_NONE, {"player": player_id})
    return bool(takes_none) or is_blocked(tx, player_id, challenger_id)


def is_blocked(tx: Transaction, player_id: int, other_id: int) -> bool:
    """Return true if a player is kept out, or has blocked another."""
    return bool(tx.scalar(_BLOCKED, {"player": player_id, "other": other_id}))


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


def count_seen(tx: Transaction, since: datetime) -> int:
    """Count the players who have done something since then."""
    query = select(func.count()).select_from(players).where(players.c.seen_at >= since)
    return int(tx.scalar(query) or 0)


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


def get_languages(tx: Transaction, player_id: int) -> tuple[str | None, str | None]:
    """Read the language that a player has chosen, and the one in which they were last answered."""
    chosen, spoken = (
        select(table.c.language).where(table.c.player_id == player_id).scalar_subquery()
        for table in (preferences, players)
    )
    found = tx.execute(select(chosen, spoken)).one()
    return found[0], found[1]


def put_spoken(tx: Transaction, player_id: int, language: str) -> bool:
    """Store in which language a player was answered; return true if it was another before."""
    is_other = players.c.language.is_distinct_from(language)
    change = update(players).where(players.c.player_id == player_id, is_other)
    return tx.execute(change.values(language=language)).rowcount > 0


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


def servers_of(tx: Transaction, player_id: int, most: int) -> list[int]:
    """List up to `most` servers of which a player is a stored member, the last seen first."""
    query = select(members.c.guild_id).where(members.c.player_id == player_id)
    return list(tx.scalars(query.order_by(members.c.seen_at.desc()).limit(most)))


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
