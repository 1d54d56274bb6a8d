"""SQL of exclusions, and who is shown in a server."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    type_coerce,
    union_all,
    update,
)

from bot.db import facts
from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.tables.people import exclusions, kept_out, members, preferences
from bot.moderation.model import Cause, Exclusion, Off, keyed_hash
from bot.people.store import hides

_KEY: Final = "moderation_key"
_BYTES: Final = 32


def key_of(tx: Transaction) -> str:
    """Return the secret key of digests that outlive deletions; the first call makes it."""
    key = facts.get(tx, _KEY)
    if key is None:
        key = secrets.token_hex(_BYTES)
        facts.put(tx, _KEY, key)
    return key


# Who is shown in a server: its members who neither hide nor are taken off.


def is_off(guild_id: Any, player_id: Any) -> ColumnElement[bool]:
    """Match players who are off a server's leaderboards now."""
    return exists().where(*_of(guild_id, player_id), exclusions.c.is_on)


def is_off_on(guild_id: Any, player_id: Any, day: Any) -> ColumnElement[bool]:
    """Match players whose results of a date managers keep off a server's leaderboards."""
    return exists().where(*_of(guild_id, player_id), *_has(day))


def is_unnamed(guild_id: Any, player_id: Any) -> ColumnElement[bool]:
    """Match players whom a server's messages do not name: hidden, kept out or taken off."""
    return or_(hides(player_id), is_off(guild_id, player_id))


def is_shown(guild_id: Any, player_id: Any) -> ColumnElement[bool]:
    """Match a server's members on its leaderboards: neither hidden, nor kept out, nor taken off."""
    is_member = exists().where(members.c.guild_id == guild_id, members.c.player_id == player_id)
    return is_member & ~is_unnamed(guild_id, player_id)


def leaves_unnamed(tx: Transaction, guild_id: int, player_id: int) -> bool:
    """Return true if a server's messages do not name a player."""
    return bool(tx.scalar(select(is_unnamed(guild_id, player_id))))


def players_off(tx: Transaction, guild_id: int, day: date) -> set[int]:
    """Return the players whom managers keep off a server's leaderboards on a date."""
    query = select(exclusions.c.player_id).where(exclusions.c.guild_id == guild_id, *_has(day))
    return {player_id for player_id in tx.scalars(query) if player_id is not None}


def _of(guild_id: Any, player_id: Any) -> tuple[ColumnElement[bool], ...]:
    return exclusions.c.guild_id == guild_id, exclusions.c.player_id == player_id


def _has(day: Any) -> tuple[ColumnElement[bool], ...]:
    until = exclusions.c.until_day
    return exclusions.c.from_day <= day, until.is_(None) | (until > day)


def cause_on(tx: Transaction, guild_id: int, player_id: int, day: date) -> Cause | None:
    """Return why managers keep a player's results of a date off leaderboards; else None."""
    query = select(exclusions.c.cause).where(*_of(guild_id, player_id), *_has(day))
    found = tx.scalar(query.limit(1))
    return None if found is None else Cause(found)


def cause_now(
    tx: Transaction, guild_id: int, player_id: int, last_day: date | None
) -> Cause | None:
    """Return why a player is off a leaderboard now; None if they are not.

    `last_day` is the last date of the leaderboard, or None if it has none.
    """
    query = select(exclusions.c.cause).where(*_of(guild_id, player_id), exclusions.c.is_on)
    if last_day is not None:
        query = query.where(exclusions.c.from_day <= last_day)
    found = tx.scalar(query.limit(1))
    return None if found is None else Cause(found)


_NONE: Final = [type_coerce(None, exclusions.c[name].type) for name in ("from_day", "until_day")]
_IS_THEIRS: Final = (exclusions.c.guild_id == members.c.guild_id) & (
    exclusions.c.player_id == members.c.player_id
)
_THERE: Final = (
    select(members.c.guild_id, *columns_of(Off, exclusions))
    .outerjoin_from(members, exclusions, _IS_THEIRS)
    .where(members.c.player_id == bindparam("player"), ~hides(bindparam("player")))
)
_ACROSS: Final = select(
    bindparam("everywhere", type_=members.c.guild_id.type),
    *_NONE,
    type_coerce(None, exclusions.c.is_on.type),
).where(
    preferences.c.player_id == bindparam("player"),
    preferences.c.on_global_boards,
    ~hides(bindparam("player")),
)
_SHOWN_IN: Final = union_all(_THERE, _ACROSS)


def shown_in(tx: Transaction, player_id: int, everywhere: int) -> dict[int, list[Off]]:
    """Map each server of a player to the player's exclusions there, which may be none.

    The map is empty if the player is hidden or kept out. It also has the key `everywhere`, without
    exclusions, if the player is on the leaderboards across servers.
    """
    found: dict[int, list[Off]] = {}
    values = {"player": player_id, "everywhere": everywhere}
    rows: Sequence[Any] = tx.execute(_SHOWN_IN, values).all()
    for guild_id, from_day, until_day, is_on in rows:
        there = found.setdefault(guild_id, [])
        if from_day is not None:
            there.append(Off(from_day, until_day, is_on))
    return found


# Exclusions. They outlive a deletion of the player's data: then a digest stands for the player,
# until the server sees them again.

_COLUMNS: Final = columns_of(Exclusion, exclusions)
_LASTS: Final = exclusions.c.until_day.is_(None)


def add(
    tx: Transaction, guild_id: int, player_id: int, *, look_at: datetime, **values: object
) -> None:
    digest = _digest(tx, guild_id, player_id)
    row = {"guild_id": guild_id, "player_id": player_id, "digest": digest, "look_at": look_at}
    tx.execute(insert(exclusions).values(**row, **values))


def _digest(tx: Transaction, guild_id: int, player_id: int) -> str:
    return keyed_hash(key_of(tx), "member", (guild_id, player_id))


def change(tx: Transaction, exclusion_id: int, **values: object) -> None:
    tx.execute(update(exclusions).where(exclusions.c.id == exclusion_id).values(values))


def drop(tx: Transaction, exclusion_id: int) -> None:
    tx.execute(delete(exclusions).where(exclusions.c.id == exclusion_id))


def get(tx: Transaction, guild_id: int, exclusion_id: int) -> Exclusion | None:
    """Return an exclusion; None if it is undone, deleted, or another server's."""
    mine = (exclusions.c.id == exclusion_id, exclusions.c.guild_id == guild_id)
    return _one(tx, *mine, _LASTS)


def is_of(tx: Transaction, found: Exclusion, player_id: int) -> bool:
    """Return true if an exclusion is a player's, even from before their data were deleted."""
    mine = _has_digest_of(tx, found.guild_id, player_id)
    return bool(tx.scalar(select(mine).where(exclusions.c.id == found.id)))


def _has_digest_of(tx: Transaction, guild_id: int, player_id: int) -> ColumnElement[bool]:
    return exclusions.c.digest == _digest(tx, guild_id, player_id)


def last_of(tx: Transaction, guild_id: int, player_id: int) -> tuple[Exclusion, date | None] | None:
    """Return a player's last exclusion in a server, with its `until_day`; None without any.

    It is found even if the player has deleted their data since.
    """
    mine = (exclusions.c.guild_id == guild_id, _has_digest_of(tx, guild_id, player_id))
    query = select(*_COLUMNS, exclusions.c.until_day).where(*mine)
    row = tx.execute(query.order_by(exclusions.c.from_day.desc()).limit(1)).one_or_none()
    return None if row is None else (_read(row[:-1]), row.until_day)


def _one(tx: Transaction, *which: ColumnElement[bool]) -> Exclusion | None:
    row = tx.execute(select(*_COLUMNS).where(*which)).one_or_none()
    return None if row is None else _read(row)


def _read(row: Any) -> Exclusion:
    number, guild_id, player_id, cause, *rest = row
    return Exclusion(number, guild_id, player_id, Cause(cause), *rest)


def count(tx: Transaction, guild_id: int) -> int:
    query = select(func.count()).where(exclusions.c.guild_id == guild_id, _LASTS)
    return tx.scalar(query) or 0


def page(tx: Transaction, guild_id: int, *, offset: int, most: int) -> list[Exclusion]:
    """List a server's exclusions that are not undone, the latest first."""
    query = select(*_COLUMNS).where(exclusions.c.guild_id == guild_id, _LASTS)
    newest = query.order_by(exclusions.c.made_at.desc(), exclusions.c.id.desc())
    return [_read(row) for row in tx.execute(newest.offset(offset).limit(most))]


@dataclass(frozen=True, slots=True)
class DueRow:
    """An exclusion that is due to begin or to end."""

    id: int
    guild_id: int
    from_day: date
    until_day: date | None


def due(tx: Transaction, now: datetime, most: int) -> list[int]:
    """List players with exclusions that are due to begin or to end, at most `most`."""
    query = select(exclusions.c.player_id).where(
        exclusions.c.look_at <= now, exclusions.c.player_id.is_not(None)
    )
    return list(tx.scalars(query.distinct().limit(most)))


def due_of(tx: Transaction, player_id: int, now: datetime) -> list[DueRow]:
    query = select(*columns_of(DueRow, exclusions)).where(
        exclusions.c.player_id == player_id, exclusions.c.look_at <= now
    )
    return [DueRow(*row) for row in tx.execute(query)]


def put_off(tx: Transaction, player_id: int, later: datetime) -> None:
    mine = (exclusions.c.player_id == player_id, exclusions.c.look_at < later)
    tx.execute(update(exclusions).where(*mine).values(look_at=later))


def untold(tx: Transaction) -> list[tuple[int, int]]:
    """List server and player of each exclusion that the player is still to be told of."""
    query = select(exclusions.c.guild_id, exclusions.c.player_id).where(
        ~exclusions.c.is_told, exclusions.c.player_id.is_not(None), _LASTS
    )
    return [(row.guild_id, row.player_id) for row in tx.execute(query)]


def tell(tx: Transaction, guild_id: int, player_id: int) -> Exclusion | None:
    """Return the exclusion that a player is still to be told of, now marked as told; else None."""
    found = _one(tx, *_of(guild_id, player_id), _LASTS, ~exclusions.c.is_told)
    if found is not None:
        change(tx, found.id, is_told=True)
    return found


def keep_digests(tx: Transaction, player_id: int) -> None:
    """Take a player's id out of their exclusions and the host's list, where a digest stays.

    Exclusions that were undone are deleted.
    """
    mine = exclusions.c.player_id == player_id
    tx.execute(delete(exclusions).where(mine, ~_LASTS))
    tx.execute(update(exclusions).where(mine).values(player_id=None))
    tx.execute(update(kept_out).where(kept_out.c.user_id == player_id).values(user_id=None))


def drop_all_of(tx: Transaction, player_id: int) -> None:
    """Delete a player's exclusions, also those that name only a digest since a deletion."""
    query = select(exclusions.c.guild_id).where(exclusions.c.player_id.is_(None)).distinct()
    digests = [_digest(tx, guild_id, player_id) for guild_id in tx.scalars(query).all()]
    is_theirs = exclusions.c.player_id == player_id
    tx.execute(delete(exclusions).where(or_(is_theirs, exclusions.c.digest.in_(digests))))


def has_of_nobody(tx: Transaction, guild_id: int) -> bool:
    """Return true if a server has exclusions of players who have deleted their data."""
    of_nobody = (exclusions.c.guild_id == guild_id, exclusions.c.player_id.is_(None))
    return bool(tx.scalar(select(exists().where(*of_nobody))))


def recognise(tx: Transaction, guild_id: int, player_id: int, now: datetime) -> bool:
    """Put the id of a player who is back into their exclusions, so that these are due now.

    Return true if there are any.
    """
    of_nobody = (exclusions.c.guild_id == guild_id, exclusions.c.player_id.is_(None))
    mine = (*of_nobody, _has_digest_of(tx, guild_id, player_id))
    back = update(exclusions).where(*mine).values(player_id=player_id, look_at=now)
    return tx.execute(back).rowcount > 0


# Users and servers that the host keeps out.


@dataclass(frozen=True, slots=True)
class KeptOutRow:
    """A user or a server that the host keeps out.

    The id of the other kind is None. After a deletion of the data, both ids are None.
    """

    digest: str
    user_id: int | None
    guild_id: int | None
    since: datetime


def all_kept_out(tx: Transaction) -> list[KeptOutRow]:
    query = select(*columns_of(KeptOutRow, kept_out))
    return [KeptOutRow(*row) for row in tx.execute(query.order_by(kept_out.c.since))]


def keep_out(tx: Transaction, row: KeptOutRow) -> None:
    tx.execute(insert(kept_out).values(asdict(row)))


def let_in(tx: Transaction, digest: str) -> bool:
    """Let a user or a server in again, by digest; return false if they were not kept out."""
    return tx.execute(delete(kept_out).where(kept_out.c.digest == digest)).rowcount > 0


def digests_kept_out(tx: Transaction) -> Collection[str]:
    return tx.scalars(select(kept_out.c.digest)).all()
