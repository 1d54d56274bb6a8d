"""The doctor's look at the database: nothing in it changes, and a bot may run beside it."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Final

from bot.config import Settings, is_for_many
from bot.errors import (
    NewerDatabaseError,
    NoDatabaseError,
    StorageBusyError,
    StorageError,
    UnusableDatabaseError,
)
from bot.hosting.doctor.finding import Finding, counted, error, fine, left_out, size, warning
from bot.patience import MOST_SECONDS
from bot.presentation.console import bad_database
from bot.presentation.settings import weak_key
from bot.services.backups.before_migrating import CopiesBefore
from bot.services.base.clock import Clock
from bot.services.focdle.daily_secrets import is_weak
from bot.services.privacy.servers import APPLICATION
from bot.services.server.heartbeat import BEAT_SECONDS
from bot.services.told import SYNCED
from bot.storage import emojis, examining, facts, leases
from bot.storage.damage import damage_in
from bot.storage.database import Database, file_at
from bot.storage.examining import Age
from bot.storage.focdle import puzzles
from bot.storage.server import pulses

PATIENCE_SECONDS: Final = MOST_SECONDS
"""How long to wait for others, as the bot does."""

_LIVE: Final = timedelta(seconds=2 * BEAT_SECONDS)
_LOOK_THROUGH_SECONDS: Final = 120.0
_PROCESSES: Final = Path("/proc")
_SLOW_SECONDS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Known:
    """What the database knows of Discord.

    Attributes:
        synced: the fingerprint of the commands that Discord was last told; None before that.
        owner: the application whose servers these are; None before the first login.
        digests: those of the pictures that the application's emojis were made from, by name.
    """

    synced: str | None = None
    owner: int | None = None
    digests: Mapping[str, str] = field(default_factory=dict[str, str])


class DatabaseChecks:
    """Checks of one database, one after the other.

    Args:
        settings: those that the host has made; their database can be one.
        clock: what tells the time.

    Attributes:
        file: where it is, if it is a file.
    """

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._is_shared = is_for_many(settings.database_url)
        self._database: Database | None = None
        self._is_current = False
        file = file_at(settings.database_url)
        self.file = None if file is None else file.resolve()

    async def schema(self) -> AsyncIterator[Finding]:
        """Whether it is there, and how its schema stands to this version's; the first check."""
        try:
            database = Database.as_it_is(self._settings.database_url, patience=PATIENCE_SECONDS)
        except NoDatabaseError:
            yield fine(
                f"There is no database at {self.file} yet: the first start makes it.",
                "If there should be one, start this and the bot in its folder, or check "
                "DATABASE_URL.",
            )
            return
        try:
            if version := await database.test():
                yield fine(f"PostgreSQL answers, version {version}.")
            found = await examining.schema_of(database)
        except StorageError:
            await database.close()
            raise
        self._database, self._is_current = database, found.age is Age.CURRENT
        match found.age:
            case Age.EMPTY:
                yield fine("There are no tables yet: the first start makes them.")
            case Age.NEWER:
                copies = CopiesBefore(self._settings.backups.folder, self._clock)
                yield error(bad_database(NewerDatabaseError(copies.to_go_back_to())))
            case Age.OLDER:
                yield warning(
                    f"The tables are those of an earlier version ({found.revision}; this one has "
                    f"{found.newest}): the next start brings them up to date.",
                    "Make a backup before.",
                )
            case Age.CURRENT if found.missing:
                yield error(
                    f"Tables are missing: {', '.join(found.missing)}.",
                    "Stop the bot, and restore a backup.",
                )
            case Age.CURRENT:
                yield fine(f"The tables are those of this version ({found.newest}).")

    async def whole(self) -> AsyncIterator[Finding]:
        """Whether anything in its file is damaged."""
        if self.file is None or not self.file.is_file():
            return
        damage = await asyncio.to_thread(damage_in, self.file, _LOOK_THROUGH_SECONDS)
        if damage is None:
            yield left_out(
                "Its file was not looked through for damage: that took more than "
                f"{_LOOK_THROUGH_SECONDS:.0f} s."
            )
        elif damage:
            yield error(
                f"Its file is damaged ({damage}).",
                "Stop the bot, put the file and those beside it aside, and restore a backup.",
            )
        else:
            yield fine("Its file was looked through, and is whole.")

    async def size(self) -> AsyncIterator[Finding]:
        """How large it is."""
        if self._database is not None:
            yield fine(f"It takes {size(await examining.size_of(self._database, self.file))}.")

    async def write(self) -> AsyncIterator[Finding]:
        """Whether it can be written, and how long that takes."""
        if self._database is None:
            return
        try:
            seconds = await examining.seconds_of_a_write(
                self._database, self.file, PATIENCE_SECONDS
            )
        except StorageBusyError:
            yield error(
                f"Another program has held the database for more than {PATIENCE_SECONDS:.0f} s, so "
                "nobody can write.",
                "End it, if it is none of yours, or wait for it: a backup, sqlite3, another bot.",
            )
        except UnusableDatabaseError as refused:
            yield error(
                f"Nothing can be written to the database ({refused}).",
                "Check whether the disk has room, and whether the bot may write there (to a file's "
                "folder, too).",
            )
        else:
            took = f"Writing takes {seconds * 1000:.0f} ms"
            if seconds > _SLOW_SECONDS:
                yield warning(
                    f"{took}: players wait for that with each guess.",
                    "Is the disk slow or busy, or another program at the database?",
                )
            else:
                yield fine(f"{took}, and was taken back.")

    async def others(self) -> AsyncIterator[Finding]:
        """Which programs work with it now."""
        pids: list[int] = []
        if self.file is not None:
            pids = await asyncio.to_thread(programs_with, self.file)
        if self._database is not None and self._is_current:
            yield fine(await self._who_is_there(self._database, pids))
        if len(pids) > 1:
            them = ", ".join(map(str, pids))
            yield warning(
                f"These programs have the file open: {them}. Only one of them may be a bot.",
                f"Find out what they are with: ps -fp {them}",
            )

    async def _who_is_there(self, database: Database, pids: list[int]) -> str:
        """What pulses and leases tell of bots; some programs have the file open, if it is one."""
        now = self._clock.now()
        async with database.reading() as tx:
            live = [
                pulse
                for pulse in await pulses.get(tx)
                if pulse.silent_since is None and abs(now - pulse.beat_at) < _LIVE
            ]
            held = await leases.held(tx, now)
        if not live and held:
            return (
                f"No bot was heard of late, but one is at work ({', '.join(held)}): it starts, "
                "ends, or was killed within the last minute."
            )
        if not live:
            return "No bot answers from it now."
        last = max(pulse.beat_at for pulse in live)
        seconds = max(0, round((now - last).total_seconds()))
        if self._is_shared:
            bots = counted(
                len({pulse.process for pulse in live}),
                "process of the bot answers",
                "processes of the bot answer",
            )
            shards = counted(len(live), "shard")
            return f"{bots} from this database, by {shards}, last heard {seconds} s ago."
        if _PROCESSES.is_dir() and not pids:
            return (
                f"A bot was heard {seconds} s ago, but no program has the file open that can be "
                "seen from here: it was killed, or runs as another user or in a container."
            )
        return (
            f"A bot answers from it, last heard {seconds} s ago. Start no other one with the same "
            "file."
        )

    async def key(self) -> AsyncIterator[Finding]:
        """Whether the bot would start with the key that the host has set."""
        key = self._settings.puzzle_key
        if key is None or not is_weak(key):
            return
        is_in_use = False
        if self._database is not None and self._is_current:
            async with self._database.reading() as tx:
                is_in_use = await puzzles.has_dailies(tx)
        told = weak_key(is_in_use=is_in_use)
        yield warning(told) if is_in_use else error(told)

    async def known(self, application_id: int) -> Known:
        """What it knows of Discord; nothing if it cannot be read."""
        if self._database is not None and self._is_current:
            with suppress(StorageError):  # of which other checks tell
                async with self._database.reading() as tx:
                    owner = await facts.get(tx, APPLICATION)
                    return Known(
                        await facts.get(tx, SYNCED),
                        None if owner is None else int(owner),
                        await emojis.get(tx, application_id),
                    )
        return Known()

    async def close(self) -> None:
        """Disconnect."""
        if self._database is not None:
            await self._database.close()


def programs_with(file: Path) -> list[int]:
    """The numbers of other programs that have a file open, as far as this system tells.

    Linux tells of those that this user has started.
    """
    if not file.is_file():
        return []
    there, found = file.stat(), list[int]()
    for process in _PROCESSES.glob("[0-9]*"):
        with suppress(OSError):  # it is gone, or another user's
            if int(process.name) != os.getpid() and any(
                _is_same(link, there) for link in (process / "fd").iterdir()
            ):
                found.append(int(process.name))
    return sorted(found)


def _is_same(link: Path, there: os.stat_result) -> bool:
    try:
        return os.path.samestat(link.stat(), there)
    except OSError:  # it was closed meanwhile
        return False
