"""A player's own data: the summary, the export, the deletion."""

import logging
import random
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.clock import Clock, ended_everywhere_at
from bot.dailies import PuzzleName
from bot.db.database import Database, Transaction
from bot.db.tables import FORGOTTEN
from bot.duels.game import after_deletion
from bot.duels.game import transactions as duel_transactions
from bot.duels.game.after_deletion import Memory
from bot.duels.store import duels
from bot.focdle.game.spent_dailies import let_go, running, spend
from bot.leaderboards.game import establishing
from bot.mastermind.game import transactions as mastermind_transactions
from bot.mastermind.store import masterminds
from bot.pool.threads import in_thread
from bot.privacy.game.cleaning import Cleaning
from bot.privacy.game.export import MOST_BYTES, Document, Export
from bot.privacy.game.members import Members
from bot.privacy.game.noting import Deletions
from bot.privacy.model.deletions import Kind
from bot.privacy.model.errors import (
    DeletedMeanwhileError,
    ExportTooSoonError,
    ExportUnderWayError,
    NotConfirmedError,
)
from bot.privacy.store import erasing, reading, remains, unseen
from bot.privacy.store.reading import Contents, CountsRow

log = logging.getLogger(__name__)

CONFIRMATION: Final = "DELETE"
"""What a player types to confirm a deletion, in any case; the same word in all languages."""

MOST_AT_ONCE: Final = 25_000
"""Who has more games is forgotten in several transactions: one takes a second for 100,000."""

PAGE: Final = 100
"""How many games one transaction reads."""
BETWEEN_EXPORTS: Final = timedelta(minutes=10)
"""How long after a delivered file the next one is refused."""

_STAND_INS: Final = 2**62


@dataclass(frozen=True, slots=True)
class Summary:
    """How much is stored about a player, and what a deletion would come upon.

    Attributes:
        counts: how much.
        running: duels and challenges with other players that go on.
        memory: what is kept of rated duels, so that nobody can shed them.
        spent: dailies that could be played twice if nothing of them were kept.
        spent_until: when the last of their dates has ended everywhere; None without any.
    """

    counts: CountsRow
    running: int
    memory: Memory
    spent: tuple[PuzzleName, ...]
    spent_until: datetime | None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is stored."""
        counts = self.counts
        games = (counts.dailies, counts.practices, counts.masterminds, counts.duels)
        return not any((*games, counts.challenges, counts.servers, counts.others))


class _SeenError(Exception):
    """A player is back, or plays with somebody who is."""


class PlayerData:
    """Use cases around a player's data; each is one transaction unless it says otherwise.

    Args:
        database: where they are.
        clock: what tells the time.
        members: who remembers in memory whom it has written down.
        cleaning: what deletes the games that are nobody's then.
        deletions: what notes that they were deleted.
        dice: what first movers are drawn with where a duel must be looked at.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        members: Members,
        cleaning: Cleaning,
        deletions: Deletions,
        dice: random.Random,
    ) -> None:
        self._database = database
        self._clock = clock
        self._members = members
        self._cleaning = cleaning
        self._deletions = deletions
        # When players may be sent their next file; None while one is under way.
        self._deliveries: dict[int, datetime | None] = {}
        self._dice = dice

    async def summary(self, player_id: int) -> Summary:
        """How much is stored about a player."""
        async with self._database.reading() as tx:
            return await self._summary(tx, player_id, self._clock.now())

    async def export(self, player_id: int, most: int = MOST_BYTES) -> Export:
        """Everything that is stored about a player, as a file.

        It is read a few games at a time, each in a transaction of its own, so that nobody's click
        has to wait for all of them. Only what would give away a game that goes on is left out:
        secrets of running games and dailies, and in a running race what the other does.

        Args:
            player_id: the Discord user.
            most: how many bytes the file may have.

        Raises:
            ExportTooLargeError: not even packed is it small enough.
            DeletedMeanwhileError: the player's data were deleted before all of it was read.
        """
        async with self._database.reading() as tx:
            now = self._clock.now()
            contents = await reading.read_all_but_games(tx, player_id)
        are_all_there = True
        with closing(Document(player_id, now, most)) as document:
            for section in reading.SECTIONS:
                document.begin(section.name)
                await in_thread(document.add, contents.rows.get(section.name, ()))
                ids = contents.games.get(section.name, [])
                for page in (ids[n : n + PAGE] for n in range(0, len(ids), PAGE)):
                    async with self._database.reading() as tx:
                        rows = await reading.read_games(tx, player_id, section, page)
                    are_all_there &= len(rows) == len(page)
                    await in_thread(document.add, rows)
                document.end()
            if not are_all_there:
                await self._require_undeleted(player_id, contents)
            export = await in_thread(document.finish)
        log.info("somebody's data were exported")
        return export

    async def _require_undeleted(self, player_id: int, before: Contents) -> None:
        """Make sure that some games of a player are the player's still."""
        async with self._database.reading() as tx:
            after = await reading.read_all_but_games(tx, player_id)
        if not any(set(ids) & set(after.games[name]) for name, ids in before.games.items()):
            raise DeletedMeanwhileError

    @asynccontextmanager
    async def delivery(self, player_id: int) -> AsyncGenerator[None]:
        """A player's turn to be sent a file; what ends without an error is delivered.

        Raises:
            ExportUnderWayError, ExportTooSoonError: another one is being made, or was delivered of
                late.
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

    async def delete(self, player_id: int, confirmation: str, *, keeps: bool = True) -> Summary:
        """Delete everything about a player.

        One transaction puts a stand-in, an id below 0, in place of the player everywhere. Games
        that are another player's as well stay there so; the others are nobody's then, and go a
        few at a time. Running duels are lost, without a gain for who wins them, and challenges
        that this player is to break are resigned; who breaks this player's code may go on. Of
        dailies whose date has not ended everywhere a digest stays, so that nobody plays one
        twice, and so do for seven days the rating and how often the player has met whom in rated
        duels. Doing it twice does no harm.

        Args:
            player_id: the Discord user.
            confirmation: what the player typed.
            keeps: whether such digests stay, and what others have chosen about the player; else
                those of an earlier deletion go, too.

        Returns:
            What there was before.

        Raises:
            NotConfirmedError: that is not the word.
        """
        # Phones add spaces, full stops and quotation marks of all kinds.
        if "".join(filter(str.isalpha, confirmation)).casefold() != CONFIRMATION.casefold():
            raise NotConfirmedError(text=confirmation)
        before = await self._delete(player_id, keeps=keeps)
        log.info("somebody's data were deleted")
        return before

    async def forget_unseen(self, player_id: int, seen_by: datetime) -> bool:
        """Delete everything about a player who was not seen since; whether that is so.

        Nothing is deleted of a player who is back, or in a game with somebody else that goes on.
        """
        try:
            await self._delete(player_id, seen_by=seen_by)
        except _SeenError:
            return False
        log.info("somebody's data were deleted, who was not seen for long")
        return True

    async def _delete(
        self, player_id: int, *, keeps: bool = True, seen_by: datetime | None = None
    ) -> Summary:
        """Delete everything; what there was. Of who is to be unseen since, only if that is so.

        Raises:
            _SeenError: it is not.
        """
        stand_in = FORGOTTEN - 1 - secrets.randbelow(_STAND_INS)
        async with self._database.transaction() as tx:
            if seen_by is not None and not await unseen.is_unseen(tx, player_id, seen_by):
                raise _SeenError
            before = await self._summary(tx, player_id, self._clock.now())
            are_many = before.counts.practices + before.counts.masterminds > MOST_AT_ONCE
            lines = [] if are_many else await self._forget(tx, player_id, stand_in, keeps=keeps)
        if are_many:
            await self._hand_over(player_id, stand_in)
            async with self._database.transaction() as tx:
                lines = await self._forget(tx, player_id, stand_in, keeps=keeps)
        self._members.forget(player_id)
        self._deliveries.pop(player_id, None)
        for line in lines:
            log.info("%s", line)
        await self._cleaning.begin(stand_in)
        return before

    async def _forget(
        self, tx: Transaction, player_id: int, stand_in: int, *, keeps: bool
    ) -> list[str]:
        """Put the stand-in in place of the player; returns the log's lines about open games."""
        now = self._clock.now()
        lines = await self._leave(tx, player_id, now)
        if keeps:
            await spend(tx, player_id, await running(tx, player_id, now))
            await after_deletion.keep(tx, player_id, now)
        else:
            await let_go(tx, player_id)
            await after_deletion.let_go(tx, player_id)
            await erasing.erase_from_choices(tx, player_id)
        await establishing.leave(tx, player_id)
        await erasing.erase(tx, player_id, stand_in, now)
        await remains.note(tx, stand_in, now)
        await self._members.announce(tx, player_id)
        await self._deletions.note(tx, Kind.PLAYER, player_id, now, keeps=keeps)
        return lines

    async def _hand_over(self, player_id: int, stand_in: int) -> None:
        """Put the stand-in into most of the player's solitary games, some in each transaction."""
        while True:
            async with self._database.transaction() as tx:
                await remains.note(tx, stand_in, self._clock.now())
                if not await remains.hand_over(tx, player_id, stand_in, MOST_AT_ONCE):
                    return

    async def _leave(self, tx: Transaction, player_id: int, now: datetime) -> list[str]:
        """End games with others that go on; returns the log's lines about them."""
        duel = duel_transactions.DuelTransaction(tx, now, self._dice)
        await duel.leave_all(player_id)
        challenge = mastermind_transactions.MastermindTransaction(tx, now)
        await challenge.leave_all(player_id)
        return [*duel.report(), *challenge.report()]

    async def _summary(self, tx: Transaction, player_id: int, now: datetime) -> Summary:
        open_duels = await duels.unfinished(tx, player_id)
        challenges = await masterminds.open_of(tx, player_id, now)
        puzzles = tuple(await running(tx, player_id, now))
        return Summary(
            counts=await reading.count(tx, player_id),
            running=sum(row.strength is None for row in open_duels)
            + sum(row.kind == "challenge" for row in challenges),
            memory=await after_deletion.remembered(tx, player_id, open_duels, now),
            spent=puzzles,
            spent_until=max(map(ended_everywhere_at, puzzles), default=None),
        )
