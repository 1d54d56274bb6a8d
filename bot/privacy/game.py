"""A player's own data: the summary, the export, the deletion."""

import io
import json
import logging
import random
import secrets
import zipfile
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from textwrap import indent
from typing import IO, Final

from bot.clock import Clock, ended_everywhere_at
from bot.dailies import PuzzleName
from bot.db.database import Database, Transaction
from bot.db.leases import Leases
from bot.db.tables import FORGOTTEN
from bot.duels import game as duels_game
from bot.duels import store as duels_store
from bot.duels.game import Memory
from bot.duels.model import State
from bot.errors import StorageError
from bot.failures import Failures
from bot.focdle.plays import ended_everywhere_at as puzzle_ends_at
from bot.focdle.plays import let_go, running, spend
from bot.leaderboards import game as leaderboards_game
from bot.mastermind import game as mastermind_transactions
from bot.mastermind import store as mastermind_store
from bot.mastermind.model import Kind as GameKind
from bot.pool.threads import in_thread
from bot.privacy import erasing, store
from bot.privacy.deletions import Deletions
from bot.privacy.members import Members
from bot.privacy.model import (
    DeletedMeanwhileError,
    ExportTooLargeError,
    ExportTooSoonError,
    ExportUnderWayError,
    Kind,
    NotConfirmedError,
)
from bot.privacy.store import Contents, CountsRow, Row
from bot.shards.game import find_outages
from engine import Mode

# Leaves out of an export whatever would give away a game that somebody can still play. What is left
# out stays in its place as null, and the row says so under `withheld`.

WITHHELD: Final = "withheld"
_BEFORE_PLAY: Final = {State.INVITED, State.SETTING, State.STARTING}
_CODE: Final = "secret"
_SALT: Final = "salt"
# When anybody has moved would tell in a race how often the other has guessed.
_TRACES: Final = ("moved_at", "deadline_at", "stale_at", "nudge_at", "claimed_at", "version")


def hide_play(row: Row, now: datetime) -> None:
    """The secret of a FoCdle that goes on or whose date does, and what leads to it."""
    (puzzle,) = row["puzzle"]
    row["puzzle"] = puzzle
    number = puzzle["number"]
    if number is not None:
        puzzle["day"] = PuzzleName(number, puzzle["length"]).day
    runs = number is not None and now < puzzle_ends_at(PuzzleName(number, puzzle["length"]))
    if row["finished_at"] is None or runs:
        _withhold(puzzle, [_CODE, _SALT])
        for analysis in row["analyses"]:
            _withhold(analysis, ["facts"])


def hide_mastermind(row: Row, player_id: str) -> None:
    """A code that somebody else has set, until it is broken or was given up; its salt so long."""
    is_own = row["kind"] in {GameKind.DEFEND, GameKind.CHALLENGE} and row["owner_id"] == player_id
    # A code that nobody tried to break may be set again.
    was_tried = row["kind"] != GameKind.CHALLENGE or row["accepted_at"] is not None
    if not (row["finished_at"] is not None and was_tried):
        _withhold(row, [_SALT] if is_own else [_CODE, _SALT])


def hide_duel(row: Row, player_id: str) -> None:
    """The other's number before the end; in a race all that the other does."""
    seats: list[Row] = row["seats"]
    own = next(seat["seat"] for seat in seats if seat["player_id"] == player_id)
    row["analyses"] = [found for found in row["analyses"] if found["seat"] == own]
    is_race, is_over = row["mode"] == Mode.RACE.value, row["finished_at"] is not None
    for seat in seats:
        is_known = is_over and row["playing_at"] is not None
        if not is_known:
            is_own = not is_race and seat["player_id"] == player_id
            _withhold(seat, [_SALT] if is_own else [_CODE, _SALT])
    if row["state"] in _BEFORE_PLAY:  # nobody knows yet who moves first
        for seat in seats:
            _withhold(seat, ["seat"])
        seats.sort(key=lambda seat: seat["player_id"] or "")
    if is_race and not is_over:
        row["moves"] = [
            {name: value for name, value in move.items() if name != "number"}
            for move in row["moves"]
            if move["seat"] == own
        ]
        _withhold(row, _TRACES)


def _withhold(row: Row, names: Iterable[str]) -> None:
    hidden = [name for name in names if row[name] is not None]
    for name in hidden:
        row[name] = None
    if hidden:
        row[WITHHELD] = sorted({*row.get(WITHHELD, []), *hidden})


# A player's data as a file. The file is JSON: an object with `format`, `player_id`, `exported_at`,
# and a list for each kind of data. Their objects have the names of the database's columns; what
# belongs to a game stands in the game. Instants are ISO 8601 in UTC, Discord's ids are strings.

FORMAT: Final = 1
"""Grows when names in the file change or go; further names may come at any time."""

MOST_BYTES: Final = 10_000_000
"""What a message on Discord carries."""

_NAME: Final = "my-data"


@dataclass(frozen=True, slots=True)
class Export:
    """A file for a player.

    Attributes:
        name: with its extension.
        content: its bytes.
        is_packed: whether it is a ZIP archive of a JSON file, because that was too large.
    """

    name: str
    content: bytes
    is_packed: bool


class Document:
    """The file while it is made, a few rows at a time; to be closed.

    Only its text is ever in memory, and of a large one only the packed text.

    Args:
        player_id: the Discord user.
        now: the present instant.
        most: how many bytes the file may have.
    """

    def __init__(self, player_id: int, now: datetime, most: int) -> None:
        self._own = str(player_id)
        self._now = now
        self._most = most
        self._file = io.BytesIO()
        self._archive: zipfile.ZipFile | None = None
        self._packing: IO[bytes] | None = None
        self._section, self._is_first = "", True
        head = {"format": FORMAT, "player_id": self._own, "exported_at": now}
        self._write(_text(head).removesuffix("\n}"))

    def begin(self, section: str) -> None:
        """Begin a list of rows."""
        self._section, self._is_first = section, True
        self._write(f',\n "{section}": [')

    def add(self, rows: Iterable[Row]) -> None:
        """Write rows of the list, without what would give away a game that goes on.

        Raises:
            ExportTooLargeError: the file is too large even if packed.
        """
        for row in rows:
            self._hide(row)
            self._write(f"{'' if self._is_first else ','}\n{indent(_text(row), '  ')}")
            self._is_first = False

    def end(self) -> None:
        """End the list."""
        self._write("]" if self._is_first else "\n ]")

    def finish(self) -> Export:
        """The file.

        Raises:
            ExportTooLargeError: it is too large even if packed.
        """
        self._write("\n}")
        is_packed = self._archive is not None
        self.close()
        content = self._file.getvalue()
        if len(content) > self._most:
            raise ExportTooLargeError(most=self._most)
        return Export(f"{_NAME}.{'zip' if is_packed else 'json'}", content, is_packed=is_packed)

    def close(self) -> None:
        """Let go of what packs the file. May be called twice."""
        if self._packing is not None and self._archive is not None:
            self._packing.close()
            self._archive.close()

    def _hide(self, row: Row) -> None:
        match self._section:
            case "focdle":
                hide_play(row, self._now)
            case "mastermind":
                hide_mastermind(row, self._own)
            case "duels":
                hide_duel(row, self._own)
            case "streak_restorations_for_others":
                del row["player_id"]  # that is another player's affair
            case _:
                pass

    def _write(self, text: str) -> None:
        (self._packing or self._file).write(text.encode())
        if self._file.tell() <= self._most:
            return
        if self._packing is not None:
            raise ExportTooLargeError(most=self._most)
        plain, self._file = self._file, io.BytesIO()
        self._archive = zipfile.ZipFile(self._file, "w", zipfile.ZIP_DEFLATED)
        self._packing = self._archive.open(f"{_NAME}.json", "w")
        self._packing.write(plain.getvalue())


def _text(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, default=_iso)


def _iso(value: object) -> str:
    if isinstance(value, date):  # an instant is a date, too
        return value.isoformat()
    raise TypeError(type(value).__name__)


log = logging.getLogger(__name__)

BATCH: Final = 100
"""How many games one transaction deletes."""

FLEETING_FOR: Final = timedelta(days=30)
"""How long games are kept in which nobody has played."""

_WHAT: Final = "nobody's games"
_BOARDS_TAKE: Final = timedelta(minutes=5)
"""The wait until the next look whether public boards still name a deleted player."""
_REST: Final = timedelta(hours=1)
"""The wait until something that failed is tried again."""


class Cleaning:
    """Use cases that a timer calls, so that deletions are finished after a kill, too.

    Args:
        database: the database.
        clock: what tells the time.
        leases: what keeps other processes from doing the same; None where that is no matter.
    """

    def __init__(self, database: Database, clock: Clock, leases: Leases | None = None) -> None:
        self._database = database
        self._clock = clock
        self._leases = leases
        self._failures = Failures(log)

    async def begin(self, stand_in: int) -> None:
        """Delete the first few of what is left under a stand-in: with most players, that is all.

        Their deletion is done by then, whatever becomes of this.
        """
        try:
            await self._attempt(stand_in)
        except StorageError as error:
            log.info("what is nobody's goes later: %s", type(error).__name__)
        await empty_log(self._database)

    async def step(self) -> bool:
        """Delete the next few of what is nobody's any more; whether there was anything to do.

        Each call is a short transaction, so that nobody's click has to wait for all of it: call
        it until there is nothing left. What fails for one does not hold up the others. While
        another process is at it, there is nothing to do.

        Raises:
            StorageError: the database cannot be used now.
        """
        due = await self._database.read(
            lambda tx: erasing.remains_due.find_due(tx, self._clock.now(), most=1)
        )
        if due and self._leases is not None and not await self._leases.keep(_WHAT):
            return False
        for stand_in in due:
            if await self._attempt(stand_in):
                await empty_log(self._database)
        return bool(due)

    async def expire(self) -> bool:
        """Delete some games that nobody has played, if they ended long ago; whether any were there.

        Those are games that were watched, duels that were called off, and challenges that have
        never begun: in them is nobody's record, and one player can make any number. Call it
        like `step`.
        """
        ended_by = self._clock.now() - FLEETING_FOR
        deleted = await self._database.read(lambda tx: erasing.delete_fleeting(tx, ended_by, BATCH))
        return deleted > 0

    async def _attempt(self, stand_in: int) -> bool:
        """Delete a few; whether that was all there is for now."""
        with self._failures.telling(_WHAT, of=stand_in, but=(StorageError,)):
            return await self._delete_some(stand_in)
        await self._database.write(
            lambda tx: erasing.remains_due.put_off(tx, stand_in, self._clock.now() + _REST)
        )
        return False

    async def _delete_some(self, stand_in: int) -> bool:
        def body(tx: Transaction) -> bool:
            if erasing.delete_some(tx, stand_in, BATCH) == BATCH:
                return False
            if erasing.waits_for_boards(tx, stand_in):
                erasing.remains_due.put_off(tx, stand_in, self._clock.now() + _BOARDS_TAKE)
            else:
                erasing.remains_done(tx, stand_in)
            return True

        return await self._database.write(body)


async def empty_log(database: Database) -> None:
    """Take what was deleted out of the database's log, too; if that cannot be now, a sweep will."""
    try:
        is_empty = await database.empty_log()
    except StorageError as error:
        log.info("what was deleted is still in the database's log: %s", type(error).__name__)
    else:
        if not is_empty:
            log.info("what was deleted is still in the database's log: another program reads it")


CONFIRMATION: Final = "DELETE"
"""What a player types to confirm a deletion, in any case; the same word in all languages."""

MOST_DELETED_AT_ONCE: Final = 25_000
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
        return await self._database.read(lambda tx: self._summary(tx, player_id, self._clock.now()))

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
        now = self._clock.now()
        contents = await self._database.read(lambda tx: store.read_all_but_games(tx, player_id))
        are_all_there = True
        with closing(Document(player_id, now, most)) as document:
            for section in store.SECTIONS:
                document.begin(section.name)
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
                await self._require_undeleted(player_id, contents)
            export = await in_thread(document.finish)
        log.info("somebody's data were exported")
        return export

    async def _require_undeleted(self, player_id: int, before: Contents) -> None:
        """Make sure that some games of a player are the player's still."""
        after = await self._database.read(lambda tx: store.read_all_but_games(tx, player_id))
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

        def body(tx: Transaction) -> tuple[Summary, list[str] | None]:
            if seen_by is not None and not store.is_unseen(tx, player_id, seen_by):
                raise _SeenError
            before = self._summary(tx, player_id, self._clock.now())
            are_many = before.counts.practices + before.counts.masterminds > MOST_DELETED_AT_ONCE
            if are_many:
                return before, None
            return before, self._forget(tx, player_id, stand_in, keeps=keeps)

        before, lines = await self._database.write(body)
        if lines is None:
            await self._hand_over(player_id, stand_in)
            lines = await self._database.write(
                lambda tx: self._forget(tx, player_id, stand_in, keeps=keeps)
            )
        self._members.forget(player_id)
        self._deliveries.pop(player_id, None)
        for line in lines:
            log.info("%s", line)
        await self._cleaning.begin(stand_in)
        return before

    def _forget(self, tx: Transaction, player_id: int, stand_in: int, *, keeps: bool) -> list[str]:
        """Put the stand-in in place of the player; returns the log's lines about open games."""
        now = self._clock.now()
        lines = self._leave(tx, player_id, now)
        if keeps:
            spend(tx, player_id, running(tx, player_id, now))
            duels_game.keep(tx, player_id, now)
        else:
            let_go(tx, player_id)
            duels_game.let_go(tx, player_id)
            erasing.erase_from_choices(tx, player_id)
        leaderboards_game.leave(tx, player_id)
        erasing.erase(tx, player_id, stand_in, now)
        erasing.note(tx, stand_in, now)
        self._members.announce(tx, player_id)
        self._deletions.note(tx, Kind.PLAYER, player_id, now, keeps=keeps)
        return lines

    async def _hand_over(self, player_id: int, stand_in: int) -> None:
        """Put the stand-in into most of the player's solitary games, some in each transaction."""

        def body(tx: Transaction) -> bool:
            erasing.note(tx, stand_in, self._clock.now())
            return bool(erasing.hand_over(tx, player_id, stand_in, MOST_DELETED_AT_ONCE))

        while await self._database.write(body):
            pass

    def _leave(self, tx: Transaction, player_id: int, now: datetime) -> list[str]:
        """End games with others that go on; returns the log's lines about them."""
        duel = duels_game.DuelTransaction(tx, now, self._dice)
        duel.leave_all(player_id)
        challenge = mastermind_transactions.MastermindTransaction(tx, now)
        challenge.leave_all(player_id)
        return [*duel.report(), *challenge.report()]

    def _summary(self, tx: Transaction, player_id: int, now: datetime) -> Summary:
        open_duels = duels_store.unfinished(tx, player_id)
        challenges = mastermind_store.open_of(tx, player_id, now)
        puzzles = tuple(running(tx, player_id, now))
        return Summary(
            counts=store.count(tx, player_id),
            running=sum(row.strength is None for row in open_duels)
            + sum(row.kind == "challenge" for row in challenges),
            memory=duels_game.remembered(tx, player_id, open_duels, now),
            spent=puzzles,
            spent_until=max(map(ended_everywhere_at, puzzles), default=None),
        )


MOST_AT_ONCE: Final = 10
"""How many people one round forgets: nobody waits for it, and nobody shall."""

_FORGETTING: Final = "unseen people"


class Unseen:
    """A use case that a timer calls.

    Args:
        database: where people are noted.
        clock: what tells the time.
        players: what forgets them, as if they had asked for it.
        leases: what keeps other processes from doing the same; None where that is no matter.
    """

    def __init__(
        self, database: Database, clock: Clock, players: PlayerData, leases: Leases | None = None
    ) -> None:
        self._database = database
        self._clock = clock
        self._players = players
        self._leases = leases
        self._failures = Failures(log)

    async def forget_some(self, after: timedelta) -> int:
        """Forget a few people who were not seen for long; how many.

        Each is a deletion of its own, as by `/privacy`. Nobody is forgotten whose duel or challenge
        goes on, and what time the bot itself was away does not count. While another process is at
        it, nobody is.

        Args:
            after: how long they were not seen.

        Raises:
            StorageError: the database cannot be used now.
        """

        def body(tx: Transaction) -> tuple[datetime, list[int]]:
            seen_by = self._seen_by(tx, after)
            return seen_by, store.find(tx, seen_by, MOST_AT_ONCE)

        seen_by, found = await self._database.read(body)
        if not found or (self._leases is not None and not await self._leases.keep(_FORGETTING)):
            return 0
        forgotten = 0
        for player_id in found:
            with self._failures.telling(_FORGETTING, of=player_id, but=(StorageError,)):
                forgotten += await self._players.forget_unseen(player_id, seen_by)
        return forgotten

    def _seen_by(self, tx: Transaction, after: timedelta) -> datetime:
        """The last instant at which somebody may have been seen who is forgotten now."""
        now = self._clock.now()
        outages = find_outages(tx, now - after, now, now, with_brief=False)
        away = sum((outage.ended_at - outage.began_at for outage in outages), timedelta())
        return now - after - away
