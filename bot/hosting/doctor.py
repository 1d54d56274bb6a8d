"""`python -m bot doctor`: run all checks, whatever fails; print a line for each finding."""

import asyncio
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Final

from bot.clock import SystemClock
from bot.config import ENV, Settings, SettingsError, read_all, read_environment
from bot.db.sqlite import reason
from bot.errors import StorageError
from bot.hosting import findings
from bot.hosting.deep_checks import (
    DISCORD,
    SECONDS,
    DatabaseChecks,
    DiscordChecks,
    KnownOfDiscord,
    check_page,
    open_session,
)
from bot.hosting.findings import Finding, FoundError, Weight, error, left_out
from bot.logs import redacted
from engine.errors import counted

Check = AsyncIterator[Finding] | Iterator[Finding]
"""A generator of findings; its error does not keep other checks from being made."""

_COLOURS: Final = {
    Weight.FINE: "32",
    Weight.LEFT_OUT: "2",
    Weight.WARNING: "33",
    Weight.ERROR: "31",
}
_BOLD: Final = "1"
_WIDTH: Final = max(map(len, Weight))


def run(*, offline: bool, discord: str = DISCORD, seconds: float = SECONDS) -> int:
    """Run all checks; return the exit status: 0 if all is well, 1 after warnings, 2 after errors.

    With `offline`, neither Discord nor the page's address is asked.
    """
    doctor = _Doctor({**os.environ})
    return asyncio.run(doctor.examine(None if offline else discord, seconds))


class _Doctor:
    """The runner of the groups of checks; it prints each finding at once."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._clock = SystemClock()
        self._secrets: tuple[str, ...] = ()
        self._weights = Counter[Weight]()
        is_plain = "NO_COLOR" in environment or environment.get("TERM") == "dumb"
        self._is_coloured = sys.stdout.isatty() and not is_plain

    async def examine(self, discord: str | None, seconds: float) -> int:
        """Run all checks; return the exit status.

        With None for `discord`, neither Discord nor the page's address is asked.
        """
        self._begin("Settings")
        settings, bad = await self._read_settings()
        self._begin("Python")
        await self._take(findings.check_python(), findings.check_zones())
        is_url_bad = any(name.startswith(findings.URL) for name in bad)
        database = None if is_url_bad else DatabaseChecks(settings, self._clock)
        try:
            await self._look_at_files(settings, database)
            self._begin("Database")
            if database is None:
                self._tell(left_out(f"Not looked at, because of {findings.URL}."))
            else:
                await self._take(
                    database.schema(),
                    database.whole(),
                    database.size(),
                    database.write(),
                    database.others(),
                    database.key(),
                )
            self._begin("Discord")
            if discord is None or not settings.token:
                because = "--offline" if discord is None else "DISCORD_TOKEN"
                self._tell(left_out(f"Not looked at, because of {because}."))
            else:
                async with open_session(settings.token, discord, seconds) as session:
                    checks = DiscordChecks(session, seconds, self._clock)
                    await self._look_at_discord(checks, database)
                    if settings.client_secret and checks.application:
                        await self._take(checks.activity())
            if settings.web is not None:
                self._begin("Page")
                await self._take(findings.check_papers(settings.web))
                if discord is not None:
                    await self._take(check_page(settings.web, seconds))
        finally:
            if database is not None:
                await database.close()
        self._write("\n" + summary(self._weights))
        if self._weights[Weight.ERROR]:
            return 2
        return 1 if self._weights[Weight.WARNING] else 0

    async def _read_settings(self) -> tuple[Settings, set[str]]:
        """Read and check the settings, and note those that are secret.

        Return all settings, and the names of bad ones.
        """
        values: Mapping[str, str | None] = self._environment
        try:
            values = read_environment(self._environment)
        except SettingsError as wrong:
            self._tell(error(wrong.advice))
        else:
            await self._take(findings.check_sources())
        settings, bad = read_all(values)
        self._secrets = settings.secrets
        for wrong in bad:
            self._tell(error(wrong.advice))
        await self._take(findings.check_names(values))
        return settings, {wrong.name for wrong in bad}

    async def _look_at_files(self, settings: Settings, database: DatabaseChecks | None) -> None:
        self._begin("Files")
        file = database and database.file
        await self._take(findings.check_readers([Path(ENV), *([file] if file else [])]))
        if file is not None:
            await self._take(findings.check_folder(file))
        if database is not None:
            await self._take(findings.check_backups(settings, self._clock.now()))

    async def _look_at_discord(
        self, discord: DiscordChecks, database: DatabaseChecks | None
    ) -> None:
        await self._take(discord.token(), discord.clock())
        if not discord.application:
            return
        known = KnownOfDiscord() if database is None else await database.known(discord.application)
        await self._take(
            discord.installed(),
            discord.owner(known),
            discord.logins(),
            discord.commands(known),
            discord.emojis(known),
            discord.link(),
        )

    async def _take(self, *checks: Check) -> None:
        """Run checks in turn and print their findings; a failing one does not stop the others."""
        for check in checks:
            try:
                if isinstance(check, Iterator):
                    for finding in check:
                        self._tell(finding)
                else:
                    async for finding in check:
                        self._tell(finding)
            except FoundError as found:
                self._tell(found.finding)
            except StorageError as failed:
                self._tell(error(failed.advice))
            except OSError as failed:
                text = f"{failed.filename or 'This'} could not be looked at ({reason(failed)})."
                self._tell(error(text, "Let the bot's user read it."))
            except Exception as failed:  # noqa: BLE001 - it is told, and others are made
                what = f"{getattr(check, '__name__', '')}: {type(failed).__name__}"
                text = f"This could not be looked at ({what})."
                self._tell(error(text, "Please tell those who maintain this bot."))

    def _begin(self, group: str) -> None:
        self._write("\n" + _painted(group, _BOLD, is_coloured=self._is_coloured))

    def _tell(self, finding: Finding) -> None:
        self._weights[finding.weight] += 1
        self._write(line(finding, is_coloured=self._is_coloured))

    def _write(self, text: str) -> None:
        sys.stdout.write(redacted(text, self._secrets) + "\n")
        sys.stdout.flush()


def line(finding: Finding, *, is_coloured: bool = False) -> str:
    weight = finding.weight.ljust(_WIDTH)
    text = " ".join(f"{finding.text} {finding.mend}".split())
    return f"  {_painted(weight, _COLOURS[finding.weight], is_coloured=is_coloured)}  {text}"


def summary(weights: Mapping[Weight, int]) -> str:
    errors, warnings = weights[Weight.ERROR], weights[Weight.WARNING]
    if not errors and not warnings:
        return "All is well."
    parts = ((errors, "error"), (warnings, "warning"))
    said = ", ".join(counted(count, what) for count, what in parts if count)
    return said + (". Mend the errors first, from top to bottom." if errors else ". The bot runs.")


def _painted(text: str, colour: str, *, is_coloured: bool) -> str:
    return f"\x1b[{colour}m{text}\x1b[0m" if is_coloured else text
