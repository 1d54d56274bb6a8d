"""What is asked of Discord: deliveries, posts that are edited or looked for, what errors mean."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, Final, Protocol, TypeVar

import aiohttp
import discord

from bot.duels.model import Seek
from bot.equations.model import SetEquation
from bot.errors import ClosingError, StorageBusyError, UnusableDatabaseError
from bot.games.game import TRY_SECONDS
from bot.races.model import Race
from cogs.ui.host import Host

UNDONE: Final = (discord.HTTPException, aiohttp.ClientError, OSError)
"""Errors of a request to Discord: it was refused, or it failed on the way, perhaps done."""

# Unknown interaction; already acknowledged; unknown webhook; expired token. HTTP statuses differ,
# so the code decides.
_ACKNOWLEDGED: Final = 40060
_TOO_LATE: Final = frozenset({10062, _ACKNOWLEDGED, 10015, 50027})

_REFUSALS: Final = frozenset({400, 403, 404})
# No code: not Discord's own answer. An old message was edited too often within the hour. The server
# has too many active threads.
_NOT_NOW: Final = frozenset({0, 30046, 160006})
_LINE: Final = (
    aiohttp.ClientError,
    ConnectionError,
    TimeoutError,
    discord.ConnectionClosed,
    discord.GatewayNotFound,
)
_DATABASE: Final = (ClosingError, StorageBusyError, UnusableDatabaseError)


log = logging.getLogger(__name__)
T = TypeVar("T")
Post_contra = TypeVar("Post_contra", contravariant=True)


def is_too_late(error: BaseException) -> bool:
    """Return true if an interaction can no longer be answered, or was answered already."""
    return isinstance(error, discord.HTTPException) and error.code in _TOO_LATE


class Refusal(Enum):
    """What is to be done when Discord has not taken something."""

    WAIT = "not now"
    """Discord is busy, broken or silent, or has no room for it now: try again later."""
    GONE = "gone"
    """The message, channel or member does not exist: go elsewhere, or nowhere."""
    CLOSED = "refused"
    """The bot may not do it there: try much later, or give up."""


def refusal_of(error: BaseException) -> Refusal:
    """Say what an error of `UNDONE` means."""
    if not isinstance(error, discord.HTTPException):
        return Refusal.WAIT
    if error.status not in _REFUSALS or error.code in _NOT_NOW:
        return Refusal.WAIT
    return Refusal.GONE if isinstance(error, discord.NotFound) else Refusal.CLOSED


async def delivered(what: str, work: Awaitable[T]) -> T | Refusal:
    """Await work at Discord for at most `TRY_SECONDS`; log in a line what is not done, and why."""
    try:
        async with asyncio.timeout(TRY_SECONDS):
            return await work
    except UNDONE as error:
        refused = refusal_of(error)
        level = logging.WARNING if refused is Refusal.CLOSED else logging.INFO
        log.log(level, "%s: %s, %r", what, refused.value, error)
        return refused


async def delete_quietly(client: Host, channel_id: int, message_id: int) -> None:
    """Delete a message of ours, if it is still there and Discord takes that."""
    message = client.get_partial_messageable(channel_id).get_partial_message(message_id)
    await delivered(f"deletion of message {message_id}", message.delete())


def was_refused(error: BaseException) -> bool:
    """Return true if Discord has refused a request for good, so that it had no effect."""
    return (
        isinstance(error, discord.HTTPException)
        and refusal_of(error) is not Refusal.WAIT
        and error.code != _ACKNOWLEDGED  # perhaps by an earlier try of ours
    )


def is_unheard(error: BaseException) -> bool:
    """Return true if a request failed at the network, or at a busy or broken Discord."""
    if isinstance(error, discord.HTTPException):
        return refusal_of(error) is Refusal.WAIT
    return isinstance(error, _LINE)


def is_nobodys_fault(error: BaseException) -> bool:
    """Return true for an error that comes from no bug, so that a traceback would not help.

    These are failures of the network, of Discord or of the database, shutdown, and late clicks.
    """
    return isinstance(error, _DATABASE) or is_too_late(error) or is_unheard(error)


_MARGIN: Final = timedelta(minutes=1)  # clocks differ
_MOST: Final = 300


async def look_for(
    client: Host, channel: discord.abc.Messageable, custom_id: str, since: datetime
) -> int | None:
    """Find the bot's message by `find_own`; None also if the bot cannot see the channel."""
    try:
        return await find_own(client, channel, custom_id, since)
    except (discord.Forbidden, discord.NotFound):
        return None


class _Posts(Protocol[Post_contra]):
    async def shown(self, post: Post_contra, message_id: int, /) -> None: ...
    async def lost(self, post: Post_contra, /) -> None: ...
    async def unreachable(self, post: Post_contra, /) -> None: ...


async def edit_post(
    what: str,
    client: Host,
    posts: _Posts[Post_contra],
    post: Post_contra,
    of: SetEquation | Race | Seek,
    custom_id: str,
    bring: Callable[[discord.PartialMessage | None], Awaitable[int | None]],
) -> None:
    """Edit a claimed post, and note what came of it; its claim expires in a minute.

    If it is not noted which message is the post, look for one with this `custom_id`. `bring` edits
    the message or, if there is none, may send it; it returns the message's id.
    """
    guild_id = of.guild_id or 0
    if not client.hearing.knows(guild_id):
        return
    guild = client.get_guild(guild_id)
    if guild is None or guild.unavailable:
        await posts.unreachable(post)
        return
    channel = client.get_partial_messageable(of.channel_id or 0, guild_id=guild_id)

    async def find_and_bring() -> int | None:
        found = of.message_id
        if found is None:
            found = await look_for(client, channel, custom_id, of.opened_at)
        return await bring(None if found is None else channel.get_partial_message(found))

    came = await delivered(what, find_and_bring())
    if isinstance(came, int):
        await posts.shown(post, came)
    elif came is Refusal.CLOSED:
        await posts.unreachable(post)
    elif came is not Refusal.WAIT:
        await posts.lost(post)


async def find_own(
    client: Host, channel: discord.abc.Messageable, custom_id: str, since: datetime
) -> int | None:
    """Find the id of the bot's message that has a button or list with this `custom_id`.

    Only some hundred messages are searched, from a minute before `since` on. None if it is not
    among them.
    """
    async for message in channel.history(after=since - _MARGIN, limit=_MOST):
        if message.author == client.user and custom_id in _custom_ids(message.components):
            return message.id
    return None


def _custom_ids(components: Iterable[Any]) -> set[str]:
    found: set[str] = set()
    for component in components:
        if custom_id := getattr(component, "custom_id", None):
            found.add(custom_id)
        found |= _custom_ids(getattr(component, "children", ()))
        if accessory := getattr(component, "accessory", None):
            found |= _custom_ids([accessory])
    return found
