"""Checks of the database, of Discord and of the page; what they write as a trial is taken back."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, NamedTuple

import aiohttp
import discord

from bot.app import definitions
from bot.clock import MOST_SECONDS, Clock
from bot.config import Settings, WebSettings, is_for_many
from bot.db import checks, facts, leases
from bot.db.before_migrating import CopiesBefore
from bot.db.copies import damage_in
from bot.db.database import Database, Transaction, file_at
from bot.db.revisions import known_revisions
from bot.errors import (
    NewerDatabaseError,
    NoDatabaseError,
    StorageBusyError,
    StorageError,
    UnusableDatabaseError,
)
from bot.focdle import store as focdle_store
from bot.focdle.plays import is_weak
from bot.hosting.findings import Finding, FoundError, error, fine, left_out, size, warning
from bot.hosting.terminal import LOGIN_REFUSED, weak_key
from bot.outages import Pulse
from bot.privacy.servers import APPLICATION
from bot.shards.game import live_pulses
from bot.text.labels import permission_names
from bot.uploads.emojis import draw_all
from bot.uploads.synced import COMMANDS, digests_of, fingerprint
from cogs.ui.dispatch import ENTRY_POINT
from cogs.ui.help import PERMISSIONS, SCOPES, install_link, lacking
from engine.errors import counted

PATIENCE_SECONDS: Final = MOST_SECONDS
"""The longest wait for a lock, as long as the bot's."""

_LOOK_THROUGH_SECONDS: Final = 120.0
_PROCESSES: Final = Path("/proc")
_SLOW_SECONDS: Final = 0.5
# The fastest counts: a disk that is busy for a moment is not a slow one.
_WRITES: Final = 3


class KnownOfDiscord(NamedTuple):
    """What the database has stored about Discord."""

    synced: str | None = None
    """The fingerprint of the commands that Discord has; None before the first sync."""
    owner: int | None = None
    """The id of the application that the database belongs to; None before the first login."""
    digests: Mapping[str, str] = {}
    """Digests of the pictures that the application's emojis were made from, by name."""


class DatabaseChecks:
    """Checks of the database of the settings, one after the other; `schema` comes first."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        self._is_shared = is_for_many(settings.database_url)
        self._database: Database | None = None
        self._is_current = False
        file = file_at(settings.database_url)
        self.file = None if file is None else file.resolve()

    async def schema(self) -> AsyncIterator[Finding]:
        """Find the database for the other checks, and compare its schema with this version's."""
        try:
            database = Database.unmigrated(self._settings.database_url, patience=PATIENCE_SECONDS)
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
            revision, lacks = await checks.schema_of(database)
        except NewerDatabaseError:
            await database.close()
            earlier = CopiesBefore(self._settings.backups, self._clock).to_go_back_to()
            yield error(NewerDatabaseError(earlier).advice)
            return
        except BaseException:
            await database.close()
            raise
        latest = known_revisions()[-1]
        newest = latest[:4]
        self._database, self._is_current = database, revision == latest
        if revision is None:
            yield fine("There are no tables yet: the first start makes them.")
        elif revision != latest:
            yield warning(
                f"The tables are those of an earlier version ({revision[:4]}; this one has "
                f"{newest}): the next start brings them up to date.",
                "Make a backup before.",
            )
        elif lacks:
            yield error(
                f"These are missing: {', '.join(lacks)}.", "Stop the bot, and restore a backup."
            )
        else:
            yield fine(f"The tables are those of this version ({newest}).")

    async def whole(self) -> AsyncIterator[Finding]:
        """Look for damage in the database's file, if it is one."""
        if self.file is None or not self.file.is_file():
            return
        damage = await damage_in(self.file, _LOOK_THROUGH_SECONDS)
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
        if self._database is not None:
            yield fine(f"It takes {size(await checks.size_of(self._database, self.file))}.")

    async def write(self) -> AsyncIterator[Finding]:
        """Check that the database can be written, and how fast; all writes are taken back."""
        if self._database is None:
            return
        try:
            seconds = min(
                [
                    await checks.time_write(self._database, self.file, PATIENCE_SECONDS)
                    for _ in range(_WRITES)
                ]
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
        """Say which bots use the database now, and warn if several programs have its file open."""
        pids: list[int] = []
        if self.file is not None:
            pids = await asyncio.to_thread(programs_with, self.file)
        if database := self._readable:
            yield fine(await self._who_is_there(database))
        if len(pids) > 1:
            them = ", ".join(map(str, pids))
            yield warning(
                f"These programs have the file open: {them}. Only one of them may be a bot.",
                f"Find out what they are with: ps -fp {them}",
            )

    async def _who_is_there(self, database: Database) -> str:
        """Describe the bots that run, by pulses and leases: programs may be in other containers."""
        now = self._clock.now()

        def body(tx: Transaction) -> tuple[list[Pulse], list[str]]:
            return live_pulses(tx, now), leases.held(tx, now)

        live, held = await database.read(body)
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
        return (
            f"A bot answers from it, last heard {seconds} s ago. Start no other one with the same "
            "file."
        )

    async def key(self) -> AsyncIterator[Finding]:
        """Report a PUZZLE_KEY that can be guessed: an error, or a warning once dailies exist."""
        key = self._settings.puzzle_key
        if key is None or not is_weak(key):
            return
        is_in_use = False
        if database := self._readable:
            is_in_use = await database.read(focdle_store.has_dailies)
        told = weak_key(is_in_use=is_in_use)
        yield warning(told) if is_in_use else error(told)

    async def known(self, application_id: int) -> KnownOfDiscord:
        """Read what is stored about Discord; empty if this version cannot read the database."""
        if database := self._readable:
            with suppress(StorageError):  # other checks report this

                def body(tx: Transaction) -> KnownOfDiscord:
                    owner = facts.get(tx, APPLICATION)
                    return KnownOfDiscord(
                        facts.get(tx, COMMANDS),
                        None if owner is None else int(owner),
                        digests_of(tx, application_id),
                    )

                return await database.read(body)
        return KnownOfDiscord()

    @property
    def _readable(self) -> Database | None:
        return self._database if self._is_current else None

    async def close(self) -> None:
        if self._database is not None:
            await self._database.close()


def programs_with(file: Path) -> list[int]:
    """List the ids of other processes that have a file open, as far as Linux shows them to us."""
    if not file.is_file():
        return []
    there, found = file.stat(), set[int]()
    for process in _PROCESSES.glob("[0-9]*"):
        with suppress(OSError):  # it has ended, or is another user's
            for link in (process / "fd").iterdir():
                with suppress(OSError):  # it was closed meanwhile
                    if os.path.samestat(link.stat(), there):
                        found.add(int(process.name))
    return sorted(found - {os.getpid()})


DISCORD: Final = "https://discord.com/api/v10"
SECONDS: Final = 10.0
"""The time limit of each of Discord's answers."""

_USER_AGENT: Final = "DiscordBot (focdle-bot, 0)"
_PORTAL: Final = "https://discord.com/developers/applications"
_CHECK_NETWORK: Final = "Check the network, and https://discordstatus.com."
_SECOND: Final = timedelta(seconds=1)
# HTTP's date has whole seconds. From a minute on, deadlines and midnights are late.
_OFF, _WRONG = timedelta(seconds=5), timedelta(minutes=1)
_FEW_STARTS: Final = 10
_SERVERS: Final = "0"  # Discord's key for installation in servers
# Names as in Discord's developer portal, by its library's names.
_PRIVILEGED: Final = {
    "gateway_presence": "Presence Intent",
    "gateway_guild_members": "Server Members Intent",
    "gateway_message_content": "Message Content Intent",
}


def open_session(token: str, address: str, seconds: float) -> aiohttp.ClientSession:
    """Open a session with Discord's API as the bot, which need not run."""
    headers = {"Authorization": f"Bot {token}", "User-Agent": _USER_AGENT}
    timeout = aiohttp.ClientTimeout(seconds)
    return aiohttp.ClientSession(f"{address}/", headers=headers, timeout=timeout)


class DiscordChecks:
    """Checks of Discord, one after the other.

    `application` is the id that `token`, the first check, finds out; 0 before.
    """

    def __init__(self, session: aiohttp.ClientSession, seconds: float, clock: Clock) -> None:
        self._session = session
        self._seconds = seconds
        self._clock = clock
        self._clock_differs: timedelta | None = None
        self.application = 0

    async def token(self) -> AsyncIterator[Finding]:
        """Name the bot to which the token belongs; the first check, which all others need."""
        user = await self._ask("users/@me")
        self.application = int(user["id"])
        yield fine(f"The token is that of {user['username']}, application {self.application}.")

    def clock(self) -> Iterator[Finding]:
        """Compare this machine's clock with the date of Discord's first response."""
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
        """Check the application's settings, and count its servers."""
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

    def owner(self, known: KnownOfDiscord) -> Iterator[Finding]:
        """Warn if the database belongs to another application."""
        if known.owner is not None and known.owner != self.application:
            yield warning(
                f"This database is that of the application {known.owner}, and the token that of "
                f"{self.application}. So nobody can tell which servers have removed the bot, and "
                "the data of all are kept.",
                "Give a bot for tests a database of its own. If this application takes over for "
                "good, stop the bot and carry out in the database: "
                "DELETE FROM facts WHERE name = 'application'",
            )

    async def logins(self) -> AsyncIterator[Finding]:
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

    async def commands(self, known: KnownOfDiscord) -> AsyncIterator[Finding]:
        """Check that Discord has this version's commands."""
        path = f"applications/{self.application}/commands"
        there = {c["name"] for c in await self._ask(path) if c["type"] != ENTRY_POINT}
        ours = await definitions()
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

    async def emojis(self, known: KnownOfDiscord) -> AsyncIterator[Finding]:
        """Check that Discord has this version's pictures of tiles and pegs."""
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

    async def activity(self) -> AsyncIterator[Finding]:
        """Check what Discord needs to show the page as an Activity."""
        flags = discord.ApplicationFlags()
        flags.value = (await self._ask("applications/@me")).get("flags") or 0
        if not flags.embedded:
            yield warning(
                "Activities are off for this application, so the page opens only in browsers.",
                f"Switch them on in Activities, Settings of {_PORTAL}, or leave "
                "DISCORD_CLIENT_SECRET out.",
            )
            return
        commands = await self._ask(f"applications/{self.application}/commands")
        if any(command["type"] == ENTRY_POINT for command in commands):
            yield fine("Activities are on, and there is a command that opens the page.")
        else:
            yield warning(
                "Activities are on, but no command opens the page from Discord's own list of apps.",
                f"Switch Activities off and on in Activities, Settings of {_PORTAL}: that makes it "
                "anew.",
            )

    def link(self) -> Iterator[Finding]:
        link = install_link(self.application)
        yield fine(f"Add it to a server (permissions {PERMISSIONS.value}): {link}")

    async def _ask(self, path: str) -> Any:
        """Request a path of Discord's API; `FoundError` if Discord does not answer, or refuses."""
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
        """Note by how much the clock is ahead at least; below 0 if it is behind.

        Only the first response with a date counts.
        """
        if self._clock_differs is None and (told := headers.get("Date")):
            date, after = parsedate_to_datetime(told), self._clock.now()
            if before > date + _SECOND:
                self._clock_differs = before - date - _SECOND
            else:
                self._clock_differs = min(after - date, timedelta())


_OUR_PAGE: Final = 'id="labels"'
_LIVE: Final = "/api/live"


async def check_page(web: WebSettings, seconds: float) -> AsyncIterator[Finding]:
    """Request the page as browsers do; if that fails, request it directly, past the proxy."""
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(seconds)) as session:
        wrong = await _wrong_at(session, web.url)
        if not wrong and (lost := await _wrong_upgrade(session, web.url)):
            yield warning(
                f"The page answers at {web.url}, but no WebSocket gets through ({lost}): what is "
                "played in Discord is seen there only later.",
                "Let your proxy hand on upgrades to WebSocket, too: docs/hosting/page.md.",
            )
        elif not wrong:
            yield fine(f"The page answers at {web.url}, by WebSocket, too.")
        elif await _wrong_at(session, f"http://{web.address.asked_at}"):
            yield left_out(
                f"The page was not looked at: it does not answer at {web.url} ({wrong}), nor at "
                f"{web.address}.",
                "It is there while the bot runs.",
            )
        else:
            yield error(
                f"The page answers at {web.address}, but not at {web.url} ({wrong}).",
                f"Let your proxy hand on to {web.address} what is asked at {web.url}, or mend "
                "WEB_URL.",
            )


async def _wrong_at(session: aiohttp.ClientSession, url: str) -> str:
    """Say what is wrong with the page at an address; empty if nothing is."""
    try:
        async with session.get(url, allow_redirects=False) as answer:
            if answer.status != HTTPStatus.OK:
                return f"{answer.status} {answer.reason}"
            return "" if _OUR_PAGE in await answer.text() else "another page is there"
    except TimeoutError:
        return "no answer in time"
    except (aiohttp.ClientError, UnicodeDecodeError) as failed:
        return str(failed)


async def _wrong_upgrade(session: aiohttp.ClientSession, url: str) -> str:
    """Say why no WebSocket gets through to the page, which knows no session of ours."""
    try:
        async with session.ws_connect(f"{url}{_LIVE}", headers={"Origin": url}):
            return ""
    except aiohttp.WSServerHandshakeError as refused:
        is_there = refused.status == HTTPStatus.UNAUTHORIZED
        return "" if is_there else f"{refused.status} {HTTPStatus(refused.status).phrase}"
    except TimeoutError:
        return "no answer in time"
    except aiohttp.ClientError as failed:
        return str(failed)


def _unreachable(path: str, reason: str) -> Finding:
    return error(f"Discord cannot be reached for {path} ({reason}).", _CHECK_NETWORK)


def _link_lacks(told: Mapping[str, Any]) -> str:
    """List the scopes and permissions that the install link at Discord lacks.

    It is empty if none are missing, or Discord offers no link.
    """
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
