"""The doctor's program: looks at everything, whatever of it fails, and says so in a line each."""

import argparse
import asyncio
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import aiohttp

from bot.asking import DISCORD, asking
from bot.config import Settings, SettingsError, is_for_many
from bot.doctor.at_discord import SECONDS, DiscordCheckup
from bot.doctor.settings import NEEDED, URL, read_all
from bot.errors import StorageError
from bot.presentation.base.language import say
from bot.presentation.doctor import report
from bot.services.backups.before_migrating import CopiesBefore
from bot.services.base.clock import SystemClock
from bot.services.doctor.database import DatabaseCheckup, Known
from bot.services.doctor.findings import (
    BadSetting,
    CouldNotLook,
    Finding,
    FoundError,
    NotLookedAt,
    SettingsFound,
    Weight,
)
from bot.services.doctor.machine import (
    look_at_folder,
    look_at_python,
    look_at_readers,
    look_at_zones,
)
from bot.services.doctor.of_database import DatabaseUnusable
from bot.variables import ENV, read_environment

Step = Callable[[], AsyncIterator[Finding]]

_STATUS: Final = {Weight.ERROR: 2, Weight.WARNING: 1}
_HIDDEN: Final = "[hidden]"
_OFFLINE: Final = "--offline"


class _Options(argparse.Namespace):
    """What is wanted, by the arguments' names."""

    offline: bool


def main(
    arguments: Sequence[str] | None = None, *, discord: str = DISCORD, seconds: float = SECONDS
) -> int:
    """Run the program.

    Args:
        arguments: what follows its name on the command line; None for the process's own.
        discord: where Discord's interface is.
        seconds: how long each of its answers may take.

    Returns:
        Its exit status: 0 if all is well, 1 if there are warnings, 2 if there are errors.
    """
    wanted = _parser().parse_args(arguments, _Options())
    doctor = _Doctor({**os.environ})
    address = None if wanted.offline else discord
    return asyncio.run(doctor.examine(address, seconds))


class _Doctor:
    """Goes from group to group, and writes down each finding as soon as there is one."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._clock = SystemClock()
        self._secrets: tuple[str, ...] = ()
        self._weights = Counter[Weight]()
        is_plain = "NO_COLOR" in environment or environment.get("TERM") == "dumb"
        self._is_coloured = sys.stdout.isatty() and not is_plain

    async def examine(self, discord: str | None, seconds: float) -> int:
        """Look at everything; returns the exit status.

        Args:
            discord: where Discord's interface is; None to ask it nothing.
            seconds: how long each of its answers may take.
        """
        self._begin(report.SETTINGS)
        settings, bad = self._read_settings()
        self._begin(report.MACHINE)
        await self._take(_at_once(look_at_python), _at_once(look_at_zones))
        database = None
        if URL not in bad:
            database = DatabaseCheckup(
                settings.database_url,
                self._clock,
                settings.puzzle_key,
                CopiesBefore(settings.backups.folder, self._clock),
                is_shared=is_for_many(settings.database_url),
            )
        try:
            await self._look_at_files(database)
            self._begin(report.DATABASE)
            await self._look_at_database(database)
            self._begin(report.DISCORD)
            if discord is None or NEEDED in bad:
                self._tell(NotLookedAt(because_of=_OFFLINE if discord is None else NEEDED))
            else:
                async with asking(settings.token, discord, seconds) as session:
                    await self._look_at_discord(session, seconds, database)
        finally:
            if database is not None:
                await database.close()
        self._write("\n" + report.summary(self._weights))
        return next((status for weight, status in _STATUS.items() if self._weights[weight]), 0)

    def _read_settings(self) -> tuple[Settings, set[str]]:
        """The settings, and which of them are bad."""
        folder = str(Path.cwd())
        values: Mapping[str, str | None] = self._environment
        try:
            values = read_environment(self._environment)
        except SettingsError as error:
            self._tell(BadSetting(name=error.name, value=error.value))
        else:
            self._tell(SettingsFound(folder=folder, has_file=Path(ENV).is_file()))
        settings, bad = read_all(values)
        # The token is the first of them; what stands for one that is missing is none.
        names = {error.name for error in bad}
        self._secrets = settings.secrets[1:] if NEEDED in names else settings.secrets
        for error in bad:
            self._tell(BadSetting(name=error.name, value=error.value))
        return settings, names

    async def _look_at_files(self, database: DatabaseCheckup | None) -> None:
        self._begin(report.FILES)
        file = None if database is None else database.file
        secret = [Path(ENV), *([] if file is None else [file])]
        await self._take(_at_once(lambda: look_at_readers(secret)))
        if file is not None:
            await self._take(_at_once(lambda: look_at_folder(file)))

    async def _look_at_database(self, database: DatabaseCheckup | None) -> None:
        if database is None:
            self._tell(NotLookedAt(because_of=URL))
            return
        await self._take(
            database.schema,
            database.server,
            database.whole,
            database.size,
            database.write,
            database.others,
            database.key,
        )

    async def _look_at_discord(
        self, session: aiohttp.ClientSession, seconds: float, database: DatabaseCheckup | None
    ) -> None:
        known = _knows_nothing if database is None else database.known
        checkup = DiscordCheckup(session, seconds, self._clock, known)
        await self._take(
            checkup.token,
            checkup.clock,
            checkup.application,
            checkup.owner,
            checkup.logins,
            checkup.commands,
            checkup.emojis,
            checkup.link,
        )

    async def _take(self, *steps: Step) -> None:
        """Take steps one after the other; one that fails keeps no other from being taken."""
        for step in steps:
            try:
                async for finding in step():
                    self._tell(finding)
            except FoundError as error:
                self._tell(error.finding)
            except StorageError as error:
                self._tell(DatabaseUnusable(error=error))
            except Exception as error:  # noqa: BLE001 - it is told, and others are looked at
                name = getattr(step, "__name__", "")
                self._tell(CouldNotLook(step=name, kind=type(error).__name__))

    def _begin(self, group: str) -> None:
        self._write(report.heading(group, is_coloured=self._is_coloured))

    def _tell(self, finding: Finding) -> None:
        self._weights[finding.weight] += 1
        self._write(report.line(finding, is_coloured=self._is_coloured))

    def _write(self, text: str) -> None:
        for secret in filter(None, self._secrets):
            text = text.replace(secret, _HIDDEN)
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def _at_once(look: Callable[[], Iterable[Finding]]) -> Step:
    """A step that waits for nothing but files."""

    async def step() -> AsyncIterator[Finding]:
        for finding in look():
            yield finding

    step.__name__ = getattr(look, "__name__", "")
    return step


async def _knows_nothing(_application_id: int) -> Known:
    return Known()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bot.doctor",
        description=say(report.USAGE),
        epilog=say(report.STATUS_HELP),
    )
    parser.add_argument(_OFFLINE, action="store_true", help=say(report.OFFLINE_HELP))
    return parser


if __name__ == "__main__":
    sys.exit(main())
