"""Faults between Discord and the bot: who is to blame, and whether trying again may help."""

from typing import Final

import aiohttp
import discord

from bot.errors import ClosingError, StorageBusyError, UnusableDatabaseError

UNDONE: Final = (discord.HTTPException, aiohttp.ClientError, OSError)
"""Errors of a request that Discord has refused, or that never reached it."""

# Unknown interaction; already acknowledged; unknown webhook; its token has expired. The first and
# the last two come as different statuses of HTTP, so it is the code that tells.
_ACKNOWLEDGED: Final = 40060
_TOO_LATE: Final = frozenset({10062, _ACKNOWLEDGED, 10015, 50027})

_TOO_MANY_REQUESTS: Final = 429
_THEIR_OWN_FAULT: Final = 500
_LINE: Final = (
    aiohttp.ClientError,
    ConnectionError,
    TimeoutError,
    discord.ConnectionClosed,
    discord.GatewayNotFound,
)
_DATABASE: Final = (ClosingError, StorageBusyError, UnusableDatabaseError)


def is_too_late(error: BaseException) -> bool:
    """Whether nobody is left to be answered: it came too late, or somebody else was faster."""
    return isinstance(error, discord.HTTPException) and error.code in _TOO_LATE


def may_pass(error: discord.HTTPException) -> bool:
    """Whether Discord may do later what it has not done now."""
    return error.status == _TOO_MANY_REQUESTS or error.status >= _THEIR_OWN_FAULT


def was_refused(error: BaseException) -> bool:
    """Whether Discord has said no, so that what it was asked for is surely not done."""
    return (
        isinstance(error, discord.HTTPException)
        and not may_pass(error)
        and error.code != _ACKNOWLEDGED  # by an earlier try of ours, perhaps
    )


def is_unheard(error: BaseException) -> bool:
    """Whether it is the line that has failed, or Discord itself."""
    if isinstance(error, discord.HTTPException):
        return may_pass(error)
    return isinstance(error, _LINE)


def is_nobodys_fault(error: BaseException) -> bool:
    """Whether what led to an error says nothing: a line, a disk, an end, an impatient click."""
    return isinstance(error, _DATABASE) or is_too_late(error) or is_unheard(error)
