"""The doctor's look at the database: nothing in it changes, and a bot may run beside it."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Final, NamedTuple

from bot.backups.making import CopiesBefore
from bot.clock import Clock
from bot.config import Settings, is_for_many
from bot.db import facts, leases, restoring
from bot.db.backing_up import damage_in
from bot.db.database import Database, file_at, known_revisions
from bot.errors import (
    NewerDatabaseError,
    NoDatabaseError,
    StorageBusyError,
    StorageError,
    UnusableDatabaseError,
)
from bot.focdle import store as focdle_store
from bot.focdle.plays import is_weak
from bot.hosting.doctor.finding import Finding, counted, error, fine, left_out, size, warning
from bot.hosting.terminal import weak_key
from bot.patience import MOST_SECONDS
from bot.privacy.servers import APPLICATION
from bot.shards import store as shards_store
from bot.shards.game import BEAT_SECONDS
from bot.uploads import digests as emojis
from bot.uploads.told import SYNCED

PATIENCE_SECONDS: Final = MOST_SECONDS
"""How long to wait for others, as the bot does."""

_LIVE: Final = timedelta(seconds=2 * BEAT_SECONDS)
_LOOK_THROUGH_SECONDS: Final = 120.0
_PROCESSES: Final = Path("/proc")
_SLOW_SECONDS: Final = 0.5


class Known(NamedTuple):
    """What the database knows of Discord."""

    synced: str | None = None
    """The fingerprint of the commands that Discord was last told; None before that."""
    owner: int | None = None
    """The application whose servers these are; None before the first login."""
    digests: Mapping[str, str] = {}
    """Those of the pictures that the application's emojis were made from, by name."""


class DatabaseChecks:
    """Checks of the database that settings name, one after the other; `file` is where it is."""

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
            revision, lacks = await restoring.schema_of(database)
        except StorageError:
            await database.close()
            raise
        newest = known_revisions()[-1]
        self._database, self._is_current = database, revision == newest
        if revision is None:
            yield fine("There are no tables yet: the first start makes them.")
        elif revision not in known_revisions():
            copies = CopiesBefore(self._settings.backups.folder, self._clock)
            yield error(NewerDatabaseError(copies.to_go_back_to()).advice)
        elif revision != newest:
            yield warning(
                f"The tables are those of an earlier version ({revision}; this one has {newest}): "
                "the next start brings them up to date.",
                "Make a backup before.",
            )
        elif lacks:
            yield error(
                f"Tables are missing: {', '.join(lacks)}.", "Stop the bot, and restore a backup."
            )
        else:
            yield fine(f"The tables are those of this version ({newest}).")

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
            yield fine(f"It takes {size(await restoring.size_of(self._database, self.file))}.")

    async def write(self) -> AsyncIterator[Finding]:
        """Whether it can be written, and how long that takes."""
        if self._database is None:
            return
        try:
            seconds = await restoring.seconds_of_a_write(
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
        if database := self._readable:
            yield fine(await self._who_is_there(database, pids))
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
                for pulse in await shards_store.get_pulses(tx)
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
        if database := self._readable:
            async with database.reading() as tx:
                is_in_use = await focdle_store.has_dailies(tx)
        told = weak_key(is_in_use=is_in_use)
        yield warning(told) if is_in_use else error(told)

    async def known(self, application_id: int) -> Known:
        """What it knows of Discord; nothing if it cannot be read."""
        if database := self._readable:
            with suppress(StorageError):  # of which other checks tell
                async with database.reading() as tx:
                    owner = await facts.get(tx, APPLICATION)
                    return Known(
                        await facts.get(tx, SYNCED),
                        None if owner is None else int(owner),
                        await emojis.get(tx, application_id),
                    )
        return Known()

    @property
    def _readable(self) -> Database | None:
        """The database, if its tables are those that this version knows."""
        return self._database if self._is_current else None

    async def close(self) -> None:
        """Disconnect."""
        if self._database is not None:
            await self._database.close()


def programs_with(file: Path) -> list[int]:
    """The numbers of other programs that have a file open; Linux tells of this user's alone."""
    if not file.is_file():
        return []
    there, found = file.stat(), set[int]()
    for process in _PROCESSES.glob("[0-9]*"):
        with suppress(OSError):  # it is gone, or another user's
            for link in (process / "fd").iterdir():
                with suppress(OSError):  # it was closed meanwhile
                    if os.path.samestat(link.stat(), there):
                        found.add(int(process.name))
    return sorted(found - {os.getpid()})
