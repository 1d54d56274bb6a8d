"""Emojis of ours that Discord does not take any more: a message does without them."""

from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeVar, cast

import discord
from discord import ui

from bot.text.pegs import letter_of, without_emojis
from cogs.ui.pages import Page

T = TypeVar("T")

_INVALID_FORM: Final = 50035
_NAMED_IN_IT: Final = "emoji"


class _Host(Protocol):
    def lose_emojis(self) -> None: ...


async def sent(client: discord.Client, page: Page, send: Callable[[], Awaitable[T]]) -> T:
    """What comes of sending a page, with plain pegs if Discord does not take our emojis.

    It refuses a message with a button whose emoji is gone, whoever has deleted that.

    Args:
        client: the bot, which is told.
        page: what is sent; it may be changed.
        send: sends it; is called again if it is changed.
    """
    try:
        return await send()
    except discord.HTTPException as error:
        is_of_emoji = error.code == _INVALID_FORM and _NAMED_IN_IT in error.text.lower()
        if not is_of_emoji or not _become_plain(page):
            raise
    cast("_Host", client).lose_emojis()
    for file in page.files:
        file.reset()
    return await send()


def _become_plain(page: Page) -> bool:
    """Show pegs in Unicode; whether any button had one of ours."""
    is_changed = False
    for item in page.walk_children():
        if isinstance(item, ui.TextDisplay):
            item.content = without_emojis(item.content)
        elif isinstance(item, ui.Button) and item.emoji is not None and item.emoji.id:
            item.label = item.label or letter_of(item.emoji.name)
            item.emoji = without_emojis(str(item.emoji))
            is_changed = True
    return is_changed
