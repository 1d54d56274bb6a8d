"""*Preview*, in a server's settings: the daily post as it would be now, for one manager."""

from dataclasses import replace
from typing import Any, Final

import discord
from discord import ui

from bot.posts.pages import posts_panel as words
from bot.text.language import say
from cogs.posts.daily_post import post_page
from cogs.ui.pages import Page, button
from cogs.ui.replies import Interaction, in_good_time, services_of, whisper
from cogs.ui.rights import managed_server
from cogs.ui.routes import By, Route, pressed

PREVIEW: Final = Route("set:preview")


def preview_button() -> ui.Button[Any]:
    """Shows the daily post as it would be now, without sending it."""
    return button(PREVIEW(), say(words.PREVIEW_BUTTON))


def preview_page(post: Page, note: str) -> Page:
    """A post for a manager alone: a note above it says so, and its buttons are off.

    Args:
        post: the post as everybody would see it.
        note: the text that says that it is a preview.
    """
    for item in post.walk_children():
        # One of them would open a game in place of the preview, another one make a thread.
        if isinstance(item, ui.Button):
            item.disabled = True
    return Page([note, *post.children], post.files)


@pressed(PREVIEW, by=By.MANAGERS)
async def preview(interaction: Interaction) -> None:
    """Show it in a private message of its own; the settings stay."""
    guild = managed_server(interaction)
    post = await in_good_time(interaction, _post_now(interaction, guild))
    await whisper(interaction, preview_page(post, words.preview_note()))


async def _post_now(interaction: Interaction, guild: discord.Guild) -> Page:
    """Today's post as it would be, in the server's language."""
    services = services_of(interaction)
    due = await services.posts.book.preview(guild.id)
    where = replace(due, channel_id=due.channel_id or interaction.channel_id or 0)
    return await post_page(interaction.client, services, where)
