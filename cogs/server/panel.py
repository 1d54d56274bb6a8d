"""The panel of a server's settings: its buttons, its form and its lists."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Self, cast

import discord
from discord import ui

from bot.model.dailies import LONGEST_DAILY, SHORTEST_DAILY
from bot.presentation.base import zones
from bot.presentation.base.language import say
from bot.presentation.refusals import refusal
from bot.presentation.server import posts_panel
from bot.presentation.server import settings_panel as words
from bot.services.base.errors import NoSuchDailyLengthError, UnknownZoneError
from bot.services.base.zones import matching_zones
from bot.services.server.errors import ChannelUnusableError, ServerZoneTooSoonError
from bot.services.server.post_choices import PostSettings
from bot.services.server.settings import GuildSettings
from cogs.base.buttons import Press, Switch
from cogs.base.pages import Page
from cogs.base.replies import Interaction, services_of, show
from cogs.base.selects import Pick, chosen
from cogs.base.zones import FIELD, ZoneForm, ZonePick, proposals_of, zone_options
from cogs.server.posts_panel import BACK_ID, PostsButton
from cogs.server.restore import RestoreButton
from cogs.server.rights import CHANNEL_TYPES, as_they_stand, check_channel, managed_server

_ACCENT: Final = 0x5865F2
# Of a component within its message.
_LARGEST_ID: Final = 2**31 - 1


async def change_settings(
    interaction: Interaction,
    *,
    channel_id: int | None = None,
    zone: str | None = None,
    length: int | None = None,
) -> None:
    """Choose some of a server's settings, all or nothing, and show them all; none shows only.

    Raises:
        NotAllowedError: the member may not manage the server.
    """
    guild = managed_server(interaction)
    service = services_of(interaction).settings
    refused = None
    try:
        if channel_id is not None:
            check_channel(guild, channel_id)
        settings = await service.change(guild.id, channel_id=channel_id, zone=zone, length=length)
    except (
        ChannelUnusableError,
        NoSuchDailyLengthError,
        ServerZoneTooSoonError,
        UnknownZoneError,
    ) as error:
        refused, settings = error, await service.view(guild.id)
    await show_settings(interaction, guild, settings, refused)


async def offer_zones(interaction: Interaction, typed: str) -> None:
    """Show the zones that a text may name, with what time it is there, to choose from."""
    guild = managed_server(interaction)
    settings = await services_of(interaction).settings.view(guild.id)
    refused: Exception | None = None
    offered: list[str] = []
    if settings.zone_again_at is not None:
        refused = ServerZoneTooSoonError(again_at=settings.zone_again_at)
    else:
        try:
            offered = matching_zones(typed)
        except UnknownZoneError as error:
            refused = error
    await show_settings(interaction, guild, settings, refused, offered)


async def show_settings(
    interaction: Interaction,
    guild: discord.Guild,
    settings: GuildSettings,
    refused: Exception | None = None,
    offered: Sequence[str] = (),
) -> None:
    """Show a server's settings, what is wrong with them or with what was chosen, and zones."""
    unusable = None
    try:
        if settings.channel_id is not None:
            check_channel(guild, settings.channel_id)
    except ChannelUnusableError as error:
        unusable = error
    now = interaction.created_at
    posts = as_they_stand(guild, await services_of(interaction).posts.choices.view(guild.id))
    panel = SettingsPanel(settings, posts, now, refused, unusable, offered, drawn=interaction.id)
    await show(interaction, panel)


class SettingsPanel(Page):
    """A server's settings, each with what changes it.

    Args:
        settings: as they are.
        posts: the choices about the daily post, which has a page of its own.
        now: the present instant.
        refused: why a choice was not taken, if one was not; said where it was made.
        unusable: why the bot cannot post in the channel that is set, if it cannot.
        offered: zones to choose from.
        drawn: anything that differs each time.
    """

    def __init__(
        self,
        settings: GuildSettings,
        posts: PostSettings,
        now: datetime,
        refused: Exception | None = None,
        unusable: ChannelUnusableError | None = None,
        offered: Sequence[str] = (),
        *,
        drawn: int = 0,
    ) -> None:
        super().__init__()
        self._container = ui.Container[SettingsPanel](accent_colour=_ACCENT)
        self._refused = refused
        self._say(words.title())
        self._add_channel(settings, unusable, drawn)
        self._container.add_item(ui.Separator[SettingsPanel]())
        self._add_section(posts_panel.summary(posts), PostsButton())
        self._add_zone(settings, offered, now)
        self._add_length(settings)
        self._container.add_item(ui.Separator[SettingsPanel]())
        on = not settings.duel_threads
        button = DuelThreadsButton(on=on, label=words.duel_threads_button(on=on))
        self._add_section(words.duel_threads(settings), button)
        self._container.add_item(ui.Separator[SettingsPanel]())
        self._add_section(posts_panel.restore(), RestoreButton())
        self.add_item(self._container)

    def _add_channel(
        self, settings: GuildSettings, unusable: ChannelUnusableError | None, drawn: int
    ) -> None:
        self._container.add_item(ui.Separator[SettingsPanel]())
        is_gone = unusable is not None and not unusable.missing
        text = words.channel(settings, is_gone=is_gone)
        if settings.channel_id is None:
            self._say(text)
        else:
            self._add_section(text, LeaveChannelButton())
        if unusable is not None and not is_gone:
            self._say(refusal(unusable) or "")
        self._answer(ChannelUnusableError)
        self._offer(ChannelPick(drawn, None if unusable else settings.channel_id))

    def _add_zone(self, settings: GuildSettings, offered: Sequence[str], now: datetime) -> None:
        self._container.add_item(ui.Separator[SettingsPanel]())
        button = ServerZoneButton(disabled=settings.zone_again_at is not None)
        self._add_section(words.zone(settings, now), button)
        self._answer(UnknownZoneError, ServerZoneTooSoonError)
        if offered:
            self._say(say(words.ZONES_OFFERED))
        if options := zone_options(offered or proposals_of(self._refused), now):
            self._offer(ServerZonePick(options))

    def _add_length(self, settings: GuildSettings) -> None:
        self._container.add_item(ui.Separator[SettingsPanel]())
        self._say(words.length(settings))
        self._answer(NoSuchDailyLengthError)
        self._offer(LengthPick(settings))

    def _add_section(self, text: str, button: Press) -> None:
        accessory = cast("ui.Item[Any]", button)
        self._container.add_item(ui.Section[SettingsPanel](text, accessory=accessory))

    def _say(self, text: str) -> None:
        self._container.add_item(ui.TextDisplay[SettingsPanel](text))

    def _answer(self, *kinds: type[Exception]) -> None:
        """Say why a choice was refused, if one was for such a reason."""
        if isinstance(self._refused, kinds):
            self._say(f"{refusal(self._refused)}\n{words.unchanged()}")

    def _offer(self, select: Pick) -> None:
        row = ui.ActionRow[SettingsPanel]()
        row.add_item(select)
        self._container.add_item(row)


class ChannelPick(Pick, template=r"set:channel:(?P<drawn>\d+)"):
    """Sets the channel to post in.

    Args:
        drawn: anything that differs each time it is drawn: a client goes on showing
            what was chosen in a list with the same id, even if it was refused.
        channel_id: the channel that is set.
    """

    def __init__(self, drawn: int, channel_id: int | None = None) -> None:
        chosen = [] if channel_id is None else [discord.Object(channel_id)]
        super().__init__(
            ui.ChannelSelect[Any](
                # Clients tell lists apart by one or the other.
                custom_id=f"set:channel:{drawn}",
                id=drawn % _LARGEST_ID + 1,
                channel_types=CHANNEL_TYPES,
                placeholder=say(words.CHANNEL_PLACEHOLDER),
                default_values=chosen,
            )
        )

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The list."""
        return cls(int(match["drawn"]))

    async def pick(self, interaction: Interaction, values: Sequence[str]) -> None:
        """Set it."""
        managed_server(interaction)
        (channel_id,) = chosen(values)
        await change_settings(interaction, channel_id=int(channel_id))


class LeaveChannelButton(Press, template=r"set:nochannel"):
    """Stops posting in the channel."""

    def __init__(self) -> None:
        super().__init__("set:nochannel", say(words.LEAVE_CHANNEL_BUTTON))

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button."""
        return cls()

    async def press(self, interaction: Interaction) -> None:
        """Post nowhere."""
        guild = managed_server(interaction)
        settings = await services_of(interaction).settings.leave_channel(guild.id)
        await show_settings(interaction, guild, settings)


class DuelThreadsButton(Switch, template=r"set:duels:(?P<state>on|off)"):
    """Gives duels threads, or none."""

    prefix = "set:duels"

    async def press(self, interaction: Interaction) -> None:
        """Do it."""
        guild = managed_server(interaction)
        service = services_of(interaction).settings
        settings = await service.set_duel_threads(guild.id, on=self._on)
        await show_settings(interaction, guild, settings)


class AllSettingsButton(Press, template=BACK_ID):
    """Shows all settings again."""

    def __init__(self) -> None:
        super().__init__(BACK_ID, say(posts_panel.BACK_BUTTON))

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button."""
        return cls()

    async def press(self, interaction: Interaction) -> None:
        """Show them."""
        await change_settings(interaction)


class LengthPick(Pick, template=r"set:length"):
    """Sets the length of the day's puzzle."""

    def __init__(self, settings: GuildSettings | None = None) -> None:
        coming = settings and settings.next_length
        chosen = coming[0] if coming else settings and settings.length
        options = [
            discord.SelectOption(
                label=words.length_choice(length),
                value=str(length),
                description=words.length_example(length),
                default=length == chosen,
            )
            for length in range(SHORTEST_DAILY, LONGEST_DAILY + 1)
        ]
        super().__init__(ui.Select[Any](custom_id="set:length", options=options))

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The list."""
        return cls()

    async def pick(self, interaction: Interaction, values: Sequence[str]) -> None:
        """Set it."""
        managed_server(interaction)
        (length,) = chosen(values)
        await change_settings(interaction, length=int(length))


class ServerZoneButton(Press, template=r"set:zone"):
    """Opens the form that asks for the server's zone."""

    def __init__(self, *, disabled: bool = False) -> None:
        super().__init__("set:zone", say(zones.ZONE_BUTTON), disabled=disabled)

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button."""
        return cls()

    async def press(self, interaction: Interaction) -> None:
        """Open the form."""
        managed_server(interaction)
        await ServerZoneForm().present(interaction)


class ServerZoneForm(ZoneForm, template=r"set:form:zone"):
    """Asks for the server's zone."""

    def __init__(self) -> None:
        super().__init__("set:form:zone")

    @classmethod
    async def submitted(
        cls, interaction: Interaction, match: re.Match[str], values: Mapping[str, str]
    ) -> None:
        """Offer what was typed, with its time: a zone cannot be changed again at once."""
        await offer_zones(interaction, values.get(FIELD, ""))


class ServerZonePick(ZonePick, template=r"set:zones"):
    """Zones for the server."""

    def __init__(self, options: Sequence[discord.SelectOption] = ()) -> None:
        super().__init__("set:zones", options)

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The list."""
        return cls()

    async def pick(self, interaction: Interaction, values: Sequence[str]) -> None:
        """Set the zone."""
        managed_server(interaction)
        (zone,) = chosen(values)
        await change_settings(interaction, zone=zone)
