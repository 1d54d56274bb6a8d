"""Asking Discord over HTTP without a bot: for programs that never log in."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

import aiohttp

DISCORD: Final = "https://discord.com/api/v10"

_SAYS_WHO_ASKS: Final = "DiscordBot (focdle-bot, 0)"


@asynccontextmanager
async def asking(token: str, address: str, seconds: float) -> AsyncGenerator[aiohttp.ClientSession]:
    """A session that asks for paths as the bot with a token.

    Args:
        token: the bot's.
        address: where Discord's interface is.
        seconds: how long an answer may take.
    """
    headers = {"Authorization": f"Bot {token}", "User-Agent": _SAYS_WHO_ASKS}
    timeout = aiohttp.ClientTimeout(seconds)
    async with aiohttp.ClientSession(f"{address}/", headers=headers, timeout=timeout) as session:
        yield session
