"""The panel of a server's settings: its buttons, its form and its lists."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import discord
from discord import ui

from bot.dailies import LONGEST_DAILY, SHORTEST_DAILY
from bot.focdle.pages.labels import length_choice, length_example
from bot.people.game.zones import matching_zones
from bot.posts.game.post_choices import PostSettings
from bot.posts.model.errors import ChannelUnusableError, ServerZoneTooSoonError
from bot.posts.pages import posts_panel
from bot.refusals import refusal
from bot.refused import NoSuchDailyLengthError, UnknownZoneError
from bot.settings.game.settings import GuildSettings
from bot.settings.pages import settings_panel as words
from bot.text import zones
from bot.text.language import say
from bot.text.text_board import Mood
from cogs.posts.posts_panel import ALL_SETTINGS, posts_button, refused_choice
from cogs.settings.check import check_button
from cogs.settings.deletion import delete_button, may_delete
from cogs.ui.pages import Block, Page, beside, button, line, new_id, page, row
from cogs.ui.replies import Interaction, services_of, show
from cogs.ui.rights import (
    CHANNEL_TYPES,
    as_they_stand,
    check_channel,
    managed_server,
    told_permissions,
)
from cogs.ui.routes import COUNT, PLACE, TYPED, By, Route, picked, pressed, submitted
from cogs.ui.zones import FIELD, ZONE_NAME, proposals_of, zone_form, zone_list, zone_options

CHANNEL: Final = Route("set:channel:{drawn:int}")
NO_CHANNEL: Final = Route("set:nochannel")
DUEL_THREADS: Final = Route("set:duels:{on:switch}")
LENGTH: Final = Route("set:length")
ZONE: Final = Route("set:zone")
ZONES: Final = Route("set:zones")
ZONE_FORM: Final = Route("set:form:zone")


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
            check_channel(guild, channel_id, told_permissions(interaction, channel_id))
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
            told = told_permissions(interaction, settings.channel_id)
            check_channel(guild, settings.channel_id, told)
    except ChannelUnusableError as error:
        unusable = error
    now = interaction.created_at
    posts = as_they_stand(guild, await services_of(interaction).posts.choices.view(guild.id))
    viewer = Viewer(interaction.id, may_delete=may_delete(interaction, guild))
    found = settings_page(settings, posts, now, refused, unusable, offered, viewer=viewer)
    await show(interaction, found)


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks at the settings.

    Attributes:
        drawn: anything that differs each time they are drawn.
        may_delete: whether this member may delete all data of the server.
    """

    drawn: int = 0
    may_delete: bool = False


def settings_page(
    settings: GuildSettings,
    posts: PostSettings,
    now: datetime,
    refused: Exception | None = None,
    unusable: ChannelUnusableError | None = None,
    offered: Sequence[str] = (),
    *,
    viewer: Viewer = Viewer(),
) -> Page:
    """A server's settings, each with what changes it.

    Args:
        settings: as they are.
        posts: the choices about the daily post, which has a page of its own.
        now: the present instant.
        refused: why a choice was not taken, if one was not; said where it was made.
        unusable: why the bot cannot post in the channel that is set, if it cannot.
        offered: zones to choose from.
        viewer: who looks at them.
    """
    on = not settings.duel_threads
    threads = button(DUEL_THREADS(on=on), words.duel_threads_button(on=on))
    return page(
        beside(words.title(), check_button()),
        line(),
        *_channel(settings, posts, refused, unusable, viewer.drawn),
        line(),
        beside(posts_panel.summary(posts), posts_button()),
        line(),
        *_zone(settings, refused, offered, now),
        line(),
        words.length(settings),
        refused_choice(refused, NoSuchDailyLengthError),
        row(_lengths(settings)),
        line(),
        beside(words.duel_threads(settings), threads),
        row(*([delete_button()] if viewer.may_delete else [])),
        mood=Mood.CALM,
    )


def _channel(
    settings: GuildSettings,
    posts: PostSettings,
    refused: Exception | None,
    unusable: ChannelUnusableError | None,
    drawn: int,
) -> Iterator[Block]:
    is_gone = unusable is not None and not unusable.missing
    text = words.channel(settings, is_gone=is_gone, is_used=not posts.is_turned_off)
    if settings.channel_id is None:
        yield text
    else:
        yield beside(text, button(NO_CHANNEL(), say(words.LEAVE_CHANNEL_BUTTON)))
    if unusable is not None and not is_gone:
        yield refusal(unusable) or ""
    yield refused_choice(refused, ChannelUnusableError)
    yield row(_channels(drawn, None if unusable else settings.channel_id))


def _zone(
    settings: GuildSettings, refused: Exception | None, offered: Sequence[str], now: datetime
) -> Iterator[Block]:
    is_fixed = settings.zone_again_at is not None
    change = button(ZONE(), say(zones.ZONE_BUTTON), disabled=is_fixed)
    yield beside(words.zone(settings, now), change)
    yield refused_choice(refused, UnknownZoneError, ServerZoneTooSoonError)
    if offered:
        yield say(words.ZONES_OFFERED)
    if options := zone_options(offered or proposals_of(refused), now):
        yield row(zone_list(ZONES(), options))


def _channels(drawn: int, channel_id: int | None) -> ui.ChannelSelect[Any]:
    """The channels, with the one that is set."""
    return ui.ChannelSelect[Any](
        custom_id=CHANNEL(drawn=drawn),
        id=new_id(drawn),
        channel_types=CHANNEL_TYPES,
        placeholder=say(words.CHANNEL_PLACEHOLDER),
        default_values=[] if channel_id is None else [discord.Object(channel_id)],
    )


def _lengths(settings: GuildSettings) -> ui.Select[Any]:
    """The lengths of a puzzle, with the one that is set, or will be."""
    coming = settings.next_length
    now = coming[0] if coming else settings.length
    options = [
        discord.SelectOption(
            label=length_choice(length),
            value=str(length),
            description=length_example(length),
            default=length == now,
        )
        for length in range(SHORTEST_DAILY, LONGEST_DAILY + 1)
    ]
    return ui.Select[Any](custom_id=LENGTH(), options=options)


@picked(CHANNEL, of=PLACE, by=By.MANAGERS)
async def choose_channel(interaction: Interaction, channel_id: int) -> None:
    """Set the channel to post in."""
    await change_settings(interaction, channel_id=channel_id)


@pressed(NO_CHANNEL, by=By.MANAGERS)
async def leave_channel(interaction: Interaction) -> None:
    """Post nowhere."""
    guild = managed_server(interaction)
    settings = await services_of(interaction).settings.leave_channel(guild.id)
    await show_settings(interaction, guild, settings)


@pressed(DUEL_THREADS, by=By.MANAGERS)
async def switch_duel_threads(interaction: Interaction, *, on: bool) -> None:
    """Give duels threads, or none."""
    guild = managed_server(interaction)
    settings = await services_of(interaction).settings.set_duel_threads(guild.id, on=on)
    await show_settings(interaction, guild, settings)


@pressed(ALL_SETTINGS, by=By.MANAGERS)
async def show_all_settings(interaction: Interaction) -> None:
    """Show all settings again."""
    await change_settings(interaction)


@picked(LENGTH, of=COUNT, by=By.MANAGERS)
async def choose_length(interaction: Interaction, length: int) -> None:
    """Set the length of the day's puzzle."""
    await change_settings(interaction, length=length)


@pressed(ZONE, by=By.MANAGERS)
async def ask_for_zone(interaction: Interaction) -> None:
    """Open the form for the server's zone."""
    await zone_form(ZONE_FORM()).present(interaction)


@submitted(ZONE_FORM, fields={FIELD: TYPED}, by=By.MANAGERS)
async def offer_typed_zone(interaction: Interaction, values: Mapping[str, str]) -> None:
    """Offer what was typed, with its time: a zone cannot be changed again at once."""
    await offer_zones(interaction, values[FIELD])


@picked(ZONES, of=ZONE_NAME, by=By.MANAGERS)
async def choose_zone(interaction: Interaction, zone: str) -> None:
    """Set the server's zone."""
    await change_settings(interaction, zone=zone)
