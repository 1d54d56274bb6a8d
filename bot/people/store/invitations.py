"""Who has asked whom for a duel or a game of Mastermind, and who wants to hear from whom."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    Select,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    union_all,
)

from bot.db.database import Transaction
from bot.db.tables import CHALLENGES, blocks, duel_seats, duels, masterminds, preferences
from bot.people.model.preferences import Blocked

_DECLINED: Final = "declined"


@dataclass(frozen=True, slots=True)
class InvitationRow:
    """One player asking another, for either game.

    Attributes:
        challenger_id: who has asked.
        opened_at: when.
        accepted_at: when it was accepted, if it was.
        declined_at: when it was declined, if it was.
        is_rematch: whether it is for a rematch, of a duel that was played.
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


# Ids grow with time: so only the latest of a player's duels are looked at, however many there are.
# Of those opened in the same instant it is the first, whatever order a database has them in.
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
    """The recent duels with a seat of a player's."""
    columns = _columns(duels, duels.c.challenger_id, _IS_REMATCH)
    return (
        select(*columns)
        .join_from(_SEATS, duels, duels.c.id == _SEATS.c.duel_id)
        .where(_SEATS.c.player_id == bindparam(player), _SEATS.c.duel_id >= _FIRST_DUEL)
        .where(duels.c.opened_at > bindparam("since"))
    )


def _masterminds_to(breaker: str) -> Select[*tuple[Any, ...]]:
    """The recent challenges at Mastermind whose code a player is to break."""
    return select(*_columns(masterminds, masterminds.c.owner_id, literal(False))).where(
        CHALLENGES,
        masterminds.c.codebreaker_id == bindparam(breaker),
        masterminds.c.opened_at > bindparam("since"),
    )


_BETWEEN: Final = union_all(
    _duels_of("one")
    .join(_OTHERS, _OTHERS.c.duel_id == duels.c.id)
    .where(_OTHERS.c.player_id == bindparam("other")),
    _masterminds_to("one").where(masterminds.c.owner_id == bindparam("other")),
    _masterminds_to("other").where(masterminds.c.owner_id == bindparam("one")),
)


async def between(tx: Transaction, one: int, other: int, since: datetime) -> list[InvitationRow]:
    """What two players have asked each other since an instant."""
    values = {"one": one, "other": other, "since": since}
    return [InvitationRow(*row) for row in await tx.execute(_BETWEEN, values)]


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
    ).subquery()
)


async def count_unanswered(
    tx: Transaction,
    player_id: int,
    *,
    since: datetime,
    of_late: datetime,
    now: datetime,
    besides: int = 0,
) -> int:
    """How many have asked a player whom that one has not answered.

    Args:
        tx: the transaction.
        player_id: who was asked.
        since: an instant before which nothing was opened that can still be open.
        of_late: what was opened since then counts even if it is over.
        now: the present instant.
        besides: a duel that does not count.
    """
    values = {
        "player": player_id,
        "since": since,
        "of_late": of_late,
        "now": now,
        "besides": besides,
    }
    return await tx.scalar(_UNANSWERED, values) or 0


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
)


async def made_by(
    tx: Transaction, player_id: int, since: datetime, *, besides: int = 0
) -> list[datetime]:
    """When a player has made the invitations since an instant that nobody has accepted.

    Rematches are not among them, nor is a duel that does not count.
    """
    values = {"player": player_id, "since": since, "besides": besides}
    return sorted(InvitationRow(*row).opened_at for row in await tx.execute(_MADE, values))


async def is_rematch(tx: Transaction, duel_id: int) -> bool:
    """Whether a duel is the rematch of one that was played."""
    return bool(await tx.scalar(select(_IS_REMATCH).where(duels.c.id == duel_id)))


async def drop_unseen_duel(tx: Transaction, duel_id: int) -> None:
    """Delete an invitation to a duel that nobody has seen, for want of a board."""
    unseen = (duels.c.accepted_at.is_(None), duels.c.finished_at.is_(None))
    change = delete(duels).where(duels.c.id == duel_id, *unseen, duels.c.message_id.is_(None))
    await tx.execute(change)


async def drop_unseen_mastermind(tx: Transaction, game_id: int) -> None:
    """Delete an invitation to break a code that nobody has seen, for want of a board."""
    games = masterminds
    unseen = (games.c.accepted_at.is_(None), games.c.finished_at.is_(None))
    change = delete(games).where(games.c.id == game_id, *unseen, games.c.message_id.is_(None))
    await tx.execute(change)


_UNWANTED: Final = select(
    or_(
        exists().where(preferences.c.player_id == bindparam("player"), preferences.c.no_challenges),
        exists().where(
            blocks.c.player_id == bindparam("player"), blocks.c.blocked_id == bindparam("other")
        ),
    )
)


async def is_unwanted(tx: Transaction, player_id: int, challenger_id: int) -> bool:
    """Whether a player wants no challenges, from anybody or from this one."""
    return bool(await tx.scalar(_UNWANTED, {"player": player_id, "other": challenger_id}))


async def block(tx: Transaction, player_id: int, blocked_id: int, blocked_at: datetime) -> None:
    """Note that a player wants no challenges from another; a second time changes nothing."""
    theirs = (blocks.c.player_id == player_id, blocks.c.blocked_id == blocked_id)
    if not await tx.scalar(select(exists().where(*theirs))):
        values = {"player_id": player_id, "blocked_id": blocked_id, "blocked_at": blocked_at}
        await tx.execute(insert(blocks).values(values))


async def unblock(tx: Transaction, player_id: int, blocked_id: int) -> None:
    """Note that a player may be challenged by another again."""
    await tx.execute(
        delete(blocks).where(blocks.c.player_id == player_id, blocks.c.blocked_id == blocked_id)
    )


async def blocked(tx: Transaction, player_id: int) -> list[Blocked]:
    """From whom a player wants no challenges, the latest first."""
    query = (
        select(blocks.c.blocked_id, blocks.c.blocked_at)
        .where(blocks.c.player_id == player_id)
        .order_by(blocks.c.blocked_at.desc(), blocks.c.blocked_id)
    )
    return [Blocked(*row) for row in await tx.execute(query)]
