"""What Discord says of the token, the application, its commands and emojis; only read."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, Final

import aiohttp
import discord

from bot.clock import Clock
from bot.commands import definitions
from bot.hosting.doctor.database import Known
from bot.hosting.doctor.finding import Finding, FoundError, counted, error, fine, warning
from bot.hosting.terminal import LOGIN_REFUSED
from bot.text.labels import permission_names
from bot.uploads.tiles import draw_all
from bot.uploads.told import fingerprint
from cogs.ui.dispatch import ENTRY_POINT
from cogs.ui.help import PERMISSIONS, SCOPES, install_link, lacking

DISCORD: Final = "https://discord.com/api/v10"
SECONDS: Final = 10.0
"""How long each answer of Discord's may take."""

_USER_AGENT: Final = "DiscordBot (focdle-bot, 0)"
_PORTAL: Final = "https://discord.com/developers/applications"
_CHECK_NETWORK: Final = "Check the network, and https://discordstatus.com."
_SECOND: Final = timedelta(seconds=1)
# Of HTTP's date, whole seconds are told; from there on, deadlines and midnights are late.
_OFF, _WRONG = timedelta(seconds=5), timedelta(minutes=1)
_FEW_STARTS: Final = 10
_SERVERS: Final = "0"  # as Discord calls being installed in servers
# As Discord's own page calls them, and as its library does.
_PRIVILEGED: Final = {
    "gateway_presence": "Presence Intent",
    "gateway_guild_members": "Server Members Intent",
    "gateway_message_content": "Message Content Intent",
}


def open_session(token: str, address: str, seconds: float) -> aiohttp.ClientSession:
    """Ask for paths of Discord's interface as the bot, which need not run.

    Args:
        token: the bot's.
        address: where the interface is.
        seconds: how long an answer may take.
    """
    headers = {"Authorization": f"Bot {token}", "User-Agent": _USER_AGENT}
    timeout = aiohttp.ClientTimeout(seconds)
    return aiohttp.ClientSession(f"{address}/", headers=headers, timeout=timeout)


class DiscordChecks:
    """Checks of what Discord says, one after the other; `application` is known after the first.

    Args:
        session: asks as the bot.
        seconds: how long it waits for an answer.
        clock: what tells the time.
    """

    def __init__(self, session: aiohttp.ClientSession, seconds: float, clock: Clock) -> None:
        self._session = session
        self._seconds = seconds
        self._clock = clock
        self._clock_differs: timedelta | None = None
        self.application = 0

    async def token(self) -> AsyncIterator[Finding]:
        """Whose the token is; the first check, without which there are no others."""
        user = await self._ask("users/@me")
        self.application = int(user["id"])
        yield fine(f"The token is that of {user['username']}, application {self.application}.")

    def clock(self) -> Iterator[Finding]:
        """Whether this machine's clock is right, as the first answer told, whatever it was."""
        if self._clock_differs is None:
            return
        differs = abs(self._clock_differs)
        if differs < _OFF:
            yield fine("This machine's clock agrees with Discord's.")
            return
        side = "ahead of" if self._clock_differs > timedelta() else "behind"
        yield (error if differs >= _WRONG else warning)(
            f"This machine's clock is {differs.total_seconds():,.0f} s {side} Discord's. Puzzles "
            "change and duels end by it.",
            "Let it be set over the network, on Linux with: sudo timedatectl set-ntp true",
        )

    async def installed(self) -> AsyncIterator[Finding]:
        """How the application is set, and in how many servers it is."""
        told = await self._ask("applications/@me")
        servers = told.get("approximate_guild_count", 0)
        as_counted = "" if servers == 1 else ", as Discord counts them"
        yield fine(f"It is in {counted(servers, 'server')}{as_counted}.")
        flags = discord.ApplicationFlags()
        flags.value = told.get("flags") or 0
        on = [
            words
            for name, words in _PRIVILEGED.items()
            if getattr(flags, name) or getattr(flags, f"{name}_limited")
        ]
        if on:
            yield warning(
                f"Privileged intents are on, and the bot needs none: {', '.join(on)}.",
                f"Switch them off on the page Bot of {_PORTAL}.",
            )
        else:
            yield fine("No privileged intent is on, and none is needed.")
        if told.get("interactions_endpoint_url"):
            yield error(
                "Discord sends commands and clicks to an address of the web, so the bot hears "
                "none.",
                "Empty the field Interactions Endpoint URL on the page General Information of "
                f"{_PORTAL}.",
            )
        if told.get("bot_require_code_grant"):
            yield error(
                "Nobody can add the bot by a link.",
                f"Switch off Requires OAuth2 Code Grant on the page Bot of {_PORTAL}.",
            )
        if not told.get("bot_public", True):
            yield fine(
                "Only the application's owner can add the bot.",
                f"If others shall, switch on Public Bot on the page Bot of {_PORTAL}.",
            )
        if lacks := _link_lacks(told):
            yield warning(
                f"The install link that Discord offers by itself lacks for servers: {lacks}.",
                f"Add that on the page Installation of {_PORTAL}.",
            )

    def owner(self, known: Known) -> Iterator[Finding]:
        """Whether the database is this application's."""
        if known.owner is not None and known.owner != self.application:
            yield warning(
                f"This database is that of the application {known.owner}, and the token that of "
                f"{self.application}. So nobody can tell which servers have removed the bot, and "
                "the data of all are kept.",
                "Give a bot for tests a database of its own. If this application takes over for "
                "good, stop the bot and type: sqlite3 focdle.db "
                "\"DELETE FROM facts WHERE name = 'application'\"",
            )

    async def logins(self) -> AsyncIterator[Finding]:
        """How often the bot may log in today."""
        told = await self._ask("gateway/bot")
        limit, shards = told["session_start_limit"], told["shards"]
        left, total = limit["remaining"], limit["total"]
        minutes = -(-limit["reset_after"] // 60_000)
        said = f"{left} of {total} logins are left for today; a start takes {shards}."
        if left >= min(_FEW_STARTS * shards, total):
            yield fine(said)
        elif left >= shards:
            yield warning(
                f"{said} All are back in {minutes} min.", "Find out why the bot starts so often."
            )
        else:
            yield error(
                said,
                f"Do not start the bot before all are back, in {minutes} min: Discord would reset "
                "the token. Find out why it starts so often.",
            )

    async def commands(self, known: Known) -> AsyncIterator[Finding]:
        """Whether Discord has our commands as they are now."""
        path = f"applications/{self.application}/commands"
        there = {c["name"] for c in await self._ask(path) if c["type"] != ENTRY_POINT}
        ours = definitions()
        names = {command["name"] for command in ours}
        if there == names and known.synced == fingerprint(self.application, ours):
            yield fine(f"All {len(names)} commands are registered.")
        elif not there and known.synced is None:
            yield fine("No commands are registered yet: the first start does that.")
        else:
            parts = ["Discord does not have the commands of this version."]
            for what, some in (("Missing", names - there), ("Of another version", there - names)):
                if some:
                    parts.append(f"{what}: {', '.join(sorted(some))}.")
            yield warning(" ".join(parts), "Start the bot anew: it tells Discord.")

    async def emojis(self, known: Known) -> AsyncIterator[Finding]:
        """Whether Discord has all pictures of tiles and pegs as they are now."""
        told = await self._ask(f"applications/{self.application}/emojis")
        there = {emoji["name"] for emoji in told["items"]}
        ours = (await asyncio.to_thread(draw_all)).digests
        lacks = [
            name
            for name, digest in ours.items()
            if known.digests.get(name, digest) != digest or name not in there
        ]
        pictures = "pictures of tiles and pegs"
        if not lacks:
            yield fine(f"All {len(ours)} {pictures} are uploaded.")
        elif known.synced is None:
            yield fine(
                f"{len(lacks)} {pictures} are to come: the first start uploads them, within "
                "minutes."
            )
        else:
            yield warning(
                f"{len(lacks)} of {len(ours)} {pictures} are missing or older: boards show squares "
                "until a running bot has uploaded them.",
                "If that takes more than some minutes, start it anew and read its log.",
            )

    def link(self) -> Iterator[Finding]:
        """How the bot comes into a server, with all that it needs."""
        link = install_link(self.application)
        yield fine(f"Add it to a server (permissions {PERMISSIONS.value}): {link}")

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
                    raise FoundError(error(LOGIN_REFUSED))
                if answer.status != HTTPStatus.OK:
                    raise FoundError(_unreachable(path, f"{answer.status} {answer.reason}"))
                return await answer.json()
        except TimeoutError as late:
            text = f"Discord has not answered for {path} within {self._seconds:.0f} s."
            raise FoundError(error(text, _CHECK_NETWORK)) from late
        except aiohttp.ClientError as failed:
            raise FoundError(_unreachable(path, str(failed))) from failed

    def _note_clock(self, headers: Mapping[str, str], before: datetime) -> None:
        """Note by how much the clocks differ at least, if Discord tells and nobody has noted it."""
        if self._clock_differs is None and (told := headers.get("Date")):
            date, after = parsedate_to_datetime(told), self._clock.now()
            if before > date + _SECOND:
                self._clock_differs = before - date - _SECOND
            else:
                self._clock_differs = min(after - date, timedelta())


def _unreachable(path: str, reason: str) -> Finding:
    return error(f"Discord cannot be reached for {path} ({reason}).", _CHECK_NETWORK)


def _link_lacks(told: Mapping[str, Any]) -> str:
    """What is missing in the link that Discord offers for servers, where one is set."""
    by_kind: Mapping[str, Any] = told.get("integration_types_config") or {}
    kind: Mapping[str, Any] = by_kind.get(_SERVERS) or {}
    parameters: Mapping[str, Any] | None = kind.get("oauth2_install_params") or told.get(
        "install_params"
    )
    if not parameters:
        return ""
    lacks = [" ".join(scope for scope in SCOPES if scope not in parameters["scopes"])]
    lacks.append(permission_names(lacking(discord.Permissions(int(parameters["permissions"])))))
    return ", ".join(filter(None, lacks))
