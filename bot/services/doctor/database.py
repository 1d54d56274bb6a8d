"""The doctor's look at the database: nothing in it changes, and a bot may run beside it."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from bot.errors import (
    NewerDatabaseError,
    NoDatabaseError,
    StorageBusyError,
    StorageError,
    UnusableDatabaseError,
)
from bot.model.outages import Pulse
from bot.patience import MOST_SECONDS
from bot.services.base.clock import Clock
from bot.services.doctor.findings import Finding, WeakKey, WeakKeyInUse
from bot.services.doctor.of_database import (
    BotRuns,
    BotVanished,
    Damaged,
    DatabaseToCome,
    DatabaseUnusable,
    LeasesHeld,
    NoBotRuns,
    ProcessesRun,
    SchemaCurrent,
    SchemaEmpty,
    SchemaOlder,
    ServerFound,
    ServerTooOld,
    SeveralPrograms,
    SizeFound,
    TablesMissing,
    TooLargeToLookThrough,
    Whole,
    WriteBusy,
    WriteRefused,
    WriteSlow,
    WriteTook,
)
from bot.services.focdle.daily_secrets import is_weak
from bot.services.privacy.servers import APPLICATION
from bot.services.server.heartbeat import BEAT_SECONDS
from bot.services.told import SYNCED
from bot.storage import emojis, examining, facts, leases
from bot.storage.damage import damage_in
from bot.storage.database import Copies, Database, file_at
from bot.storage.examining import Age
from bot.storage.focdle import puzzles
from bot.storage.server import pulses

PATIENCE_SECONDS: Final = MOST_SECONDS
"""How long to wait for others, as the bot does."""

_LIVE: Final = timedelta(seconds=2 * BEAT_SECONDS)
_LOOK_THROUGH_SECONDS: Final = 120.0
_PROCESSES: Final = Path("/proc")
_SLOW_SECONDS: Final = 0.5
OLDEST_POSTGRES: Final = 13


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


class DatabaseCheckup:
    """Looks at one database, step by step.

    Args:
        url: the database, as an SQLAlchemy URL that can be used.
        clock: what tells the time.
        key: the key that the host has set, if any.
        copies: those from before migrations.
        is_shared: whether it is one that several processes may share.

    Attributes:
        file: where it is, if it is a file.
    """

    def __init__(
        self, url: str, clock: Clock, key: str | None, copies: Copies, *, is_shared: bool
    ) -> None:
        self._url = url
        self._clock = clock
        self._key = key
        self._copies = copies
        self._is_shared = is_shared
        self._database: Database | None = None
        self._age: Age | None = None
        file = file_at(url)
        self.file = None if file is None else file.resolve()

    async def schema(self) -> AsyncIterator[Finding]:
        """Whether it is there, and how its schema stands to this version's; the first step."""
        try:
            database = Database.as_it_is(self._url, patience=PATIENCE_SECONDS)
            found = await examining.schema_of(database)
        except NoDatabaseError:
            yield DatabaseToCome(path=str(self.file))
            return
        except StorageError as error:
            yield DatabaseUnusable(error=error)
            return
        self._database, self._age = database, found.age
        if found.age is Age.EMPTY:
            yield SchemaEmpty()
        elif found.age is Age.NEWER:
            yield DatabaseUnusable(error=NewerDatabaseError(self._copies.to_go_back_to()))
        elif found.age is Age.OLDER:
            yield SchemaOlder(revision=found.revision or "", newest=found.newest)
        elif found.missing:
            yield TablesMissing(tables=", ".join(found.missing))
        else:
            yield SchemaCurrent(revision=found.newest)

    async def server(self) -> AsyncIterator[Finding]:
        """Which server it is on, if it is on one."""
        if self._is_shared and self._database is not None:
            version, number = await examining.server_version(self._database)
            kind = ServerTooOld if number < OLDEST_POSTGRES else ServerFound
            yield kind(version=version)

    async def whole(self) -> AsyncIterator[Finding]:
        """Whether anything in its file is damaged."""
        if self.file is None or not self.file.is_file():
            return
        damage = await asyncio.to_thread(damage_in, self.file, _LOOK_THROUGH_SECONDS)
        if damage is None:
            yield TooLargeToLookThrough(seconds=round(_LOOK_THROUGH_SECONDS))
        elif damage:
            yield Damaged(problem=damage)
        else:
            yield Whole()

    async def size(self) -> AsyncIterator[Finding]:
        """How large it is."""
        if self._database is not None:
            yield SizeFound(size=await examining.size_of(self._database, self.file))

    async def write(self) -> AsyncIterator[Finding]:
        """Whether it can be written, and how long that takes."""
        if self._database is None:
            return
        try:
            seconds = await examining.seconds_of_a_write(
                self._database, self.file, PATIENCE_SECONDS
            )
        except StorageBusyError:
            yield WriteBusy(seconds=round(PATIENCE_SECONDS))
        except UnusableDatabaseError as error:
            yield WriteRefused(reason=str(error))
        else:
            kind = WriteSlow if seconds > _SLOW_SECONDS else WriteTook
            yield kind(milliseconds=round(seconds * 1000))

    async def others(self) -> AsyncIterator[Finding]:
        """Which programs work with it now."""
        pids: list[int] = []
        if self.file is not None:
            pids = await asyncio.to_thread(programs_with, self.file)
        if self._database is not None and self._age is Age.CURRENT:
            now = self._clock.now()
            async with self._database.reading() as tx:
                live = [pulse for pulse in await pulses.get(tx) if _is_live(pulse, now)]
                held = await leases.held(tx, now)
            yield _who_is_there(live, held, now, None if self._is_shared else pids)
        if len(pids) > 1:
            yield SeveralPrograms(pids=", ".join(map(str, pids)))

    async def key(self) -> AsyncIterator[Finding]:
        """Whether the bot would start with the key that the host has set."""
        if self._key is None or not is_weak(self._key):
            return
        is_in_use = False
        if self._database is not None and self._age is Age.CURRENT:
            async with self._database.reading() as tx:
                is_in_use = await puzzles.has_dailies(tx)
        yield WeakKeyInUse() if is_in_use else WeakKey()

    async def known(self, application_id: int) -> Known:
        """What it knows of Discord; nothing if it cannot be read."""
        if self._database is not None and self._age is Age.CURRENT:
            with suppress(StorageError):  # of which other steps tell
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


def _is_live(pulse: Pulse, now: datetime) -> bool:
    return pulse.silent_since is None and abs(now - pulse.beat_at) < _LIVE


def _who_is_there(
    live: Sequence[Pulse], held: Sequence[str], now: datetime, pids: Sequence[int] | None
) -> Finding:
    """What pulses and leases tell of bots; `pids` have the file open, if it is one."""
    if not live:
        return LeasesHeld(names=", ".join(held)) if held else NoBotRuns()
    last = max(pulse.beat_at for pulse in live)
    seconds = max(0, round((now - last).total_seconds()))
    if pids is None:
        processes = len({pulse.process for pulse in live})
        return ProcessesRun(processes=processes, shards=len(live), seconds=seconds)
    is_hidden = _tells_of_files() and not pids
    return BotVanished(seconds=seconds) if is_hidden else BotRuns(seconds=seconds)


def _tells_of_files() -> bool:
    """Whether this system tells which program has which file open."""
    return _PROCESSES.is_dir()


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
