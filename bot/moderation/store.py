"""SQL of exclusions, and who is shown in a server."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime
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
    update,
)

from bot.db import facts, keys
from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.tables.people import exclusions, kept_out, members
from bot.moderation.model import Exclusion
from bot.people.store import hides

# Who is shown in a server: its members who neither hide nor are taken off.


def is_off(guild_id: Any, player_id: Any) -> ColumnElement[bool]:
    """Match players whom managers have taken off a server's boards."""
    return exists().where(exclusions.c.guild_id == guild_id, exclusions.c.player_id == player_id)


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


def is_taken_off(tx: Transaction, guild_id: int, player_id: int) -> bool:
    return bool(tx.scalar(select(is_off(guild_id, player_id))))


_SHOWN_IN: Final = select(members.c.guild_id).where(
    members.c.player_id == bindparam("player"),
    ~is_unnamed(members.c.guild_id, members.c.player_id),
)


def shown_in(tx: Transaction, player_id: int) -> set[int]:
    """Find the servers on whose boards a player may be: none if they are hidden or kept out."""
    return set(tx.scalars(_SHOWN_IN, {"player": player_id}))


# Exclusions, one a server and member. After a deletion of the member's data a digest stands for
# them, until the server sees them again, or for a year.

_COLUMNS: Final = columns_of(Exclusion, exclusions)


def _digest(tx: Transaction, guild_id: int, player_id: int) -> str:
    return facts.digest(tx, "member", guild_id, player_id)


def add(tx: Transaction, guild_id: int, player_id: int, by_id: int, now: datetime) -> bool:
    """Note that a manager takes a member off; return false if they are off already."""
    digest = _digest(tx, guild_id, player_id)
    if tx.scalar(select(exclusions.c.id).where(exclusions.c.digest == digest)) is not None:
        return False
    row = {"guild_id": guild_id, "player_id": player_id, "by_id": by_id, "made_at": now}
    tx.execute(insert(exclusions).values(digest=digest, **row))
    return True


def get(tx: Transaction, guild_id: int, exclusion_id: int) -> Exclusion | None:
    """Return an exclusion; None if it is undone or another server's."""
    mine = (exclusions.c.id == exclusion_id, exclusions.c.guild_id == guild_id)
    row = tx.execute(select(*_COLUMNS).where(*mine)).one_or_none()
    return None if row is None else Exclusion(*row)


def is_of(tx: Transaction, found: Exclusion, player_id: int) -> bool:
    """Return true if an exclusion is a player's, even from before their data were deleted."""
    mine = exclusions.c.digest == _digest(tx, found.guild_id, player_id)
    return bool(tx.scalar(select(mine).where(exclusions.c.id == found.id)))


def drop(tx: Transaction, exclusion_id: int) -> None:
    tx.execute(delete(exclusions).where(exclusions.c.id == exclusion_id))


def count(tx: Transaction, guild_id: int) -> int:
    query = select(func.count()).where(exclusions.c.guild_id == guild_id)
    return tx.scalar(query) or 0


def page(tx: Transaction, guild_id: int, *, offset: int, most: int) -> list[Exclusion]:
    """List a server's exclusions, the latest first."""
    query = select(*_COLUMNS).where(exclusions.c.guild_id == guild_id)
    newest = query.order_by(exclusions.c.made_at.desc(), exclusions.c.id.desc())
    return [Exclusion(*row) for row in tx.execute(newest.offset(offset).limit(most))]


def untold(tx: Transaction) -> list[tuple[int, int]]:
    """List server and player of each exclusion that the player is still to be told of."""
    query = select(exclusions.c.guild_id, exclusions.c.player_id).where(
        ~exclusions.c.is_told, exclusions.c.player_id.is_not(None)
    )
    return [(row.guild_id, row.player_id) for row in tx.execute(query)]


def tell(tx: Transaction, guild_id: int, player_id: int, *, is_told: bool) -> bool:
    """Note whether a player is told of their exclusion; return true if that changes anything."""
    change = update(exclusions).where(
        exclusions.c.guild_id == guild_id,
        exclusions.c.player_id == player_id,
        exclusions.c.is_told != is_told,
    )
    return tx.execute(change.values(is_told=is_told)).rowcount > 0


def keep_digests(tx: Transaction, player_id: int) -> None:
    """Take a player's id out of their exclusions and the host's list, where a digest stays."""
    is_theirs = exclusions.c.player_id == player_id
    last_seen = select(members.c.seen_at).where(
        members.c.guild_id == exclusions.c.guild_id, members.c.player_id == player_id
    )
    met_at = func.coalesce(last_seen.scalar_subquery(), exclusions.c.made_at)
    tx.execute(update(exclusions).where(is_theirs).values(player_id=None, met_at=met_at))
    tx.execute(update(kept_out).where(kept_out.c.user_id == player_id).values(user_id=None))


def drop_all_of(tx: Transaction, player_id: int) -> None:
    """Delete a player's exclusions, also those that name only a digest since a deletion."""
    query = select(exclusions.c.guild_id).where(exclusions.c.player_id.is_(None)).distinct()
    digests = [_digest(tx, guild_id, player_id) for guild_id in tx.scalars(query).all()]
    is_theirs = exclusions.c.player_id == player_id
    tx.execute(delete(exclusions).where(or_(is_theirs, exclusions.c.digest.in_(digests))))


def recognise(tx: Transaction, guild_id: int, player_id: int) -> None:
    """Put the id of a player who is back into their exclusion.

    It locks all servers of the player at once, as their rows on boards are about to be written.
    """
    of_nobody = (exclusions.c.guild_id == guild_id, exclusions.c.player_id.is_(None))
    if tx.scalar(select(exists().where(*of_nobody))):
        servers = {guild_id, *shown_in(tx, player_id)}
        tx.about(*map(keys.server, servers))
        mine = exclusions.c.digest == _digest(tx, guild_id, player_id)
        back = update(exclusions).where(*of_nobody, mine)
        tx.execute(back.values(player_id=player_id, met_at=None))


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


def keeps_out(tx: Transaction, user_id: int, guild_id: int) -> bool:
    """Return true if a user or a server is kept out, as this transaction sees it."""
    either = or_(kept_out.c.user_id == user_id, kept_out.c.guild_id == guild_id)
    return bool(tx.scalar(select(exists().where(either))))


def digests_kept_out(tx: Transaction) -> Collection[str]:
    return tx.scalars(select(kept_out.c.digest)).all()
