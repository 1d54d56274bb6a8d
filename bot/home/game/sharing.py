"""Results for others to see: once a channel, and not too many."""

import logging
from datetime import timedelta
from typing import Final

from bot.clock import Clock
from bot.coach.game.games import find
from bot.coach.model.errors import StillPlayingError
from bot.db.database import Database
from bot.errors import StorageError
from bot.games.model.games import GameName
from bot.games.store import shares
from bot.people.model.faces import Face
from bot.people.store import members
from bot.refused import AlreadySharedError, BeingSharedError, NotFinishedError, SharedTooOftenError

log = logging.getLogger(__name__)

MOST_SHARED: Final = 3
"""Games other than dailies that a player may share within an hour."""
_HOUR: Final = timedelta(hours=1)
_LAPSES: Final = timedelta(minutes=15)
"""How long a result may be on its way: Discord takes no answer after that."""


class Sharing:
    """Use cases of *Share*: claim a post, then note that it is there or give the claim back."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def claim(self, player_id: int, name: GameName, channel_id: int) -> Face | None:
        """Claim the one post of a player's finished game to a channel.

        Returns:
            The player's face, to be shown beside it, if it is known.

        Raises:
            NotFinishedError: it goes on.
            AlreadySharedError: it was posted there before.
            BeingSharedError: it may be posted there at this moment.
            SharedTooOftenError: the player has shared enough for now.
            Refused: it is not this player's to share; see `bot.coach.game.games`.
        """
        async with self._database.transaction() as tx:
            now = self._clock.now()
            try:
                finished = await find(tx, player_id, name)
            except StillPlayingError:
                raise NotFinishedError from None
            share = await shares.get(tx, name, channel_id)
            if share is not None:
                if share.claimed_at is None:
                    raise AlreadySharedError
                until = share.claimed_at + _LAPSES
                if now < until:
                    raise BeingSharedError(again_at=until)
            if finished.puzzle is None:
                before = await shares.since(tx, player_id, now - _HOUR)
                if len(before) >= MOST_SHARED:
                    raise SharedTooOftenError(again_at=before[-MOST_SHARED] + _HOUR)
            await shares.claim(tx, name, channel_id, player_id=player_id, claimed_at=now)
            return await members.face(tx, player_id)

    async def done(self, name: GameName, channel_id: int) -> None:
        """Note that a claimed post is there; what is not noted may be posted again later.

        A kill between the two allows a second post: better than one that can never be made.
        """
        try:
            async with self._database.transaction() as tx:
                await shares.note(tx, name, channel_id)
        except StorageError as error:  # the post is there, so nobody is to be told
            log.warning("%s shared in channel %d: not noted, %r", _told(name), channel_id, error)
        else:
            log.info("%s shared in channel %d", _told(name), channel_id)

    async def undone(self, name: GameName, channel_id: int) -> None:
        """Give back a claim whose post was refused."""
        async with self._database.transaction() as tx:
            await shares.remove(tx, name, channel_id)


def _told(name: GameName) -> str:
    return f"{name.source} {name.id}"
