"""`python -m bot run`: one process of the bot, from its settings to its end."""

import asyncio
import gc
import logging
import os
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final, Protocol

import aiohttp
import discord

from bot.address import Address, CannotListenError
from bot.app import Choices, CodebreakerBot
from bot.backups import Nightly
from bot.clock import Clock, SystemClock
from bot.config import ENV, Settings, SettingsError, is_for_many, read_environment, read_settings
from bot.db.database import file_at
from bot.errors import LostDatabaseError, StorageBusyError, StorageError
from bot.focdle.plays import WeakKeyError
from bot.gauges import UNREAD, Gauges, tell
from bot.hosting.terminal import (
    CANNOT,
    LATER,
    LOGIN_REFUSED,
    NO_SENTRY,
    readers_of,
    refuse,
    version,
    weak_key,
)
from bot.logs import configure_logs
from bot.outages import ALL, ShardRange
from bot.pool.pool import MOST_WORKERS, Pool
from bot.services import Services, open_services
from bot.signals import when_told
from cogs.ui.pages import Album
from cogs.ui.replies import is_nobodys_fault

log = logging.getLogger(__name__)

_TOO_MANY_REQUESTS: Final = 429
_OUT_OF_ORDER: Final = 500
# What was committed when the end began is still answered within this time.
_LAST_ANSWERS_SECONDS: Final = 0.5
_GOODBYE_SECONDS: Final = 3.0
# A collection of the youngest is due after so many new objects more than old ones gone; ten of
# them make one of the middle, twenty of these a full one. What that gave is in `docs/BENCH.md`.
_THRESHOLDS: Final = 2_000, 10, 20


async def serve(settings: Settings, shards: ShardRange) -> None:
    """Run the bot until it is told to stop or cannot go on.

    Args:
        settings: what the host has set.
        shards: which it has.
    """
    loop, stopping = asyncio.get_running_loop(), asyncio.Event()

    def stop() -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(stopping.set)

    clock = SystemClock()
    services = _open_services(settings, clock, shards)
    async with (
        _health(settings.health) as health,
        services as opened,
        _bot(settings, clock, opened, shards, health.gauges if health else UNREAD) as bot,
    ):
        if health is not None:
            tell(health.gauges)
            health.watch(opened, bot)
        if opened.has_weak_key:
            log.warning("%s", weak_key(is_in_use=True))
        set_aside()
        # Until here, whoever was told to stop has ended at once: a migration takes long, and is
        # undone, as if the process had been killed.
        when_told(stop)
        running = asyncio.create_task(bot.start(settings.token))
        waiting = asyncio.create_task(stopping.wait())
        connecting = asyncio.create_task(_know_servers_of(bot))
        await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if stopping.is_set():
            log.info("stopping")
            await opened.close()
            await asyncio.sleep(_LAST_ANSWERS_SECONDS)
            async with asyncio.timeout(_GOODBYE_SECONDS):
                await bot.close()
        waiting.cancel()
        connecting.cancel()
        if running.done() and not stopping.is_set():
            running.result()
        running.cancel()


class _Health(Protocol):
    """What tells a host how this process is: see `bot.hosting.health`."""

    @property
    def gauges(self) -> Gauges: ...

    def watch(self, services: Services, bot: CodebreakerBot) -> None: ...


def _health(address: Address | None) -> AbstractAsyncContextManager[_Health | None]:
    """Answers at an address; what does that is loaded only for who wants it."""
    if address is None:
        return nullcontext()
    open_health: Callable[[Address], AbstractAsyncContextManager[_Health]] = import_module(
        "bot.hosting.health"
    ).opened
    return open_health(address)


def _open_services(
    settings: Settings, clock: Clock, shards: ShardRange
) -> AbstractAsyncContextManager[Services]:
    return open_services(
        settings.database_url,
        clock,
        puzzle_key=settings.puzzle_key,
        avatars=settings.avatars,
        make_pool=partial(_make_pool, settings),
        shards=shards,
        backups=settings.backups.folder,
    )


def _make_pool(settings: Settings) -> Pool:
    workers = min(_cores() if settings.workers is None else settings.workers, MOST_WORKERS)
    return Pool.with_workers(workers)


def _bot(
    settings: Settings, clock: Clock, services: Services, shards: ShardRange, gauges: Gauges
) -> CodebreakerBot:
    album = Album() if settings.avatars else None
    return CodebreakerBot(
        services,
        choices=Choices(album, settings.contact, settings.forget_after),
        shards=shards,
        nightly=_nightly(settings, clock, services),
        gauges=gauges,
    )


def _nightly(settings: Settings, clock: Clock, services: Services) -> Nightly | None:
    """What makes backups, and notes deletions beside them; None where the host wants none."""
    folder, deletions = settings.backups.folder, services.privacy.deletions
    if folder is None:
        return None
    deletions.keep_in(folder)
    kept, url = settings.backups.kept, settings.database_url
    return Nightly(url, folder, kept, clock, services.leases, deletions)


def set_aside() -> None:
    """Set aside all that is there, without looking through it; from now on, garbage is looked for.

    A full collection looks at every object there is, with the event loop waiting: 200 ms when the
    bot has just started, and longer the more servers it is in. What is there now stays, so that
    collections look only at what comes. What is garbage by now stays, too: after a start about a
    thousand objects of 180,000, and to find them would take longer than all else between imports
    and the login.
    """
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    gc.enable()


async def _know_servers_of(bot: CodebreakerBot) -> None:
    """Set aside what it knows of its servers, as soon as it knows all of them."""
    await bot.wait_until_ready()
    set_aside()


def run(shards: tuple[int, int, int] | None = None) -> int:
    """Run one process of the bot.

    Args:
        shards: the first and the last that it has, and how many there are in all processes; None
            for all.

    Returns:
        Its exit status: 0 if it was told to stop, 2 if the host must mend something before it can
        start, 3 if it may start later.
    """
    own = ALL if shards is None else ShardRange(*shards)
    try:
        settings = read_settings(read_environment(os.environ))
        name = "" if own == ALL else str(own)
        configure_logs(
            settings.logs,
            secrets=settings.secrets,
            is_nobodys_fault=is_nobodys_fault,
            name=name,
        )
        log.info("focdle-bot %s", version())
        if settings.sentry_dsn:
            _report_errors(settings)
        _require_database_for(own, settings.database_url)
        _warn_of_open_files(settings.database_url)
        asyncio.run(serve(settings, own))
    except Exception as error:
        advice = _advice(error)
        if advice is None:
            raise
        return refuse(advice, LATER if _may_pass(error) else CANNOT)
    return 0


def _report_errors(settings: Settings) -> None:
    """Tell Sentry of errors; what talks to it is loaded only for who wants that.

    Raises:
        ModuleNotFoundError: it is not installed.
        SettingsError: there is no such address.
    """
    report: Callable[..., None] = import_module("bot.error_reports").report_errors
    report(
        settings.sentry_dsn,
        secrets=settings.secrets,
        is_nobodys_fault=is_nobodys_fault,
        release=version(),
    )


class _NeedsPostgresError(Exception):
    """Several processes cannot share the database."""


def _require_database_for(shards: ShardRange, database_url: str) -> None:
    """Make sure that others may have the other shards."""
    if not shards.is_all and not is_for_many(database_url):
        raise _NeedsPostgresError


def _cores() -> int:
    """How many cores this program may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _warn_of_open_files(database_url: str) -> None:
    """Tell the host of files with secrets that are not the owner's alone."""
    for path in filter(None, (Path(ENV), file_at(database_url))):
        with suppress(OSError):  # it is not there, or whoever opens it says what is wrong
            if advice := readers_of(path):
                log.warning("%s", advice)


def _may_pass(error: Exception) -> bool:
    """Whether another start may succeed though nobody has changed anything."""
    match error:
        case StorageBusyError() | LostDatabaseError():
            return True
        case CannotListenError():
            return error.may_pass
        case _:
            return _why_unreachable(error) is not None


def _advice(error: Exception) -> str | None:
    """What the host can do about it; None for what is not theirs to mend."""
    said: str | None
    match error:
        case SettingsError() | StorageError():
            said = error.advice
        case _NeedsPostgresError():
            said = (
                "Several processes need a database of PostgreSQL's: a file of SQLite's is one "
                "process's own. docs/HOSTING.md says how to move there. One process is enough for "
                "some thousand servers; start it without --shards."
            )
        case CannotListenError():
            said = (
                f"Nobody can ask how the bot is at {error.address} ({error.reason}). Put another "
                "port into HEALTH_ADDRESS, or leave it out."
            )
        case discord.LoginFailure() | discord.ConnectionClosed(code=4004):  # the token was reset
            said = LOGIN_REFUSED
        case ModuleNotFoundError(name="sentry_sdk"):
            said = NO_SENTRY
        case WeakKeyError():
            said = weak_key(is_in_use=False)
        case _:
            reason = _why_unreachable(error)
            said = reason and (
                f"Discord cannot be reached ({reason}). Check the network and start again."
            )
    return said


def _why_unreachable(error: BaseException | None) -> str | None:
    """Why Discord did not answer as it should; None if that is not what went wrong."""
    match error:
        case aiohttp.ClientConnectionError():
            return str(error)
        case discord.GatewayNotFound():
            return _why_unreachable(error.__cause__)
        case discord.HTTPException(status=status) if (
            status == _TOO_MANY_REQUESTS or status >= _OUT_OF_ORDER
        ):
            return f"{status} {error.response.reason}"
        case _:
            return None
