"""*Preview*, in a server's settings: the daily post as it would be now, for one manager."""

import re
from typing import Self

import discord
from discord import ui

from bot.presentation.base.language import say
from bot.presentation.server import posts_panel as words
from cogs.base.buttons import Press
from cogs.base.pages import Page
from cogs.base.public import in_language
from cogs.base.replies import Interaction, in_good_time, services_of, whisper
from cogs.server.daily_post import DailyPost, gather_news
from cogs.server.rights import managed_server


class PostPreview(Page):
    """A post for a manager alone: a note above it says so, and its buttons are off.

    Args:
        post: the post as everybody would see it.
        note: the text that says that it is a preview.
    """

    def __init__(self, post: DailyPost, note: str) -> None:
        super().__init__()
        self.add_item(ui.TextDisplay[PostPreview](note))
        for item in post.children:
            self.add_item(item)
        for item in self.walk_children():
            # One of them would open a game in place of the preview, another one make a thread.
            if isinstance(item, Press):
                item.item.disabled = True


class PreviewButton(Press, template=r"set:preview"):
    """Shows the daily post as it would be now, without sending it."""

    def __init__(self) -> None:
        super().__init__("set:preview", say(words.PREVIEW_BUTTON))

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button."""
        return cls()

    async def press(self, interaction: Interaction) -> None:
        """Show it in a private message of its own; the settings stay."""
        guild = managed_server(interaction)
        post = await in_good_time(interaction, _post_now(interaction, guild))
        await whisper(interaction, PostPreview(post, words.preview_note()))


async def _post_now(interaction: Interaction, guild: discord.Guild) -> DailyPost:
    """Today's post as it would be, in the server's language."""
    services = services_of(interaction)
    due = await services.posts.book.preview(guild.id)
    news = await gather_news(interaction.client, services, due)
    seal = await services.daily.seal(due.puzzle)
    return in_language(str(guild.preferred_locale), lambda: DailyPost(due, news, seal))
