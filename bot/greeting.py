"""What the bot says of its own accord in the playground, where nobody knows yet how to begin."""

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from bot.app import CodebreakerBot
from bot.presentation import console
from bot.services import Services
from bot.text.language import say
from cogs.posts.daily_post import post_page
from cogs.ui.pages import Page

_FIRST: Final = "focdle"


async def greet(bot: CodebreakerBot, services: Services, guild_id: int, channel_id: int) -> None:
    """Put today's post into a channel, and what to type."""
    due = replace(await services.posts.book.preview(guild_id), channel_id=channel_id)
    post = await post_page(bot, services, due)
    page = Page([*post.children, say(console.PLAYGROUND_HINT)])
    await bot.get_partial_messageable(channel_id).send(view=page, files=post.files)


async def answer_text(bot: CodebreakerBot, channel_id: int, text: str) -> bool:
    """Say how a command is sent, below one that was sent as text; whether it was one."""
    command = meant_command(text, [each.name for each in bot.tree.get_commands()])
    if command is None:
        return False
    channel = bot.get_partial_messageable(channel_id)
    await channel.send(say(console.PLAYGROUND_COMMAND, command=command))
    return True


def meant_command(text: str, names: Collection[str]) -> str | None:
    """The command that a text was meant as; None if it is mere talk.

    >>> meant_command("/focdel 1", ["focdle"]), meant_command("Focdle", ["focdle"])
    ('focdle', 'focdle')
    >>> meant_command("focdle is fun", ["focdle"])
    """
    words = text.strip().lower().split()
    if not words:
        return None
    name, is_typed = words[0].removeprefix("/"), words[0].startswith("/")
    if name in names and (is_typed or len(words) == 1):
        return name
    return _FIRST if is_typed else None
