"""What Discord says of the token, the application, its commands and emojis; only read."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, Final

import aiohttp
import discord

from bot.commands import definitions
from bot.services.base.clock import Clock
from bot.services.doctor.database import Known
from bot.services.doctor.findings import Finding, FoundError
from bot.services.doctor.of_discord import (
    BadToken,
    ClockOff,
    ClockRight,
    ClockWrong,
    CodeGrantRequired,
    CommandsOther,
    CommandsRegistered,
    CommandsToCome,
    EmojisMissing,
    EmojisThere,
    EmojisToCome,
    InstallLacks,
    InstallLink,
    IntentsNeedless,
    IntentsNone,
    InteractionsElsewhere,
    LoginsFew,
    LoginsLeft,
    LoginsSpent,
    NotPublic,
    OtherApplication,
    ServersFound,
    TokenGood,
    TooSlow,
    Unreachable,
)
from bot.services.told import fingerprint
from bot.tile_upload import draw_all
from cogs.base.admission import ENTRY_POINT
from cogs.base.installing import PERMISSIONS, SCOPES, install_link, lacking

SECONDS: Final = 10.0
"""How long each answer of Discord's may take."""

_SECOND: Final = timedelta(seconds=1)
# Of HTTP's date, whole seconds are told; from there on, deadlines and midnights are late.
_OFF, _WRONG = timedelta(seconds=5), timedelta(minutes=1)
_FEW_STARTS: Final = 10
_SERVERS: Final = "0"  # as Discord calls being installed in servers
_PRIVILEGED: Final = ("gateway_presence", "gateway_guild_members", "gateway_message_content")


class DiscordCheckup:
    """Looks at what Discord says, step by step.

    Args:
        session: asks as the bot.
        seconds: how long it waits for an answer.
        clock: what tells the time.
        known: what the database knows of an application.
    """

    def __init__(
        self,
        session: aiohttp.ClientSession,
        seconds: float,
        clock: Clock,
        known: Callable[[int], Awaitable[Known]],
    ) -> None:
        self._session = session
        self._seconds = seconds
        self._clock = clock
        self._known_of = known
        self._known = Known()
        self._application: int | None = None
        self._clock_differs: timedelta | None = None

    async def token(self) -> AsyncIterator[Finding]:
        """Whose the token is; the first step."""
        user = await self._ask("users/@me")
        self._application = int(user["id"])
        yield TokenGood(name=user["username"], application=self._application)

    async def clock(self) -> AsyncIterator[Finding]:
        """Whether this machine's clock is right, as the first answer told, whatever it was."""
        if self._clock_differs is not None:
            size = abs(self._clock_differs)
            kind = ClockWrong if size >= _WRONG else ClockOff if size >= _OFF else ClockRight
            yield kind(seconds=round(self._clock_differs.total_seconds()))

    async def application(self) -> AsyncIterator[Finding]:
        """How the application is set, and in how many servers it is."""
        if self._application is None:
            return
        told = await self._ask("applications/@me")
        yield ServersFound(servers=told.get("approximate_guild_count", 0))
        flags = discord.ApplicationFlags()
        flags.value = told.get("flags") or 0
        on = [
            name
            for name in _PRIVILEGED
            if getattr(flags, name) or getattr(flags, f"{name}_limited")
        ]
        yield IntentsNeedless(names=tuple(on)) if on else IntentsNone()
        if told.get("interactions_endpoint_url"):
            yield InteractionsElsewhere()
        if told.get("bot_require_code_grant"):
            yield CodeGrantRequired()
        if not told.get("bot_public", True):
            yield NotPublic()
        for finding in _look_at_installation(told):
            yield finding

    async def owner(self) -> AsyncIterator[Finding]:
        """Whether the database is this application's."""
        if self._application is not None:
            self._known = await self._known_of(self._application)
            owner = self._known.owner
            if owner is not None and owner != self._application:
                yield OtherApplication(owner=owner, now=self._application)

    async def logins(self) -> AsyncIterator[Finding]:
        """How often the bot may log in today."""
        if self._application is None:
            return
        told = await self._ask("gateway/bot")
        limit, shards = told["session_start_limit"], told["shards"]
        left, total = limit["remaining"], limit["total"]
        if left >= min(_FEW_STARTS * shards, total):
            yield LoginsLeft(left=left, total=total, shards=shards)
            return
        kind = LoginsSpent if left < shards else LoginsFew
        minutes = -(-limit["reset_after"] // 60_000)
        yield kind(left=left, total=total, shards=shards, minutes=minutes)

    async def commands(self) -> AsyncIterator[Finding]:
        """Whether Discord has our commands as they are now."""
        if self._application is None:
            return
        path = f"applications/{self._application}/commands"
        there = {c["name"] for c in await self._ask(path) if c["type"] != ENTRY_POINT}
        ours = definitions()
        names = {command["name"] for command in ours}
        is_told = self._known.synced == fingerprint(self._application, ours)
        if there == names and is_told:
            yield CommandsRegistered(commands=len(names))
        elif not there and self._known.synced is None:
            yield CommandsToCome(commands=len(names))
        else:
            missing, needless = (", ".join(sorted(some)) for some in (names - there, there - names))
            yield CommandsOther(missing=missing, needless=needless)

    async def emojis(self) -> AsyncIterator[Finding]:
        """Whether Discord has all pictures of tiles and pegs as they are now."""
        if self._application is None:
            return
        told = await self._ask(f"applications/{self._application}/emojis")
        there = {emoji["name"] for emoji in told["items"]}
        ours = (await asyncio.to_thread(draw_all)).digests
        lacks = {
            n
            for n, mark in ours.items()
            if self._known.digests.get(n, mark) != mark or n not in there
        }
        if not lacks:
            yield EmojisThere(emojis=len(ours))
        elif self._known.synced is None:
            yield EmojisToCome(emojis=len(lacks))
        else:
            yield EmojisMissing(missing=len(lacks), emojis=len(ours))

    async def link(self) -> AsyncIterator[Finding]:
        """How the bot comes into a server."""
        if self._application is not None:
            link = install_link(self._application)
            yield InstallLink(link=link, permissions=PERMISSIONS.value, scopes=" ".join(SCOPES))

    async def _ask(self, path: str) -> Any:
        """What Discord says at a path.

        Raises:
            FoundError: it does not answer, or refuses.
        """
        before = self._clock.now()
        try:
            async with self._session.get(path) as answer:
                self._note_clock(answer.headers, before)
                if answer.status == HTTPStatus.UNAUTHORIZED:
                    raise FoundError(BadToken())
                if answer.status != HTTPStatus.OK:
                    reason = f"{answer.status} {answer.reason}"
                    raise FoundError(Unreachable(what=path, reason=reason))
                return await answer.json()
        except TimeoutError as error:
            raise FoundError(TooSlow(what=path, seconds=round(self._seconds))) from error
        except aiohttp.ClientError as error:
            raise FoundError(Unreachable(what=path, reason=str(error))) from error

    def _note_clock(self, headers: Mapping[str, str], before: datetime) -> None:
        """Note by how much the clocks differ at least, if Discord tells and nobody has noted it."""
        if self._clock_differs is None and (told := headers.get("Date")):
            date, after = parsedate_to_datetime(told), self._clock.now()
            if before > date + _SECOND:
                self._clock_differs = before - date - _SECOND
            else:
                self._clock_differs = min(after - date, timedelta())


def _look_at_installation(told: Mapping[str, Any]) -> list[Finding]:
    """What is missing in the link that Discord offers for servers, where one is set."""
    by_kind: Mapping[str, Any] = told.get("integration_types_config") or {}
    kind: Mapping[str, Any] = by_kind.get(_SERVERS) or {}
    parameters: Mapping[str, Any] | None = kind.get("oauth2_install_params") or told.get(
        "install_params"
    )
    if not parameters:
        return []
    scopes = [scope for scope in SCOPES if scope not in parameters["scopes"]]
    permissions = lacking(discord.Permissions(int(parameters["permissions"])))
    if not scopes and not permissions:
        return []
    return [InstallLacks(permissions=permissions, scopes=" ".join(scopes))]
