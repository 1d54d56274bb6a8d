"""Invitations: how often a player may ask another, who is pinged, and who wants none.

Challenges to duels, rematches and challenges at Mastermind are all invitations, and count together.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from bot.services.base.errors import AskedTooSoonError, NotWantedError
from bot.storage import invitations
from bot.storage.database import Transaction
from bot.storage.invitations import InvitationRow

MOST_ASKED: Final = 3
"""How often a player may ask another within an hour without being accepted."""
MOST_CALLS: Final = 3
"""With how many unanswered invitations a player is pinged by no further one."""

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
    tx: Transaction, challenger_id: int, challenged_id: int, now: datetime
) -> None:
    """Make sure that a player has not asked another too often, or after being declined.

    An accepted invitation, whoever of the two made it, clears all before it.

    Raises:
        AskedTooSoonError: within the hour the other has declined, or was asked three times and
            accepted none.
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


def _declines(rows: Iterable[InvitationRow], since: datetime) -> Iterable[datetime]:
    """When invitations were declined; *Not now* on a rematch does not count."""
    for row in rows:
        if row.declined_at is not None and row.declined_at > since and not row.is_rematch:
            yield row.declined_at


async def is_called(
    tx: Transaction, challenged_id: int, now: datetime, *, besides: int = 0
) -> bool:
    """Whether an invitation pings the challenged player, who has fewer than three to answer.

    Invitations that were taken back or lapsed within the hour count as unanswered, too.

    Args:
        tx: the transaction.
        challenged_id: whom it is for.
        now: the present instant.
        besides: the duel that it is itself, if that is stored already.
    """
    unanswered = await invitations.count_unanswered(
        tx, challenged_id, since=now - _LONGEST, of_late=now - RESPITE, now=now, besides=besides
    )
    return unanswered < MOST_CALLS
