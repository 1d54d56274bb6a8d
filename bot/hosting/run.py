"""`python -m bot run`: one process of the bot, from its settings to its end."""

import asyncio
import gc
import logging
import os
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

import aiohttp
import discord
from discord.http import Route

from bot.address import WEB_ADDRESS, Address, CannotListenError
from bot.app import CodebreakerBot, HostChoices
from bot.clock import Clock, SystemClock
from bot.config import ENV, Settings, SettingsError, is_for_many, read_environment, read_settings
from bot.db.copies import discard_staged
from bot.db.database import file_at
from bot.errors import LostDatabaseError, StorageBusyError, StorageError
from bot.failures import Failures
from bot.focdle.plays import WeakKeyError
from bot.gauges import UNREAD, Gauges, tell
from bot.hosting.backup import Nightly
from bot.hosting.findings import what_is_wrong
from bot.hosting.terminal import CANNOT, LATER, LOGIN_REFUSED, readers_of, refuse, weak_key
from bot.logs import configure_logs
from bot.outages import ALL, ShardRange
from bot.people.album import Album
from bot.pool.pool import MOST_WORKERS, Pool
from bot.services import Services, open_services
from bot.stopping import when_told
from bot.version import version
from cogs.ui.deliveries import is_nobodys_fault

log = logging.getLogger(__name__)

_TOO_MANY_REQUESTS: Final = 429
_OUT_OF_ORDER: Final = 500
# Transactions that were committed before the stop are answered within this time.
_LAST_ANSWERS_SECONDS: Final = 0.5
_GOODBYE_SECONDS: Final = 3.0
_KEPT_OUT_SECONDS: Final = 10.0
# Thresholds of the three generations of the garbage collector; measured in `docs/BENCH.md`.
_THRESHOLDS: Final = 2_000, 10, 20


async def serve(settings: Settings, shards: ShardRange) -> None:
    """Run the bot until it is told to stop, or raise why it cannot go on."""
    if not shards.is_all and not is_for_many(settings.database_url):
        raise _NeedsPostgresError(_SEVERAL)
    stop, stopping = _stop()
    clock = SystemClock()
    services = _open_services(settings, clock, shards)
    async with (
        _health(settings.health) as health,
        services as opened,
        _album(settings) as album,
        _page(settings, clock, opened, album),
        _bot(settings, clock, opened, album, shards, health.gauges if health else UNREAD) as bot,
    ):
        if (file := file_at(settings.database_url)) is not None:
            discard_staged(file.resolve())  # by a restore that was killed
        if health is not None:
            health.watch(opened, bot)
        if opened.has_weak_key:
            log.warning("%s", weak_key(is_in_use=True))
        freeze_objects()
        # Before this line a signal kills the process at once: a migration takes long, and is rolled
        # back.
        when_told(stop)
        running = asyncio.create_task(bot.start(settings.token))
        waiting = asyncio.create_task(stopping.wait())
        connecting = asyncio.create_task(_freeze_servers_of(bot))
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


def _stop() -> tuple[Callable[[], None], asyncio.Event]:
    """Make a function for signals, callable from any thread, and the event that it sets."""
    loop, stopping = asyncio.get_running_loop(), asyncio.Event()

    def stop() -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(stopping.set)

    return stop, stopping


async def serve_page(settings: Settings) -> None:
    """Serve the page, without the bot, in a process of its own until told to stop."""
    if not is_for_many(settings.database_url):
        raise _NeedsPostgresError(_PAGE_ALONE)
    if settings.web is None:
        raise SettingsError(WEB_ADDRESS, "not set")
    stop, stopping = _stop()
    clock = SystemClock()
    services = _open_services(settings, clock, ALL, is_bot=False)
    async with (
        _health(settings.health) as health,
        services as opened,
        _album(settings) as album,
        _page(settings, clock, opened, album),
    ):
        if health is not None:
            health.watch(opened, None)
        freeze_objects()
        when_told(stop)
        hearing = asyncio.create_task(_hear_of_kept_out(opened))
        await stopping.wait()
        log.info("stopping")
        hearing.cancel()
        await opened.close()


async def _hear_of_kept_out(services: Services) -> None:
    """Read every ten seconds who is kept out, in the process that serves only the page.

    Processes that run the bot have a timer for it.
    """
    failures = Failures(log)
    while True:
        with failures.telling("who is kept out"):
            await services.moderation.refresh()
        await asyncio.sleep(_KEPT_OUT_SECONDS)


class _Health(Protocol):
    """The interface of `bot.hosting.health.Health`, which is loaded on demand."""

    @property
    def gauges(self) -> Gauges: ...

    def watch(self, services: Services, bot: CodebreakerBot | None) -> None: ...


@asynccontextmanager
async def _health(address: Address | None) -> AsyncGenerator[_Health | None]:
    """Serve health at an address for a block; without one, yield None and load no server."""
    if address is None:
        yield None
        return
    open_health: Callable[[Address], AbstractAsyncContextManager[_Health]] = import_module(
        "bot.hosting.health"
    ).opened
    async with open_health(address) as health:
        tell(health.gauges)
        yield health


@asynccontextmanager
async def _album(settings: Settings) -> AsyncGenerator[Album | None]:
    if not settings.avatars:
        yield None
        return
    album = Album()
    try:
        yield album
    finally:
        await album.close()


@asynccontextmanager
async def _page(
    settings: Settings, clock: Clock, services: Services, album: Album | None
) -> AsyncGenerator[None]:
    """Serve the page for a block, if its address is set.

    With a client secret, it is served as an Activity within Discord, too.
    """
    if settings.web is None:
        yield
        return
    activity: object = None
    if settings.client_secret:
        make: Callable[..., object] = import_module("web.activity").Activity
        async with discord.Client(intents=discord.Intents.none()) as client:
            await client.login(settings.token)
            application_id = client.application_id or 0
        activity = make(application_id, settings.client_secret, settings.token, Route.BASE)
    open_page: Callable[..., AbstractAsyncContextManager[object]] = import_module("web.app").opened
    web, contact = settings.web, settings.contact
    async with open_page(web.address, web.url, services, clock, contact, activity, album):
        yield


def _open_services(
    settings: Settings, clock: Clock, shards: ShardRange, *, is_bot: bool = True
) -> AbstractAsyncContextManager[Services]:
    workers = min(_cores() if settings.workers is None else settings.workers, MOST_WORKERS)
    return open_services(
        settings.database_url,
        clock,
        puzzle_key=settings.puzzle_key,
        avatars=settings.avatars,
        make_pool=partial(Pool.with_workers, workers),
        shards=shards,
        backups=settings.backups,
        is_bot=is_bot,
    )


def _bot(
    settings: Settings,
    clock: Clock,
    services: Services,
    album: Album | None,
    shards: ShardRange,
    gauges: Gauges,
) -> CodebreakerBot:
    folder, deletions, back_up = settings.backups, services.privacy.deletions, None
    if folder is not None:
        deletions.keep_in(folder)
        url = settings.database_url
        back_up = Nightly(url, folder, clock, services.leases, deletions).attempt
    return CodebreakerBot(
        services,
        choices=HostChoices(
            album,
            settings.contact,
            settings.forget_after,
            web_url=settings.web.url if settings.web else "",
            has_activity=bool(settings.web and settings.client_secret),
        ),
        shards=shards,
        back_up=back_up,
        examine=lambda: asyncio.to_thread(what_is_wrong, settings, clock.now()),
        gauges=gauges,
    )


def freeze_objects() -> None:
    """Exempt all present objects from garbage collection, and switch collection on.

    A full collection scans every object while the event loop waits: 200 ms after a start, and
    longer with more servers. Present garbage is never collected: about a thousand objects of
    180,000. Finding it would be the slowest step between imports and login.
    """
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    gc.enable()


async def _freeze_servers_of(bot: CodebreakerBot) -> None:
    await bot.wait_until_ready()
    freeze_objects()


def run(shards: tuple[int, int, int] | None = None) -> int:
    """Run one process of the bot.

    Args:
        shards: its first shard, its last, and the number of all shards; None for all.

    Returns:
        The exit status: 0 if it was told to stop, 2 if the host must mend something, 3 if it may
            start later.
    """
    own = ALL if shards is None else ShardRange(*shards)
    return _run("" if own == ALL else str(own), partial(serve, shards=own))


def run_page() -> int:
    """Run a process that serves only the page; return the exit status, as `run` does."""
    return _run("web", serve_page)


def _run(name: str, serve: Callable[[Settings], Coroutine[Any, Any, None]]) -> int:
    """Read the settings, set up logging, and serve; return the exit status.

    `name` stands for this process in the log.
    """
    try:
        settings = read_settings(read_environment(os.environ))
        configure_logs(
            settings.logs,
            secrets=settings.secrets,
            is_nobodys_fault=is_nobodys_fault,
            name=name,
        )
        log.info("focdle-bot %s", version())
        _warn_of_readable_files(settings.database_url)
        asyncio.run(serve(settings))
    except Exception as error:
        advice = _advice(error)
        if advice is None:
            raise
        return refuse(advice, LATER if _may_pass(error) else CANNOT)
    return 0


_SEVERAL: Final = (
    "Several processes need a database of PostgreSQL's: a file of SQLite's is one process's own. "
    "docs/HOSTING.md says how to move there. One process is enough for some thousand servers; "
    "start it without --shards."
)
_PAGE_ALONE: Final = (
    "A process for only the page needs a database of PostgreSQL's: a file of SQLite's is one "
    "process's own. The bot itself serves the page where WEB_ADDRESS is set: start that."
)


_TOO_FEW_SHARDS: Final = (
    "Discord wants more shards for as many servers as the bot is in. Stop all processes, and start "
    "them with a larger number of shards: docs/hosting/processes.md."
)


class _NeedsPostgresError(Exception):
    """Several processes need PostgreSQL, as an SQLite file is for one; the text is the advice."""


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _warn_of_readable_files(database_url: str) -> None:
    for path in filter(None, (Path(ENV), file_at(database_url))):
        with suppress(OSError):  # missing, or unreadable for its user too: others report that
            if advice := readers_of(path):
                log.warning("%s", advice)


def _may_pass(error: Exception) -> bool:
    """Return true if a new start may succeed without any change."""
    match error:
        case StorageBusyError() | LostDatabaseError():
            return True
        case CannotListenError():
            return error.may_pass
        case _:
            return _why_unreachable(error) is not None


def _advice(error: Exception) -> str | None:
    """Choose advice for the host; None for errors that no host can mend."""
    said: str | None
    match error:
        case SettingsError() | StorageError():
            said = error.advice
        case _NeedsPostgresError():
            said = str(error)
        case CannotListenError():
            what = "Nobody can ask how the bot is"
            if error.setting == WEB_ADDRESS:
                what = "The page cannot be"
            said = (
                f"{what} at {error.address} ({error.reason}). Put another port into "
                f"{error.setting}, or leave it out."
            )
        case discord.LoginFailure() | discord.ConnectionClosed(code=4004):  # the token was reset
            said = LOGIN_REFUSED
        case discord.ConnectionClosed(code=4011):  # sharding required
            said = _TOO_FEW_SHARDS
        case WeakKeyError():
            said = weak_key(is_in_use=False)
        case _:
            reason = _why_unreachable(error)
            said = reason and (
                f"Discord cannot be reached ({reason}). Check the network and start again."
            )
    return said


def _why_unreachable(error: BaseException | None) -> str | None:
    """Explain a failed connection to Discord; None for other errors."""
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
