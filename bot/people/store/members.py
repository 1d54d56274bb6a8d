"""Who has been seen, where, and under which name."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Select,
    bindparam,
    case,
    delete,
    insert,
    null,
    select,
    union_all,
    update,
)

from bot.db import keyed
from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.once import once
from bot.db.tables import members, players, preferences
from bot.people.model.faces import Face, face_of
from bot.people.store.preferences import hides


@dataclass(frozen=True, slots=True)
class NameRow:
    """A name; in a server also when its bearer was last seen there, and last looked up."""

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


async def see_player(
    tx: Transaction, player_id: int, name: str, avatar: str | None, seen_at: datetime
) -> None:
    """Note that a player has done something, under this name; of who hides, no avatar is kept."""
    values = {"player": player_id, "called": name, "shown": avatar, "now": seen_at}
    if not (await tx.execute(_SEE_AGAIN, values)).rowcount:
        await tx.execute(_SEE_FIRST, values)


async def forget_avatar(tx: Transaction, player_id: int) -> None:
    """Keep a player's avatar no more."""
    await tx.execute(update(players).where(players.c.player_id == player_id).values(avatar=None))


async def forget_avatars(tx: Transaction) -> None:
    """Keep nobody's avatar any more."""
    await tx.execute(update(players).where(players.c.avatar.is_not(None)).values(avatar=None))


async def face(tx: Transaction, player_id: int) -> Face | None:
    """A player's face, if one is kept."""
    return (await faces(tx, [player_id])).get(player_id)


async def faces(tx: Transaction, player_ids: Collection[int]) -> dict[int, Face]:
    """The faces of those of these players of whom one is kept."""
    found = (face_of(*row) for row in await tx.execute(*_faces(player_ids)))
    return {face.player_id: face for face in found if face is not None}


@once
def _faces(player_ids: Collection[int]) -> Select[*tuple[Any, ...]]:
    return select(players.c.player_id, players.c.avatar).where(
        players.c.player_id.in_(player_ids), players.c.avatar.is_not(None)
    )


async def see_member(
    tx: Transaction, guild_id: int, player_id: int, name: str, seen_at: datetime
) -> bool:
    """Note that a player has done something in a server; whether they are new there."""
    key = {"guild_id": guild_id, "player_id": player_id}
    return await keyed.put(tx, members, key, {"name": name, "seen_at": seen_at})


async def rename(tx: Transaction, guild_id: int, player_id: int, name: str) -> None:
    """Note a member's name."""
    change = update(members).where(members.c.guild_id == guild_id, members.c.player_id == player_id)
    await tx.execute(change.values(name=name))


async def look_up(
    tx: Transaction, guild_id: int, player_ids: Collection[int], looked_up_at: datetime
) -> None:
    """Note that Discord is being asked about these members."""
    change = update(members).where(
        members.c.guild_id == guild_id, members.c.player_id.in_(player_ids)
    )
    await tx.execute(change.values(looked_up_at=looked_up_at))


async def remove(tx: Transaction, guild_id: int, player_id: int) -> bool:
    """Forget that a player is a member of a server; whether they were."""
    those = (members.c.guild_id == guild_id, members.c.player_id == player_id)
    return (await tx.execute(delete(members).where(*those))).rowcount > 0


_THEIRS: Final = members.alias("theirs")
_COMMON: Final = (
    select(members.c.guild_id)
    .join(_THEIRS, _THEIRS.c.guild_id == members.c.guild_id)
    .where(members.c.player_id == bindparam("one"), _THEIRS.c.player_id == bindparam("other"))
    .limit(1)
)


async def share_server(tx: Transaction, one: int, other: int) -> bool:
    """Whether two players are known to be members of the same server."""
    return await tx.scalar(_COMMON, {"one": one, "other": other}) is not None


_THERE: Final = select(members.c.guild_id).where(
    members.c.player_id == bindparam("player"),
    ~hides(bindparam("player")),
)
_ACROSS: Final = select(bindparam("everywhere", type_=members.c.guild_id.type)).where(
    preferences.c.player_id == bindparam("player"),
    preferences.c.on_global_boards,
    ~preferences.c.hidden,
)
_SHOWN_IN: Final = union_all(_THERE, _ACROSS)


async def shown_in(tx: Transaction, player_id: int, everywhere: int) -> list[int]:
    """The servers on whose leaderboards a player is shown; none if they are hidden.

    Args:
        tx: the transaction.
        player_id: the player.
        everywhere: what is added if they are shown on the leaderboards across servers.
    """
    values = {"player": player_id, "everywhere": everywhere}
    return list((await tx.scalars(_SHOWN_IN, values)).all())


async def names_in(
    tx: Transaction, guild_id: int, player_ids: Collection[int]
) -> dict[int, NameRow]:
    """The names of those of these players who are members of a server."""
    rows: Sequence[Any] = (await tx.execute(*_names_in(guild_id, player_ids))).all()
    return {player_id: NameRow(*row) for player_id, *row in rows}


@once
def _names_in(guild_id: int, player_ids: Collection[int]) -> Select[*tuple[Any, ...]]:
    return select(members.c.player_id, *columns_of(NameRow, members)).where(
        members.c.guild_id == guild_id, members.c.player_id.in_(player_ids)
    )


async def names(tx: Transaction, player_ids: Collection[int]) -> dict[int, NameRow]:
    """The names of those of these players who have been seen, anywhere."""
    rows = await tx.execute(*_names(player_ids))
    return {row.player_id: NameRow(*row[1:]) for row in rows}


@once
def _names(player_ids: Collection[int]) -> Select[*tuple[Any, ...]]:
    return select(players.c.player_id, players.c.name, players.c.seen_at).where(
        players.c.player_id.in_(player_ids)
    )
