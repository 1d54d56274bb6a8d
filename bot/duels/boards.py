"""Use cases of public messages about duels: boards and nudges."""

import logging
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.duels import store
from bot.duels.game import DuelTransaction, DuelTransactions
from bot.duels.model import Duel, DuelView
from bot.duels.position import nudge_of
from bot.failures import Failures
from bot.games.game import LEASE, NONCE_LASTS, nonce
from bot.outages import ShardRange
from bot.people import store as people_store
from bot.people.model import Face
from bot.text.markup import is_forgotten

log = logging.getLogger(__name__)

_EDIT_GRACE: Final = timedelta(seconds=5)
"""How long whoever has made a change may edit the board; later, `Boards.outdated` has it."""
_ABSENT: Final = timedelta(minutes=10)
_GIVEN_UP_AFTER: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class EndedDuel:
    """A finished duel with the names and faces of its players, by player id, as far as known.

    A player's name in the duel's server is preferred to a general one.
    """

    view: DuelView
    names: Mapping[int, str]
    faces: Mapping[int, Face]


@dataclass(frozen=True, slots=True)
class Nudge:
    """A message to be sent about a turn or an end, or an old one to be deleted.

    Attributes:
        player_ids: the players to be told; empty if there is only an old message to delete.
        nonce: lets Discord recognise the message if it is sent again.
        claimed_at: the time since which the message may have been sent; None if it never was.
    """

    view: DuelView
    player_ids: tuple[int, ...]
    nonce: str
    claimed_at: datetime | None

    @property
    def previous(self) -> int | None:
        """The id of the message of the last nudge, to be deleted; None without one."""
        return self.view.duel.nudge_message_id


class Boards:
    """Use cases of the messages about duels. All their state is in the database."""

    def __init__(self, transactions: DuelTransactions, shards: ShardRange) -> None:
        self._transactions = transactions
        self._shards = shards
        self._failures = Failures(log)

    def outdated(self) -> AsyncGenerator[DuelView]:
        """Yield duels of our shards whose board has been out of date for five seconds or more."""
        found = self._transactions.every(
            lambda v, after: store.outdated(v.tx, v.now - _EDIT_GRACE, after, self._shards)
        )
        return self._failures.each("board of duel", found, self._if_outdated)

    async def _if_outdated(self, duel_id: int) -> DuelView | None:
        """The duel, if its board has been out of date for five seconds or more; None if not."""

        def body(work: DuelTransaction) -> DuelView | None:
            duel = work.duel(duel_id)
            stale_at = duel.stale_at
            if stale_at is None or stale_at > work.now - _EDIT_GRACE:
                return None
            return work.view(duel)

        return await self._transactions.write(body, duel_id)

    async def note_shown(self, duel: Duel) -> DuelView | None:
        """Note that Discord shows the board of this version of a duel.

        Returns:
            The duel if it has changed meanwhile, and None if not. After a change its board must be
            edited again, since nobody knows which version reached Discord last.
        """

        def body(work: DuelTransaction) -> DuelView | None:
            if store.set_shown(work.tx, duel.id, duel.version):
                return None
            return work.view(work.duel(duel.id))

        return await self._transactions.write(body, duel.id)

    async def ended(self, duel_id: int) -> EndedDuel:
        def read(work: DuelTransaction) -> EndedDuel:
            duel = work.duel(duel_id)
            ids = duel.player_ids
            found = people_store.names(work.tx, ids)
            found |= people_store.names_in(work.tx, duel.guild_id or 0, ids)
            names = {player_id: row.name for player_id, row in found.items()}
            return EndedDuel(work.view(duel), names, people_store.faces(work.tx, ids))

        return await self._transactions.read(read)

    async def lost(self, seen: Duel) -> None:
        """Note that a board's message is gone, unless it was posted again."""

        def body(work: DuelTransaction) -> None:
            duel = work.duel(seen.id)
            if duel.message_id == seen.message_id:
                work.save(duel.changed(message_id=None, stale_at=None))

        await self._transactions.write(body, seen.id)

    async def unreachable(self, seen: Duel) -> None:
        """Put off a board that the bot may not edit now; give it up a day after the duel's end."""

        def body(work: DuelTransaction) -> None:
            duel, now = work.duel(seen.id), work.now
            if (duel.message_id, duel.version) == (seen.message_id, seen.version):
                is_late = now > (duel.finished_at or now) + _GIVEN_UP_AFTER
                work.save(duel.changed(stale_at=None if is_late else now + _ABSENT))

        await self._transactions.write(body, seen.id)

    def to_nudge(self) -> AsyncGenerator[int]:
        """Yield the ids of duels of our shards whose nudges are due."""
        return self._transactions.every(
            lambda v, after: store.to_nudge(v.tx, v.now, after, self._shards)
        )

    async def claim_nudge(self, duel_id: int) -> Nudge | None:
        """Claim the nudge that is due in a duel.

        None if there is none, another claim holds, the bot is away, or the player is late by now.
        The caller reports to `nudged` within half a minute. If the bot ends before that, the claim
        expires after a minute. The same nudge is claimed again only while Discord still recognises
        its nonce.
        """

        def body(work: DuelTransaction) -> Nudge | None:
            duel = work.duel(duel_id)
            if duel.nudge_at is None or duel.nudge_at > work.now:
                return None
            player_ids, claimed_at = _due_players(duel, work.now), duel.claimed_at
            if player_ids:
                claimed_at = claimed_at or work.now
            has_work = bool(player_ids) or duel.nudge_message_id is not None
            if player_ids and work.is_away(duel):
                # Players are not called while they could not answer.
                work.save(duel.changed(nudge_at=work.now + LEASE))
                return None
            if not has_work or work.is_late(duel):  # a late player is not called any more
                _schedule_next(work, duel)
                return None
            work.save(duel.changed(nudge_at=work.now + LEASE, claimed_at=claimed_at))
            key = nonce("nudge", duel.id, duel.state, len(duel.moves), player_ids, claimed_at)
            return Nudge(work.view(duel), player_ids, key, claimed_at)

        return await self._transactions.write(body, duel_id)

    async def nudged(self, nudge: Nudge, message_id: int | None) -> bool:
        """Note the message by which a nudge was sent; `message_id` is None if none was.

        Returns:
            Whether the nudge is still due. If the player has moved meanwhile, nothing is noted and
            the caller deletes the message.
        """

        def body(work: DuelTransaction) -> bool:
            duel = work.duel(nudge.view.duel.id)
            if duel.claimed_at != nudge.claimed_at:
                return False
            _schedule_next(work, duel.changed(nudge_message_id=message_id))
            return True

        return await self._transactions.write(body, nudge.view.duel.id)


def _due_players(duel: Duel, now: datetime) -> tuple[int, ...]:
    """The ids of the players to be nudged now; empty if a claim is too old to try again."""
    nudge = nudge_of(duel)
    if nudge is None or nudge[1] > now:
        return ()
    if duel.claimed_at is not None and now > duel.claimed_at + NONCE_LASTS:
        return ()  # It may have been sent; now Discord would take it for another message.
    ids = (duel.seats[seat].player_id or 0 for seat in nudge[0])
    return tuple(player_id for player_id in ids if not is_forgotten(player_id))


def _schedule_next(work: DuelTransaction, duel: Duel) -> None:
    """Save the duel with the time of its next nudge.

    The time is None if nobody is to be nudged, or if that nudge has been claimed already.
    """
    nudge = nudge_of(duel)
    later = nudge[1] if nudge is not None and duel.claimed_at is None else None
    work.save(duel.changed(nudge_at=later))
