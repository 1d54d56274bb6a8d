"""What is told of duels in public, and all use cases."""

import logging
import random
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Self

from bot.clock import Clock
from bot.db.database import Database
from bot.duels import store
from bot.duels.challenges import Inviting
from bot.duels.defending import Defending
from bot.duels.game import DuelTransaction, DuelTransactions
from bot.duels.model import Duel, DuelView
from bot.duels.moves import Duels, Playing
from bot.duels.position import nudge_of
from bot.failures import Failures
from bot.games.game import LEASE, NONCE_LASTS, nonce
from bot.outages import ALL, ShardRange
from bot.people import store as people_store
from bot.people.model import Face
from bot.text.markup import is_forgotten

log = logging.getLogger(__name__)

_UNDER_WAY: Final = timedelta(seconds=5)
"""How long a change is left to whoever made it to show: only then does the clock show it."""


@dataclass(frozen=True, slots=True)
class EndedDuel:
    """A duel that is over, and what its players are called.

    Attributes:
        view: the duel.
        names: by player, as far as they are known: those in its server, else any.
        faces: by player, as far as they are known.
    """

    view: DuelView
    names: Mapping[int, str]
    faces: Mapping[int, Face]


@dataclass(frozen=True, slots=True)
class Nudge:
    """A message that is to say whose turn it is or how it ended, or one that is out of date.

    Attributes:
        view: the duel as it stands.
        player_ids: who is to be told; empty for nobody.
        nonce: by which Discord knows it when it is sent again.
        claimed_at: since when it may have been sent; None for nobody's.
    """

    view: DuelView
    player_ids: tuple[int, ...]
    nonce: str
    claimed_at: datetime | None

    @property
    def previous(self) -> int | None:
        """The message that said so last, to be deleted; None if there is none."""
        return self.view.duel.nudge_message_id


class Boards:
    """Use cases of the messages about duels; all that they know is in the database."""

    def __init__(self, transactions: DuelTransactions, shards: ShardRange = ALL) -> None:
        self._transactions = transactions
        self._shards = shards
        self._failures = Failures(log)

    def stale(self) -> AsyncGenerator[DuelView]:
        """The duels of whose board Discord may show an older version."""
        found = self._transactions.every(
            lambda v, page: store.stale(v.tx, v.now - _UNDER_WAY, page, self._shards)
        )
        return self._failures.each("board of duel", found, self._stale)

    async def _stale(self, duel_id: int) -> DuelView | None:
        """A duel as it stands; None if somebody has shown it meanwhile, or is about to."""

        def body(work: DuelTransaction) -> DuelView | None:
            duel = work.duel(duel_id)
            stale_at = duel.stale_at
            if stale_at is None or stale_at > work.now - _UNDER_WAY:
                return None
            return work.view(duel)

        return await self._transactions.write(body, duel_id)

    async def shown(self, duel: Duel) -> DuelView | None:
        """Note that Discord shows a board like this.

        Returns:
            The duel as it stands, if that is not like this any more: it has to be shown again,
            since nobody knows which of the two Discord got last.

        Raises:
            NoSuchDuelError: there is no such duel.
        """

        def body(work: DuelTransaction) -> DuelView | None:
            if store.set_shown(work.tx, duel.id, duel.version):
                return None
            return work.view(work.duel(duel.id))

        return await self._transactions.write(body, duel.id)

    async def ended(self, duel_id: int) -> EndedDuel:
        """A duel that is over, with its players' names and faces, for its picture.

        Raises:
            NoSuchDuelError: there is no such duel.
        """

        def read(work: DuelTransaction) -> EndedDuel:
            duel = work.duel(duel_id)
            ids = [seat.player_id for seat in duel.seats if seat.player_id is not None]
            found = people_store.names(work.tx, ids)
            found |= people_store.names_in(work.tx, duel.guild_id or 0, ids)
            names = {player_id: row.name for player_id, row in found.items()}
            return EndedDuel(work.view(duel), names, people_store.faces(work.tx, ids))

        return await self._transactions.read(read)

    async def lost(self, seen: Duel) -> None:
        """Note that the message of a board is gone or out of reach, unless there is another."""

        def body(work: DuelTransaction) -> None:
            duel = work.duel(seen.id)
            if duel.message_id == seen.message_id:
                work.save(duel.changed(message_id=None, thread_id=None, stale_at=None))

        await self._transactions.write(body, seen.id)

    def to_nudge(self) -> AsyncGenerator[int]:
        """The duels for which it is time to see whether somebody must be told."""
        return self._transactions.every(
            lambda v, page: store.to_nudge(v.tx, v.now, page, self._shards)
        )

    async def claim_nudge(self, duel_id: int) -> Nudge | None:
        """What is to be sent or deleted now in a duel; None for nothing, or somebody is at it.

        Whoever claims it has half a minute, and says by `nudged` what came of it. If that is
        never said, because the bot has ended, it is handed out again a minute later, for as
        long as Discord returns the first message for a second one with the same nonce.
        """

        def body(work: DuelTransaction) -> Nudge | None:
            duel = work.duel(duel_id)
            if duel.nudge_at is None or duel.nudge_at > work.now:
                return None
            player_ids, claimed_at = _to_call(duel, work.now), duel.claimed_at
            if player_ids:
                claimed_at = claimed_at or work.now
            has_work = bool(player_ids) or duel.nudge_message_id is not None
            if player_ids and work.is_away(duel):
                # Who could not answer is not called yet.
                work.save(duel.changed(nudge_at=work.now + LEASE))
                return None
            if not has_work or work.is_late(duel):  # who is late is not called any more
                _rest(work, duel)
                return None
            work.save(duel.changed(nudge_at=work.now + LEASE, claimed_at=claimed_at))
            key = nonce("nudge", duel.id, duel.state, len(duel.moves), player_ids, claimed_at)
            return Nudge(work.view(duel), player_ids, key, claimed_at)

        return await self._transactions.write(body, duel_id)

    async def nudged(self, nudge: Nudge, message_id: int | None) -> bool:
        """Note what came of a nudge: that message, or with None that there is none now.

        Returns:
            Whether it is still so; else the player has moved meanwhile, nothing is noted, and
            the message is to be deleted.

        Raises:
            NoSuchDuelError: there is no such duel.
        """

        def body(work: DuelTransaction) -> bool:
            duel = work.duel(nudge.view.duel.id)
            if duel.claimed_at != nudge.claimed_at:
                return False
            _rest(work, duel.changed(nudge_message_id=message_id))
            return True

        return await self._transactions.write(body, nudge.view.duel.id)


def _to_call(duel: Duel, now: datetime) -> tuple[int, ...]:
    """Who is to be told now that it is on them, or how it ended; empty for nobody."""
    nudge = nudge_of(duel)
    if nudge is None or nudge[1] > now:
        return ()
    if duel.claimed_at is not None and now > duel.claimed_at + NONCE_LASTS:
        return ()  # it may have been sent, and a second one would be another message
    ids = (duel.seats[seat].player_id or 0 for seat in nudge[0])
    return tuple(player_id for player_id in ids if not is_forgotten(player_id))


def _rest(work: DuelTransaction, duel: Duel) -> None:
    """Look at a duel again only when somebody is to be told who was not told so far."""
    nudge = nudge_of(duel)
    later = nudge[1] if nudge is not None and duel.claimed_at is None else None
    work.save(duel.changed(nudge_at=later))


_FAIR: Final = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class DuelServices:
    """Duels of Bulls and Cows, and their ratings.

    Attributes:
        inviting: challenges, their answers, rematches.
        playing: secrets, guesses, draws, resignation, the board's message.
        games: open duels, deadlines that have passed, notebooks, ratings.
        boards: what has to be shown again, and who has to be told.
        defending: the bot breaks a player's number.
    """

    inviting: Inviting
    playing: Playing
    games: Duels
    boards: Boards
    defending: Defending

    @classmethod
    def on(
        cls,
        database: Database,
        clock: Clock,
        key: str,
        dice: random.Random = _FAIR,
        shards: ShardRange = ALL,
    ) -> Self:
        """The use cases on a database.

        A key hides the numbers that stand in ids; first movers and the bot's numbers are drawn
        with dice. What is due is that of servers of these shards.
        """
        transactions = DuelTransactions(database, clock, dice)
        return cls(
            Inviting(transactions),
            Playing(transactions),
            Duels(transactions, shards),
            Boards(transactions, shards),
            Defending(transactions, key),
        )
