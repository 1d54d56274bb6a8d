"""*Verify*: hashes a finished game's secrets again, so that players can check them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from bot.services.base.clock import Clock
from bot.services.base.commitments import Commitment
from bot.services.base.errors import NeverSealedError, StillSealedError
from bot.services.duels.errors import NoSuchDuelError, NotYourDuelError
from bot.services.duels.position import seat_of
from bot.services.duels.views import commitments_of
from bot.services.focdle.plays import read_own
from bot.services.mastermind.errors import NoSuchGameError, NotYourGameError
from bot.services.mastermind.model import Kind
from bot.services.mastermind.transactions import game_of
from bot.storage import masterminds
from bot.storage.database import Database
from bot.storage.duels import duels


@dataclass(frozen=True, slots=True)
class Verification:
    """A secret that can be checked now.

    Attributes:
        text: what was hashed.
        digest: its SHA-256.
    """

    text: str
    digest: str


@dataclass(frozen=True, slots=True)
class Verified:
    """What can be checked of a game.

    Attributes:
        secrets: each of its secrets; in a duel the challenger's first.
        since: when the digests were on its board at the latest.
    """

    secrets: tuple[Verification, ...]
    since: datetime


class Verifying:
    """Use cases of *Verify*, each one transaction.

    They raise NeverSealedError for a game without commitments, and StillSealedError while it
    goes on, beside what is named.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def play(self, player_id: int, play_id: int) -> Verified:
        """The equation of a player's own play.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's.
        """
        async with self._database.transaction() as tx:
            play = await read_own(tx, player_id, play_id, self._clock.now())
        return _verified([play.commitment], play.opened_at)

    async def mastermind(self, player_id: int, game_id: int) -> Verified:
        """The code of a player's own game, or of a challenge, which everybody may check.

        Raises:
            NoSuchGameError, NotYourGameError: it is not this player's.
        """
        async with self._database.transaction() as tx:
            row = await masterminds.get(tx, game_id)
        if row is None:
            raise NoSuchGameError
        if row.kind != Kind.CHALLENGE and row.owner_id != player_id:
            raise NotYourGameError(player_id=row.owner_id)
        return _verified([game_of(row).commitment], row.opened_at)

    async def duel(self, player_id: int, duel_id: int) -> Verified:
        """The numbers of a duel, which everybody may check who sees its board.

        Raises:
            NoSuchDuelError, NotYourDuelError: it is another player's duel with the bot.
        """
        async with self._database.transaction() as tx:
            row = await duels.get(tx, duel_id)
        if row is None:
            raise NoSuchDuelError
        if row.strength is not None and seat_of(row, player_id) is None:
            raise NotYourDuelError(player_ids=(row.challenger_id,))
        return _verified(commitments_of(row), row.playing_at or row.opened_at)


def _verified(commitments: Iterable[Commitment | None], since: datetime) -> Verified:
    sealed = [found for found in commitments if found is not None]
    if not sealed:
        raise NeverSealedError
    found = tuple(Verification(s.text, s.digest) for s in sealed if s.text is not None)
    if not found:
        raise StillSealedError
    return Verified(found, since)
