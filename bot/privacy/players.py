"""A player's data: summary, export, deletion, and expiry after long absence."""

import logging
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from bot.clock import Clock
from bot.db.database import Database, Transaction
from bot.db.leases import Leases
from bot.duels import store as duels_store
from bot.errors import StorageError
from bot.failures import Failures
from bot.features import FEATURES
from bot.leaderboards import store as leaderboards_store
from bot.mastermind import store as mastermind_store
from bot.moderation import store as moderation_store
from bot.outages import Downtime
from bot.people import store as people_store
from bot.people.game import AFTER_DELETION
from bot.people.members import Members
from bot.pool.pool import in_thread
from bot.privacy import erasing, store
from bot.privacy.deletion_log import Deletions, checkpoint
from bot.privacy.export import MOST_BYTES, Export, ExportWriter
from bot.privacy.model import (
    CONFIRMATION,
    DeletedMeanwhileError,
    ExportTooSoonError,
    ExportUnderWayError,
    Keeps,
    NotConfirmedError,
    Owner,
)
from bot.privacy.store import CountsRow
from bot.shards.game import find_outages
from bot.text.language import say

log = logging.getLogger(__name__)

BATCH: Final = 100
"""The most games that one transaction of `Cleaning` deletes."""

FLEETING_FOR: Final = timedelta(days=30)
"""The time for which games in nobody's record are kept after their end."""


class Cleaning:
    """The scheduled deletion of games in nobody's record."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def expire(self) -> bool:
        """Delete some games that no player is left of, or that ended long ago without being played.

        Return true if there were any: then call it again. Each call is a short transaction that
        holds up no click.
        """
        ended_by = self._clock.now() - FLEETING_FOR
        deleted = await self._database.read(lambda tx: erasing.delete_ended(tx, ended_by, BATCH))
        return deleted > 0


PAGE: Final = 100
"""The most games that one transaction of an export reads."""
BETWEEN_EXPORTS: Final = timedelta(minutes=10)
"""The time between two exports of a player."""

_STAND_INS: Final = 2**62


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of a player's data; `running` counts open duels and challenges with others."""

    counts: CountsRow
    running: int

    @property
    def is_empty(self) -> bool:
        counts = self.counts
        games = (counts.dailies, counts.practices, counts.masterminds, counts.duels)
        return not any((*games, counts.challenges, counts.servers, counts.others))


class _SeenError(Exception):
    """The player was seen again, or has an open duel or challenge."""


class PlayerData:
    """Use cases of a player's data; each is one transaction unless it says otherwise."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        members: Members,
        deletions: Deletions,
    ) -> None:
        self._database = database
        self._clock = clock
        self._members = members
        self._deletions = deletions
        # When each player may be sent the next file; None while one is under way.
        self._deliveries: dict[int, datetime | None] = {}

    async def summary(self, player_id: int) -> Summary:
        return await self._database.read(lambda tx: self._summary(tx, player_id, self._clock.now()))

    async def export(self, player_id: int, most: int = MOST_BYTES) -> Export:
        """Export all of a player's data as a file, which may have at most `most` bytes.

        It reads a few games in each transaction, so that no click has to wait for all of them. It
        leaves out what is still secret, and others' guesses in races.

        Raises:
            ExportTooLargeError: the file is too large even when packed.
            DeletedMeanwhileError: the player has deleted their data meanwhile.
        """
        now = self._clock.now()
        contents = await self._database.read(lambda tx: store.read_all_but_games(tx, player_id))
        are_all_there = True
        with closing(ExportWriter(player_id, now, most)) as document:
            for section in store.SECTIONS:
                document.begin(section)
                await in_thread(document.add, contents.rows.get(section.name, ()))
                ids = contents.games.get(section.name, [])
                for page in (ids[n : n + PAGE] for n in range(0, len(ids), PAGE)):
                    rows = await self._database.read(
                        partial(store.read_games, player_id=player_id, section=section, ids=page)
                    )
                    are_all_there &= len(rows) == len(page)
                    await in_thread(document.add, rows)
                document.end()
            if not are_all_there:
                left = await self._database.read(
                    lambda tx: store.read_all_but_games(tx, player_id).games
                )
                if not any(set(ids) & set(left[name]) for name, ids in contents.games.items()):
                    raise DeletedMeanwhileError
            export = await in_thread(document.finish)
        log.info("somebody's data were exported")
        return export

    @asynccontextmanager
    async def delivery(self, player_id: int) -> AsyncGenerator[None]:
        """Let a block send a player a file; if it ends without an error, that counts as delivered.

        Raises:
            ExportUnderWayError: a file for this player is being made.
            ExportTooSoonError: the last one was delivered less than `BETWEEN_EXPORTS` ago.
        """
        now = self._clock.now()
        turns = {who: at for who, at in self._deliveries.items() if at is None or at > now}
        if player_id in turns:
            again_at = turns[player_id]
            raise ExportUnderWayError if again_at is None else ExportTooSoonError(again_at=again_at)
        self._deliveries = {**turns, player_id: None}
        try:
            yield
        except BaseException:
            self._deliveries.pop(player_id, None)
            raise
        self._deliveries[player_id] = self._clock.now() + BETWEEN_EXPORTS

    async def delete(self, player_id: int, confirmation: str, keeps: Keeps = Keeps.MARK) -> Summary:
        """Delete all of a player's data; return a summary of what they were.

        Games with another player stay, with a stand-in, an id below 0, in place of the player.
        Running duels are resigned, as are challenges in which the player breaks a code. Whoever
        breaks this player's code may go on. A second deletion does no harm.

        Args:
            confirmation: the typed text; `NotConfirmedError` if its letters, in any case, are not
                `CONFIRMATION`, in English or the current language.
        """
        # Phones add spaces, full stops and quotation marks of all kinds.
        typed = "".join(filter(str.isalpha, confirmation)).casefold()
        if typed not in {CONFIRMATION.casefold(), say(CONFIRMATION).casefold()}:
            raise NotConfirmedError(text=confirmation)
        before = await self._delete(player_id, keeps)
        log.info("somebody's data were deleted")
        return before

    async def forget_unseen(self, player_id: int, seen_by: datetime) -> bool:
        """Delete a player's data unless they were seen after `seen_by`; return true if deleted.

        Nothing is deleted of a player who has an open duel or challenge.
        """
        try:
            await self._delete(player_id, Keeps.CHOICES, seen_by=seen_by)
        except _SeenError:
            return False
        log.info("the data of somebody not seen for long were deleted")
        return True

    async def _delete(
        self, player_id: int, keeps: Keeps, seen_by: datetime | None = None
    ) -> Summary:
        """Delete a player's data; return a summary of what they were.

        With `seen_by`, raise `_SeenError` if the player was seen later, or has an open duel or
        challenge.
        """

        def body(tx: Transaction) -> tuple[Summary, list[str]]:
            if seen_by is not None and not store.is_unseen(tx, player_id, seen_by):
                raise _SeenError
            before = self._summary(tx, player_id, self._clock.now())
            return before, self._forget(tx, player_id, keeps, is_empty=before.is_empty)

        before, lines = await self._database.write(body)
        self._deliveries.pop(player_id, None)
        for line in lines:
            log.info("%s", line)
        await checkpoint(self._database)
        return before

    def _forget(
        self, tx: Transaction, player_id: int, keeps: Keeps, *, is_empty: bool
    ) -> list[str]:
        """Delete a player's data; return log lines about the games that this has ended."""
        now = self._clock.now()
        lines = [
            line
            for feature in FEATURES
            if feature.leave is not None
            for line in feature.leave(tx, player_id, now) or ()
        ]
        if keeps is Keeps.NOTHING:
            moderation_store.drop_all_of(tx, player_id)
            erasing.erase_from_choices(tx, player_id)
            people_store.forget_deletion(tx, player_id)
        elif keeps is Keeps.MARK and not is_empty:
            people_store.note_deletion(tx, player_id, now + AFTER_DELETION)
        leaderboards_store.queue_opponents(tx, player_id)
        stand_in = -1 - secrets.randbelow(_STAND_INS)
        erasing.erase(tx, player_id, stand_in, now)
        self._members.announce(tx, player_id)
        self._deletions.note(tx, Owner.PLAYER, player_id, now, keeps)
        return lines

    def _summary(self, tx: Transaction, player_id: int, now: datetime) -> Summary:
        open_duels = duels_store.unfinished(tx, player_id)
        challenges = mastermind_store.open_of(tx, player_id, now)
        return Summary(
            counts=store.count(tx, player_id),
            running=sum(row.strength is None for row in open_duels)
            + sum(row.kind == "challenge" for row in challenges),
        )


MOST_AT_ONCE: Final = 10
"""The most players whom one call of `Unseen.forget_some` deletes: nobody waits for it."""

_FORGETTING: Final = "unseen people"


class Unseen:
    """The scheduled deletion of players absent for long; a lease keeps it to one process."""

    def __init__(
        self, database: Database, clock: Clock, players: PlayerData, leases: Leases | None
    ) -> None:
        self._database = database
        self._clock = clock
        self._players = players
        self._leases = leases
        self._failures = Failures(log)

    async def forget_some(self, after: timedelta) -> int:
        """Delete a few players who were absent for as long as `after`; return their number.

        They are deleted as by `/privacy`. Players with an open duel or challenge stay. Outages of
        the bot do not count as absence. A process without the lease deletes nobody.
        """

        def body(tx: Transaction) -> tuple[datetime, list[int]]:
            now = self._clock.now()
            outages = find_outages(tx, now - after, now, now, with_brief=False)
            since = min((outage.began_at for outage in outages), default=now)
            seen_by = now - after - Downtime(outages).between(since, now)
            return seen_by, store.find_unseen(tx, seen_by, MOST_AT_ONCE)

        seen_by, found = await self._database.read(body)
        if not found or (self._leases is not None and not await self._leases.renew(_FORGETTING)):
            return 0
        forgotten = 0
        for player_id in found:
            with self._failures.telling(_FORGETTING, of=player_id, but=(StorageError,)):
                forgotten += await self._players.forget_unseen(player_id, seen_by)
        return forgotten
