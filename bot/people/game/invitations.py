"""Invitations: how often a player may ask another, who is pinged, and who wants none.

Challenges to duels, rematches and challenges at Mastermind are all invitations, and count together.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from bot.db.database import Transaction
from bot.people.store import invitations
from bot.people.store.invitations import InvitationRow
from bot.refused import AskedTooOftenError, AskedTooSoonError, NotWantedError

MOST_ASKED: Final = 3
"""How often a player may ask another within an hour without being accepted."""
MOST_CALLS: Final = 3
"""With how many unanswered invitations a player is pinged by no further one."""
MOST_MADE: Final = 10
"""How many invitations a player may make within an hour that nobody accepts, whomever they ask."""
MOST_CALLING: Final = 5
"""How many of these ping whom they are for."""

RESPITE: Final = timedelta(hours=1)
"""How long whoever has declined, or was asked too often, is asked no more by the same player."""
# Nothing waits for an answer longer than a day, but for hours in which the bot was away.
_LONGEST: Final = timedelta(hours=26)


async def require_wanted(tx: Transaction, challenger_id: int, challenged_id: int) -> None:
    """Make sure that a player takes challenges, also from this challenger.

    Raises:
        NotWantedError: that is not so; which of the two, nobody is told.
    """
    if await invitations.is_unwanted(tx, challenged_id, challenger_id):
        raise NotWantedError(player_id=challenged_id)


async def require_patience(
    tx: Transaction,
    challenger_id: int,
    challenged_id: int,
    now: datetime,
    *,
    is_rematch: bool = False,
) -> None:
    """Make sure that a player has not asked another too often, or after being declined, nor all.

    An accepted invitation, whoever of the two made it, clears all before it. A rematch is between
    the two, and does not count among those to everybody.

    Raises:
        AskedTooSoonError: within the hour the other has declined, or was asked three times and
            accepted none.
        AskedTooOftenError: within the hour ten were made, to whomever, that nobody has accepted.
    """
    rows = await invitations.between(tx, challenger_id, challenged_id, now - _LONGEST)
    since = max([now - RESPITE, *(row.accepted_at for row in rows if row.accepted_at)])
    own = [row for row in rows if row.challenger_id == challenger_id and row.accepted_at is None]
    if declined := sorted(_declines(own, since)):
        raise AskedTooSoonError(
            player_id=challenged_id, again_at=declined[-1] + RESPITE, has_declined=True
        )
    asked = sorted(row.opened_at for row in own if row.opened_at > since)
    if len(asked) >= MOST_ASKED:
        again_at = asked[-MOST_ASKED] + RESPITE
        raise AskedTooSoonError(player_id=challenged_id, again_at=again_at, has_declined=False)
    made = [] if is_rematch else await invitations.made_by(tx, challenger_id, now - RESPITE)
    if len(made) >= MOST_MADE:
        raise AskedTooOftenError(again_at=made[-MOST_MADE] + RESPITE)


def _declines(rows: Iterable[InvitationRow], since: datetime) -> Iterable[datetime]:
    """When invitations were declined; *Not now* on a rematch does not count."""
    for row in rows:
        if row.declined_at is not None and row.declined_at > since and not row.is_rematch:
            yield row.declined_at


async def is_called(
    tx: Transaction,
    challenger_id: int,
    challenged_id: int,
    now: datetime,
    *,
    besides: int = 0,
    is_rematch: bool = False,
) -> bool:
    """Whether an invitation pings the challenged player.

    Not if that one has three to answer, where those that were taken back or lapsed within the hour
    count, too; nor if the challenger has made five within the hour that nobody has accepted.

    Args:
        tx: the transaction.
        challenger_id: who makes it.
        challenged_id: whom it is for.
        now: the present instant.
        besides: the duel that it is itself, if that is stored already.
        is_rematch: whether it is for a rematch, of a duel that was played.
    """
    if not is_rematch:
        made = await invitations.made_by(tx, challenger_id, now - RESPITE, besides=besides)
        if len(made) >= MOST_CALLING:
            return False
    unanswered = await invitations.count_unanswered(
        tx, challenged_id, since=now - _LONGEST, of_late=now - RESPITE, now=now, besides=besides
    )
    return unanswered < MOST_CALLS
