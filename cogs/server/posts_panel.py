"""The page of a server's settings that is about the daily post."""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, Self, cast

import discord
from discord import ui

from bot.presentation.base.language import say, weekday
from bot.presentation.refusals import refusal
from bot.presentation.server import posts_panel as words
from bot.presentation.server import settings_panel
from bot.services.server.errors import (
    ChannelUnusableError,
    RoleForbiddenError,
    RoleUnusableError,
    ThreadsUnusableError,
)
from bot.services.server.post_choices import PostChoices, PostSettings
from cogs.base.buttons import Press, Switch
from cogs.base.pages import Page
from cogs.base.replies import Interaction, services_of, show
from cogs.base.selects import Pick, chosen
from cogs.server.preview import PreviewButton
from cogs.server.rights import (
    as_they_stand,
    check_channel,
    check_choice_of_role,
    check_role,
    check_threads,
    managed_server,
    reads_history,
)

BACK_ID: Final = "set:back"
"""The id of the button that leads back to all settings; that page imports this one."""

_ACCENT: Final = 0x5865F2
_LARGEST_ID: Final = 2**31 - 1


async def show_posts(
    interaction: Interaction, posts: PostSettings | None = None, refused: Exception | None = None
) -> None:
    """Show the page, and what is wrong with what is set or was chosen."""
    guild = managed_server(interaction)
    services = services_of(interaction)
    posts = as_they_stand(guild, posts or await services.posts.choices.view(guild.id))
    zone = (await services.settings.view(guild.id)).zone
    page = PostsPage(posts, zone, _troubles(guild, posts), refused, drawn=interaction.id)
    await show(interaction, page)


def _troubles(guild: discord.Guild, posts: PostSettings) -> list[str]:
    """What keeps the bot from doing what is set, and what mends it."""
    found = words.troubles(posts)
    channel_id = posts.channel_id
    if channel_id is None or posts.is_gone:
        return found
    try:
        check_channel(guild, channel_id)
        if not reads_history(guild, channel_id):
            found.append(words.no_history())
        if posts.role_id is not None:
            check_role(guild, posts.role_id, channel_id)
        if posts.finishers_threads:
            check_threads(guild, channel_id)
    except (ChannelUnusableError, RoleUnusableError, ThreadsUnusableError) as error:
        found.append(f"⚠️ {refusal(error)}")
    return found


class PostsPage(Page):
    """Everything about the daily post.

    Args:
        posts: as it is set.
        zone: the server's zone.
        troubles: what keeps the bot from doing it.
        refused: why a choice was not taken, if one was not.
        drawn: anything that differs each time.
    """

    def __init__(
        self,
        posts: PostSettings,
        zone: str,
        troubles: Sequence[str] = (),
        refused: Exception | None = None,
        *,
        drawn: int = 0,
    ) -> None:
        super().__init__()
        self._container = ui.Container[PostsPage](accent_colour=_ACCENT)
        self._refused = refused
        self._say(words.title(posts))
        for trouble in troubles:
            self._say(trouble)
        if posts.off_at is not None and not posts.is_gone:
            self._offer(TryAgainButton())
        self._part(words.hour(posts, zone), HourPick(posts))
        self._part(words.weekdays(posts), WeekdaysPick(posts))
        self._add_role(posts, drawn)
        self._separate()
        on, label = not posts.finishers_threads, words.threads_button(posts)
        self._section(words.threads(posts), ThreadsButton(on=on, label=label))
        self._answer(ThreadsUnusableError)
        self._separate()
        on, label = not posts.takes_results, words.results_button(posts)
        self._section(words.results(posts), ResultsButton(on=on, label=label))
        self._separate()
        # The class of this button belongs to the other page, which imports this one.
        back = ui.Button[Any](label=say(words.BACK_BUTTON), custom_id=BACK_ID)
        self._offer(PreviewButton(), back)
        self.add_item(self._container)

    def _add_role(self, posts: PostSettings, drawn: int) -> None:
        self._separate()
        if posts.role_id is None:
            self._say(words.role(posts))
        else:
            self._section(words.role(posts), NoRoleButton())
        self._answer(RoleUnusableError, RoleForbiddenError)
        self._offer(RolePick(drawn, posts.role_id))

    def _part(self, text: str, select: Pick) -> None:
        self._separate()
        self._say(text)
        self._offer(select)

    def _separate(self) -> None:
        self._container.add_item(ui.Separator[PostsPage]())

    def _say(self, text: str) -> None:
        self._container.add_item(ui.TextDisplay[PostsPage](text))

    def _section(self, text: str, button: Press) -> None:
        accessory = cast("ui.Item[Any]", button)
        self._container.add_item(ui.Section[PostsPage](text, accessory=accessory))

    def _answer(self, *kinds: type[Exception]) -> None:
        if isinstance(self._refused, kinds):
            self._say(f"{refusal(self._refused)}\n{settings_panel.unchanged()}")

    def _offer(self, *items: ui.Item[Any]) -> None:
        row = ui.ActionRow[PostsPage]()
        for item in items:
            row.add_item(item)
        self._container.add_item(row)


class PostsButton(Press, template=r"set:posts"):
    """Opens the page."""

    def __init__(self) -> None:
        super().__init__("set:posts", say(words.POSTS_BUTTON))

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button."""
        return cls()

    async def press(self, interaction: Interaction) -> None:
        """Show it in place of all settings."""
        await show_posts(interaction)


class TryAgainButton(Press, template=r"set:again"):
    """Switches on what three refusals have switched off."""

    def __init__(self) -> None:
        super().__init__("set:again", say(words.TRY_AGAIN_BUTTON), discord.ButtonStyle.primary)

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button."""
        return cls()

    async def press(self, interaction: Interaction) -> None:
        """Do it if the bot may post now; the page says what is missing if it may not."""
        guild, choices = _choices(interaction)
        posts = await choices.view(guild.id)
        with suppress(ChannelUnusableError):
            if posts.channel_id is not None:
                check_channel(guild, posts.channel_id)
                posts = await choices.try_again(guild.id)
        await show_posts(interaction, posts)


class HourPick(Pick, template=r"set:hour"):
    """Sets the hour."""

    def __init__(self, posts: PostSettings | None = None) -> None:
        options = [
            discord.SelectOption(
                label=words.clock(hour),
                value=str(hour),
                description=words.hour_meaning(hour),
                default=posts is not None and posts.hour == hour,
            )
            for hour in range(24)
        ]
        super().__init__(ui.Select[Any](custom_id="set:hour", options=options))

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The list."""
        return cls()

    async def pick(self, interaction: Interaction, values: Sequence[str]) -> None:
        """Set it."""
        guild, choices = _choices(interaction)
        (hour,) = chosen(values)
        await show_posts(interaction, await choices.set_hour(guild.id, int(hour)))


class WeekdaysPick(Pick, template=r"set:days"):
    """Sets the weekdays."""

    def __init__(self, posts: PostSettings | None = None) -> None:
        options = [
            discord.SelectOption(
                label=weekday(day),
                value=str(day),
                default=posts is not None and day in posts.days,
            )
            for day in range(1, 8)
        ]
        super().__init__(
            ui.Select[Any](custom_id="set:days", options=options, min_values=1, max_values=7)
        )

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The list."""
        return cls()

    async def pick(self, interaction: Interaction, values: Sequence[str]) -> None:
        """Set them."""
        guild, choices = _choices(interaction)
        days = list(map(int, chosen(values)))
        await show_posts(interaction, await choices.set_days(guild.id, days))


class RolePick(Pick, template=r"set:role:(?P<drawn>\d+)"):
    """Sets the role that the post mentions.

    Args:
        drawn: anything that differs each time it is drawn: a client goes on showing
            what was chosen in a list with the same id, even if it was refused.
        role_id: the role that is set.
    """

    def __init__(self, drawn: int, role_id: int | None = None) -> None:
        chosen = [] if role_id is None else [discord.Object(role_id)]
        super().__init__(
            ui.RoleSelect[Any](
                custom_id=f"set:role:{drawn}",
                id=drawn % _LARGEST_ID + 1,
                placeholder=say(words.ROLE_PLACEHOLDER),
                default_values=chosen,
            )
        )

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The list."""
        return cls(int(match["drawn"]))

    async def pick(self, interaction: Interaction, values: Sequence[str]) -> None:
        """Set it, if the bot may mention it, and who sets it."""
        guild, choices = _choices(interaction)
        (role_id,) = chosen(values)
        posts, refused = await choices.view(guild.id), None
        try:
            check_choice_of_role(interaction, guild, int(role_id), posts.channel_id)
            posts = await choices.set_role(guild.id, int(role_id))
        except (RoleUnusableError, RoleForbiddenError) as error:
            refused = error
        await show_posts(interaction, posts, refused)


class NoRoleButton(Press, template=r"set:norole"):
    """Mentions nobody from now on."""

    def __init__(self) -> None:
        super().__init__("set:norole", say(words.NO_ROLE_BUTTON))

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button."""
        return cls()

    async def press(self, interaction: Interaction) -> None:
        """Do it."""
        guild, choices = _choices(interaction)
        await show_posts(interaction, await choices.set_role(guild.id, None))


class ThreadsButton(Switch, template=r"set:threads:(?P<state>on|off)"):
    """Turns finishers' threads on, or off."""

    prefix = "set:threads"

    async def press(self, interaction: Interaction) -> None:
        """Do it, if the bot may keep private threads."""
        guild, choices = _choices(interaction)
        posts, refused = await choices.view(guild.id), None
        try:
            if self._on:
                check_threads(guild, posts.channel_id)
            posts = await choices.set_finishers_threads(guild.id, on=self._on)
        except ThreadsUnusableError as error:
            refused = error
        await show_posts(interaction, posts, refused)


class ResultsButton(Switch, template=r"set:results:(?P<state>on|off)"):
    """Lets results be shared below the post by who may not write there, or no more."""

    prefix = "set:results"

    async def press(self, interaction: Interaction) -> None:
        """Do it."""
        guild, choices = _choices(interaction)
        await show_posts(interaction, await choices.set_takes_results(guild.id, on=self._on))


def _choices(interaction: Interaction) -> tuple[discord.Guild, PostChoices]:
    return managed_server(interaction), services_of(interaction).posts.choices
