"""`/settings`: a server's settings, *Check permissions*, deletion of the server's data."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.champions.model import objection
from bot.clock import LONGEST_DAILY, SHORTEST_DAILY
from bot.focdle.words import length_example
from bot.people.game import Cost
from bot.people.zones import complete_zone, matching_zones
from bot.posts import words as posts_words
from bot.posts.model import ChannelUnusableError, ServerZoneTooSoonError
from bot.posts.plans import PostSettings
from bot.privacy import words as privacy_words
from bot.privacy.model import LONGEST_NAME, NotAdministratorError, ServerNotNamedError
from bot.refusals import refusal
from bot.refused import NoSuchDailyLengthError, NotYoursError, UnknownZoneError
from bot.settings import words
from bot.settings.game import GuildSettings, InUse, SeenChannel, SeenServer, lacks
from bot.text import counts, labels
from bot.text.labels import zone_choice
from bot.text.language import ENGLISH, say
from bot.text.tiles import Mood
from bot.version import version
from cogs.champions import champion_button, seen_role
from cogs.moderation import members_button
from cogs.posts.panel import ALL_SETTINGS, posts_button, refusal_text, switch
from cogs.ui.choosing import (
    CHANNEL_TYPES,
    LANGUAGE,
    SPEAK,
    ZONE_FIELD,
    ZONE_NAME,
    PostChannelOption,
    as_they_stand,
    check_channel,
    has_private_threads,
    language_list,
    managed_server,
    may_change_role,
    may_mention,
    proposal,
    proposals_of,
    told_permissions,
    zone_form,
    zone_list,
    zone_options,
)
from cogs.ui.help import NEEDED, install_link
from cogs.ui.languages import language_of
from cogs.ui.pages import (
    MOST_NAMED,
    Block,
    Page,
    beside,
    button,
    fitted,
    gap,
    line,
    new_id,
    notice,
    page,
    row,
    spaced,
)
from cogs.ui.replies import Form, Interaction, field, in_good_time, show, whisper
from cogs.ui.routes import COUNT, PLACE, TYPED, By, Route, picked, pressed, submitted

CHECK: Final = Route("set:check")
AGAIN: Final = Route("set:check:again")


@pressed(CHECK, by=By.MANAGERS)
async def check(interaction: Interaction) -> None:
    """Show what the bot lacks in a new private message; the page of settings stays."""
    await whisper(interaction, await _check_page(interaction))


@pressed(AGAIN, by=By.MANAGERS)
async def check_again(interaction: Interaction) -> None:
    """Look again what the bot lacks, and show it in place of the former result."""
    await show(interaction, await _check_page(interaction))


async def _check_page(interaction: Interaction) -> Page:
    guild = managed_server(interaction)
    in_use = await interaction.client.services.settings.in_use(guild.id)
    found = lacks(in_use, _look_at(interaction, guild, in_use))
    link = install_link(interaction.application_id)
    blocks = words.report(found, guild.owner_id or 0, link)
    again = row(button(AGAIN(), say(words.CHECK_AGAIN_BUTTON)))
    return page(*spaced(blocks), again, mood=Mood.ALARM if found else Mood.SOLVED)


def _look_at(interaction: Interaction, guild: discord.Guild, in_use: InUse) -> SeenServer:
    """Describe what the check judges: the bot's channels, roles and permissions in the server."""
    member = interaction.user if isinstance(interaction.user, discord.Member) else None
    channels = {
        channel_id: _look_at_channel(guild, channel_id, member) for channel_id in in_use.channels
    }
    role = None if in_use.role_id is None else guild.get_role(in_use.role_id)
    champion, until = in_use.champion_role_id, guild.me.timed_out_until
    return SeenServer(
        channels,
        _names(guild.me.guild_permissions),
        is_timed_out=until is not None and until > interaction.created_at,
        has_role=role is not None,
        may_mention=role is None or may_mention(guild.me, role, in_use.post_channel_id),
        is_askers=may_change_role(interaction.user, role),
        champion=None if champion is None else objection(champion, seen_role(guild, champion)),
    )


def _look_at_channel(
    guild: discord.Guild, channel_id: int, member: discord.Member | None
) -> SeenChannel | None:
    channel = guild.get_channel_or_thread(channel_id)
    if channel is None:
        return None
    place = channel.parent if isinstance(channel, discord.Thread) else channel
    if place is None:
        return None
    return SeenChannel(
        _names(place.permissions_for(guild.me)),
        is_thread=isinstance(channel, discord.Thread),
        has_private_threads=has_private_threads(place),
        is_askers=member is not None and place.permissions_for(member).manage_roles,
    )


def _names(permissions: discord.Permissions) -> frozenset[str]:
    return frozenset(name for name in NEEDED if getattr(permissions, name))


HOST: Final = Route("set:host")


@pressed(HOST, by=By.MANAGERS)
async def show_host(interaction: Interaction) -> None:
    """Tell the host in private how the bot is, and everybody else nothing."""
    client = interaction.client
    if not await client.is_host(interaction.user.id):
        raise NotYoursError
    about, health = await client.application_now(), client.services.health
    told = words.host(
        version(),
        (about and about.approximate_guild_count) or len(client.guilds),
        await health.active_today(),
        await health.backed_up_at(),
        await client.examine(),
    )
    await whisper(interaction, page(*spaced(told), mood=Mood.CALM))


DELETE: Final = Route("set:delete")
CONFIRM: Final = Route("set:confirm")
FORM: Final = Route("set:form:delete")

_RED: Final = discord.ButtonStyle.danger
_FIELD: Final = "name"

DELETION_IDS: Final = frozenset(route() for route in (DELETE, CONFIRM, FORM))


def may_delete(interaction: Interaction, guild: discord.Guild) -> bool:
    """Return true if a member may delete all data of a server: its owner or an administrator."""
    return interaction.user.id == guild.owner_id or interaction.permissions.administrator


def _own_server(interaction: Interaction) -> discord.Guild:
    """Return the server of an interaction; refuse a member who may not delete its data."""
    guild = managed_server(interaction)
    if not may_delete(interaction, guild):
        raise NotAdministratorError
    return guild


async def _ask(
    interaction: Interaction, guild: discord.Guild, refused: ServerNotNamedError | None = None
) -> None:
    texts = privacy_words.server_question(guild.name)
    if refused is not None:
        texts.append(refusal(refused) or "")
    confirm = button(CONFIRM(), say(privacy_words.CONFIRM_BUTTON), _RED)
    keep = button(
        ALL_SETTINGS(), say(privacy_words.KEEP_SERVER_BUTTON), discord.ButtonStyle.primary
    )
    found = page(*spaced(texts), gap(), row(confirm, keep), mood=Mood.ALARM)
    await show(interaction, found)


@pressed(DELETE, by=By.MANAGERS, cost=Cost.FREE)
async def ask_whether_to_delete_server(interaction: Interaction) -> None:
    await _ask(interaction, _own_server(interaction))


@pressed(CONFIRM, by=By.MANAGERS, cost=Cost.FREE)
async def ask_for_server_name(interaction: Interaction) -> None:
    """Ask for the server's name, so that no accidental click deletes anything."""
    guild = _own_server(interaction)
    typed = field(
        _FIELD,
        say(privacy_words.SERVER_FORM_LABEL),
        say(privacy_words.FORM_DESCRIPTION),
        placeholder=guild.name[:LONGEST_NAME],
    )
    await Form(FORM(), say(privacy_words.SERVER_FORM_TITLE), typed).present(interaction)


@submitted(FORM, fields={_FIELD: TYPED}, by=By.MANAGERS, cost=Cost.FREE)
async def delete_server(interaction: Interaction, values: Mapping[str, str]) -> None:
    """Delete all of the server's data, if the typed name is right."""
    guild = _own_server(interaction)
    servers = interaction.client.services.privacy.servers
    try:
        work = servers.delete(guild.id, guild.name, values[_FIELD])
        await in_good_time(interaction, work)
    except ServerNotNamedError as error:
        await _ask(interaction, guild, error)
    else:
        await show(interaction, notice(privacy_words.server_deleted()))


CHANNEL: Final = Route("set:channel:{drawn:int}")
NO_CHANNEL: Final = Route("set:nochannel")
EQUATIONS: Final = Route("set:equations:{on:switch}")
LANGUAGES: Final = Route("set:language")
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
    """Change the given settings, either all or none, then show the settings.

    A channel in which the bot cannot post is refused.
    """
    guild = managed_server(interaction)
    service = interaction.client.services.settings
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


async def show_settings(
    interaction: Interaction,
    guild: discord.Guild,
    settings: GuildSettings,
    refused: Exception | None = None,
    offered: Sequence[str] = (),
) -> None:
    """Show a server's settings, what is wrong with the channel, and zones to choose from."""
    unusable = None
    try:
        if settings.channel_id is not None:
            told = told_permissions(interaction, settings.channel_id)
            check_channel(guild, settings.channel_id, told)
    except ChannelUnusableError as error:
        unusable = error
    now = interaction.created_at
    posts = as_they_stand(guild, await interaction.client.services.posts.choices.view(guild.id))
    is_host = await interaction.client.is_host(interaction.user.id)
    viewer = Viewer(
        may_delete=may_delete(interaction, guild),
        is_host=is_host,
        language=await language_of(interaction.client, guild.id),
    )
    found = settings_page(settings, posts, now, refused, unusable, offered, viewer=viewer)
    await show(interaction, found)


@dataclass(frozen=True, slots=True)
class Viewer:
    """The viewer of a page of settings: whether they may delete the server's data, or are the host.

    `language` is what the server's members see.
    """

    may_delete: bool = False
    is_host: bool = False
    language: str = ENGLISH


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
    """Build the page of a server's settings.

    `refused` is why the last choice was refused, `unusable` why the bot cannot post in the channel,
    and `offered` the zones to choose from.
    """
    check = button(CHECK(), say(words.CHECK_BUTTON))
    others = [champion_button(), members_button(), check]
    if viewer.is_host:
        others.append(button(HOST(), say(words.HOST_BUTTON)))
    if viewer.may_delete:
        others.append(button(DELETE(), say(privacy_words.DELETE_SERVER_BUTTON), _RED))
    return page(
        words.title(),
        line(),
        *_channel(settings, posts, refused, unusable),
        line(),
        beside(posts_words.summary(posts), posts_button()),
        line(),
        *_zone(settings, refused, offered, now),
        line(),
        *_language(settings, viewer),
        line(),
        words.length(settings),
        refusal_text(refused, NoSuchDailyLengthError),
        row(_lengths(settings)),
        line(),
        switch(EQUATIONS, words.equations(settings), on=not settings.takes_equations),
        row(*others),
        mood=Mood.CALM,
    )


def _channel(
    settings: GuildSettings,
    posts: PostSettings,
    refused: Exception | None,
    unusable: ChannelUnusableError | None,
) -> Iterator[Block]:
    is_gone = unusable is not None and not unusable.missing
    text = words.channel(settings, is_gone=is_gone, is_used=not posts.is_turned_off)
    if settings.channel_id is None:
        yield text
    else:
        yield beside(text, button(NO_CHANNEL(), say(words.LEAVE_CHANNEL_BUTTON)))
    if unusable is not None and not is_gone:
        yield refusal(unusable) or ""
    yield refusal_text(refused, ChannelUnusableError)
    drawn = new_id()
    channels = ui.ChannelSelect[Any](
        custom_id=CHANNEL(drawn=drawn),
        id=drawn,
        channel_types=CHANNEL_TYPES,
        placeholder=say(words.CHANNEL_PLACEHOLDER),
    )
    if settings.channel_id is not None and unusable is None:
        channels.default_values = [discord.Object(settings.channel_id)]
    yield row(channels)


def _zone(
    settings: GuildSettings, refused: Exception | None, offered: Sequence[str], now: datetime
) -> Iterator[Block]:
    is_fixed = settings.zone_again_at is not None
    change = button(ZONE(), say(labels.ZONE_BUTTON), disabled=is_fixed)
    yield beside(words.zone(settings, now), change)
    yield refusal_text(refused, UnknownZoneError, ServerZoneTooSoonError)
    if offered:
        yield say(words.ZONES_OFFERED)
    if options := zone_options(offered or proposals_of(refused), now):
        yield row(zone_list(ZONES(), options))


def _language(settings: GuildSettings, viewer: Viewer) -> Iterator[Block]:
    text = labels.language_text(viewer.language, is_public=True)
    offer = proposal(settings.language, viewer.language)
    yield text if offer is None else beside(text, offer)
    yield row(language_list(LANGUAGES(), settings.language))


def _lengths(settings: GuildSettings) -> ui.Select[Any]:
    """Build the list of lengths, with the coming one selected, or else the present one."""
    coming = settings.next_length
    now = coming[0] if coming else settings.length
    options = [
        discord.SelectOption(
            label=counts.symbols(length),
            value=str(length),
            description=length_example(length),
            default=length == now,
        )
        for length in range(SHORTEST_DAILY, LONGEST_DAILY + 1)
    ]
    return ui.Select[Any](custom_id=LENGTH(), options=options)


@picked(CHANNEL, of=PLACE, by=By.MANAGERS)
async def choose_channel(interaction: Interaction, channel_id: int) -> None:
    await change_settings(interaction, channel_id=channel_id)


@pressed(NO_CHANNEL, by=By.MANAGERS)
async def leave_channel(interaction: Interaction) -> None:
    guild = managed_server(interaction)
    settings = await interaction.client.services.settings.leave_channel(guild.id)
    await show_settings(interaction, guild, settings)


@pressed(EQUATIONS, by=By.MANAGERS)
async def switch_equations(interaction: Interaction, *, on: bool) -> None:
    guild = managed_server(interaction)
    settings = await interaction.client.services.settings.set_equations(guild.id, on=on)
    await show_settings(interaction, guild, settings)


@pressed(ALL_SETTINGS, by=By.MANAGERS)
async def show_all_settings(interaction: Interaction) -> None:
    await change_settings(interaction)


@pressed(SPEAK, by=By.MANAGERS)
@picked(LANGUAGES, of=LANGUAGE, by=By.MANAGERS)
async def choose_language(interaction: Interaction, language: str | None) -> None:
    guild = managed_server(interaction)
    settings = await interaction.client.services.settings.set_language(guild.id, language)
    await show_settings(interaction, guild, settings)


@picked(LENGTH, of=COUNT, by=By.MANAGERS)
async def choose_length(interaction: Interaction, length: int) -> None:
    await change_settings(interaction, length=length)


@pressed(ZONE, by=By.MANAGERS)
async def ask_for_zone(interaction: Interaction) -> None:
    await zone_form(ZONE_FORM()).present(interaction)


@submitted(ZONE_FORM, fields={ZONE_FIELD: TYPED}, by=By.MANAGERS)
async def offer_typed_zone(interaction: Interaction, values: Mapping[str, str]) -> None:
    """Offer the zones that a typed text may mean, with their times, to choose from.

    The zone is not set at once: it could not soon be changed again.
    """
    guild = managed_server(interaction)
    settings = await interaction.client.services.settings.view(guild.id)
    refused: Exception | None = None
    offered: list[str] = []
    if settings.zone_again_at is not None:
        refused = ServerZoneTooSoonError(again_at=settings.zone_again_at)
    else:
        try:
            offered = matching_zones(values[ZONE_FIELD])
        except UnknownZoneError as error:
            refused = error
    await show_settings(interaction, guild, settings, refused, offered)


@picked(ZONES, of=ZONE_NAME, by=By.MANAGERS)
async def choose_zone(interaction: Interaction, zone: str) -> None:
    await change_settings(interaction, zone=zone)


class SettingsCog(commands.Cog):
    @app_commands.command(name="settings", description=labels.SETTINGS)
    @app_commands.describe(
        channel=labels.SETTINGS_CHANNEL,
        timezone=labels.SETTINGS_TIMEZONE,
        length=labels.SETTINGS_LENGTH,
    )
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.allowed_installs(guilds=True)
    @app_commands.allowed_contexts(guilds=True)
    async def settings(
        self,
        interaction: Interaction,
        channel: app_commands.Transform[int, PostChannelOption] | None = None,
        timezone: str | None = None,
        length: int | None = None,
    ) -> None:
        await change_settings(interaction, channel_id=channel, zone=timezone, length=length)

    @settings.autocomplete("timezone")
    async def complete_timezone(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        return [
            app_commands.Choice(
                name=fitted(zone_choice(zone, interaction.created_at), MOST_NAMED, "a choice"),
                value=zone,
            )
            for zone in complete_zone(typed)
        ]
