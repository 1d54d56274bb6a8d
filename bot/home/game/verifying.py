"""*Verify*: a game's whole seals, and at the end what was hashed, so that players can check."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from bot.clock import Clock
from bot.db.database import Database
from bot.duels.game.position import seat_of
from bot.duels.game.views import commitment_of, seats_of_numbers
from bot.duels.model.errors import NoSuchDuelError, NotYourDuelError
from bot.duels.store import duels
from bot.focdle.game.plays import read_own
from bot.games.game.seals import Commitment
from bot.mastermind.game.transactions import game_of, require_seen
from bot.mastermind.model.errors import NoSuchGameError
from bot.mastermind.store import masterminds
from bot.refused import NeverSealedError


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose number a secret is in a duel.

    Attributes:
        player_id: who has set it; None for the bot.
    """

    player_id: int | None


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret of a game.

    Attributes:
        commitment: to it; opened at the end.
        owner: whose it is where each player has one; None for a game's only secret.
    """

    commitment: Commitment
    owner: Owner | None = None


@dataclass(frozen=True, slots=True)
class Verified:
    """What can be noted of a game, or checked once it is over.

    Attributes:
        secrets: each of its secrets, all opened or none; in a duel the challenger's first.
        since: when the digests were on its board at the latest.
    """

    secrets: tuple[Secret, ...]
    since: datetime

    @property
    def is_open(self) -> bool:
        """Whether the game is over, so that its secrets can be checked."""
        return all(secret.commitment.text is not None for secret in self.secrets)


class Verifying:
    """Use cases of *Verify*, each one transaction.

    They raise NeverSealedError for a game without commitments, beside what is named.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def play(self, player_id: int, play_id: int) -> Verified:
        """The equation of a player's own play.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's.
        """
        play = await self._database.look(
            lambda tx: read_own(tx, player_id, play_id, self._clock.now())
        )
        return _verified([(None, play.commitment)], play.opened_at)

    async def mastermind(
        self, player_id: int, game_id: int, guild_id: int | None = None
    ) -> Verified:
        """The code of a player's own game, or of a challenge, which its whole server may check.

        Args:
            player_id: who asks.
            game_id: the game.
            guild_id: the server in which they do; None in private.

        Raises:
            NoSuchGameError, NotYourGameError: it is not this player's, nor played here.
        """
        async with self._database.reading() as tx:
            row = await masterminds.get(tx, game_id)
        if row is None:
            raise NoSuchGameError
        require_seen(row, player_id, guild_id)
        return _verified([(None, game_of(row).commitment)], row.opened_at)

    async def duel(self, player_id: int, duel_id: int, guild_id: int | None = None) -> Verified:
        """The numbers of a duel, which its whole server may check.

        Args:
            player_id: who asks.
            duel_id: the duel.
            guild_id: the server in which they do; None in private.

        Raises:
            NoSuchDuelError, NotYourDuelError: it is not this player's, nor played here.
        """
        async with self._database.reading() as tx:
            row = await duels.get(tx, duel_id)
        if row is None:
            raise NoSuchDuelError
        is_seen = row.guild_id is not None and row.guild_id == guild_id
        if seat_of(row, player_id) is None and not is_seen:
            raise NotYourDuelError(player_ids=(row.challenger_id,), guild_id=row.guild_id)
        seats = seats_of_numbers(row)
        owners = [Owner(row.seats[seat].player_id) if len(seats) > 1 else None for seat in seats]
        commitments = [commitment_of(row, seat) for seat in seats]
        since = row.playing_at or row.opened_at
        return _verified(zip(owners, commitments, strict=True), since)


def _verified(
    commitments: Iterable[tuple[Owner | None, Commitment | None]], since: datetime
) -> Verified:
    secrets = tuple(Secret(found, owner) for owner, found in commitments if found is not None)
    if not secrets:
        raise NeverSealedError
    return Verified(secrets, since)
