"""`/preferences`: buttons, lists and forms of players' preferences."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.home import words
from bot.home.preferences import PlayerPreferences, Preferences
from bot.people.model import Asking
from bot.refusals import refusal
from bot.refused import HardModeMidGameError, UnknownZoneError, ZoneTooSoonError
from bot.text import labels
from bot.text.language import ENGLISH, language_name, say, spoken
from bot.text.tiles import Mood, Tiles
from cogs.ui.choosing import (
    LANGUAGE,
    ZONE_FIELD,
    ZONE_NAME,
    language_list,
    proposals_of,
    zone_form,
    zone_list,
    zone_options,
)
from cogs.ui.deliveries import UNDONE
from cogs.ui.languages import speak_to
from cogs.ui.pages import Block, Page, beside, button, line, notice, page, row
from cogs.ui.replies import Interaction, server_of, show, whisper
from cogs.ui.routes import TYPED, By, Route, member_of, one_of, picked, pressed, submitted
from cogs.ui.shares import CHALLENGES, MORE_PREFERENCES

Choice = Callable[[PlayerPreferences, int], Awaitable[Preferences]]
"""A change of preferences, given the service and the player's id."""

_CHOICES: Final[dict[str, Choice]] = {
    "hard:on": lambda service, player: service.set_hard_mode(player, on=True),
    "hard:off": lambda service, player: service.set_hard_mode(player, on=False),
    "tiles:standard": lambda service, player: service.set_palette(player, "standard"),
    "tiles:shapes": lambda service, player: service.set_palette(player, "shapes"),
    "remind:on": lambda service, player: service.set_reminders(player, on=True),
    "remind:off": lambda service, player: service.set_reminders(player, on=False),
    "hidden:on": lambda service, player: service.set_hidden(player, on=True),
    "hidden:off": lambda service, player: service.set_hidden(player, on=False),
    "english": lambda service, player: service.set_language(player, ENGLISH),
}

CHOOSE: Final = Route("pref:{choice}:{player:int}", choice=one_of({c: c for c in _CHOICES}))
ALL: Final = Route("pref:all")
ASKING: Final = Route("pref:asking:{player:int}")
ALWAYS_OFF: Final = Route("pref:always:{player:int}")
SIGN_OUT: Final = Route("pref:signout:{player:int}")
LANGUAGES: Final = Route("pref:languages:{player:int}")
ZONE: Final = Route("pref:zone:{player:int}")
ZONES: Final = Route("pref:zones:{player:int}")
ZONE_FORM: Final = Route("pref:form:zone:{player:int}")


async def show_preferences(interaction: Interaction) -> None:
    preferences = await interaction.client.services.preferences.view(interaction.user.id)
    await show(
        interaction, preferences_page(preferences, interaction.user.id, interaction.client.tiles)
    )


async def choose(
    interaction: Interaction, owner_id: int, choice: Choice, *, is_first: bool = False
) -> None:
    """Apply the owner's choice, and show its page of the panel; others see their own panel.

    `is_first` says that the choice stands on the first page.
    """
    player_id = interaction.user.id
    if player_id != owner_id:
        await show_preferences(interaction)
        return
    service = interaction.client.services.preferences
    refused = None
    try:
        preferences = await choice(service, player_id)
        await speak_to(interaction)
    except (HardModeMidGameError, UnknownZoneError, ZoneTooSoonError) as error:
        refused, preferences = error, await service.view(player_id)
    if is_first:
        found = preferences_page(preferences, player_id, interaction.client.tiles, refused)
        await show(interaction, found)
    else:
        await _show_more(interaction, preferences, refused)


async def _show_more(
    interaction: Interaction,
    preferences: Preferences | None = None,
    refused: Exception | None = None,
    *,
    is_signed_out: bool = False,
) -> None:
    """Show the panel's second page; `is_signed_out` says that the player has just signed out."""
    services, player_id = interaction.client.services, interaction.user.id
    browsers = 0 if is_signed_out else None
    if browsers is None and interaction.client.web_url:
        browsers = await services.sessions.count(player_id) or None
    found = more_page(
        preferences or await services.preferences.view(player_id),
        player_id,
        interaction.created_at,
        refused,
        guild_id=server_of(interaction),
        browsers=browsers,
    )
    await show(interaction, found)


def preferences_page(
    preferences: Preferences,
    player_id: int,
    tiles: Tiles | None = None,
    refused: Exception | None = None,
) -> Page:
    """Build the panel's first page; `refused` is why the last choice was refused, if it was."""
    hard = "hard:off" if preferences.hard_mode else "hard:on"
    palette = "tiles:standard" if preferences.palette == "shapes" else "tiles:shapes"
    remind = "remind:off" if preferences.reminders else "remind:on"
    hidden = "hidden:off" if preferences.hidden else "hidden:on"
    switches = {
        hard: words.hard_mode(preferences),
        palette: words.tiles(preferences, tiles),
        remind: words.reminders(preferences),
        hidden: words.hidden(preferences),
    }
    blocks: list[Block] = [words.title(), line()]
    for choice, (text, label) in switches.items():
        blocks.append(beside(text, button(CHOOSE(choice=choice, player=player_id), label)))
        if choice == hard:
            blocks.append(_answer(refused, HardModeMidGameError))
    return page(*blocks, row(button(MORE_PREFERENCES(), say(labels.MORE_BUTTON))), mood=Mood.CALM)


def more_page(
    preferences: Preferences,
    player_id: int,
    now: datetime,
    refused: Exception | None = None,
    *,
    guild_id: int | None = None,
    browsers: int | None = None,
) -> Page:
    """Build the panel's second page.

    Args:
        refused: why the last choice was refused, if it was.
        browsers: the number of sessions on the page; 0 just after signing out, None to say nothing.
    """
    blocks: list[Block] = [
        words.more_title(),
        line(),
        words.asking(),
        row(_asking_list(preferences, player_id)),
        labels.language_text(spoken(), is_public=False),
        row(language_list(LANGUAGES(player=player_id), preferences.language)),
    ]
    if preferences.always:
        change = button(ALWAYS_OFF(player=player_id), say(words.ALWAYS_OFF_BUTTON))
        blocks.append(beside(words.always(preferences, guild_id), change))
    change = button(CHALLENGES(), say(words.CHALLENGES_BUTTON))
    blocks.append(beside(words.challenges(preferences), change))
    change = button(ZONE(player=player_id), say(labels.ZONE_BUTTON))
    blocks.append(beside(words.zone(preferences, now), change))
    blocks.append(_answer(refused, UnknownZoneError, ZoneTooSoonError))
    if options := zone_options(proposals_of(refused), now):
        blocks.append(row(zone_list(ZONES(player=player_id), options)))
    if browsers:
        end = button(SIGN_OUT(player=player_id), say(words.SIGN_OUT_BUTTON))
        blocks.append(beside(words.keypad(browsers), end))
    elif browsers is not None:
        blocks.append(words.keypad(browsers))
    back = button(ALL(), say(words.ALL_BUTTON))
    return page(*blocks, row(back), mood=Mood.CALM)


def _answer(refused: Exception | None, *kinds: type[Exception]) -> str:
    return f"⚠️ {refusal(refused)}" if isinstance(refused, kinds) else ""


def _asking_list(now: Preferences, player_id: int) -> ui.Select[Any]:
    options = [
        discord.SelectOption(label=say(label), value=asks.value, default=asks == now.asks)
        for asks, label in words.ASKING.items()
    ]
    placeholder = say(words.ASKING_PLACEHOLDER)
    return ui.Select[Any](
        custom_id=ASKING(player=player_id), placeholder=placeholder, options=options
    )


@pressed(CHOOSE, by=By.ANYBODY)
async def choose_as_said(interaction: Interaction, choice: str, player: int) -> None:
    await choose(interaction, player, _CHOICES[choice], is_first=True)


@pressed(MORE_PREFERENCES, by=By.ANYBODY)
async def show_more(interaction: Interaction) -> None:
    await _show_more(interaction)


@pressed(SIGN_OUT, by=By.ANYBODY)
async def sign_out_everywhere(interaction: Interaction, player: int) -> None:
    """End all sessions of the owner; others see their own preferences."""
    if interaction.user.id != player:
        await show_preferences(interaction)
        return
    await interaction.client.services.sessions.sign_out(player)
    await _show_more(interaction, is_signed_out=True)


@picked(ASKING, of=member_of(Asking), by=By.ANYBODY)
async def choose_asking(interaction: Interaction, asks: Asking, player: int) -> None:
    await choose(interaction, player, lambda service, own: service.set_asking(own, asks))


@picked(LANGUAGES, of=LANGUAGE, by=By.ANYBODY)
async def choose_language(interaction: Interaction, language: str | None, player: int) -> None:
    await choose(interaction, player, lambda service, own: service.set_language(own, language))


async def tell_language(interaction: Interaction) -> None:
    """Note in which language a player was answered; once, say that it is a beta.

    An answer that is a form, or proposals while a command is typed, does not count.
    """
    response, client, player_id = interaction.response, interaction.client, interaction.user.id
    is_answered = response.is_done() and response.type is not discord.InteractionResponseType.modal
    if interaction.type is discord.InteractionType.autocomplete or not is_answered:
        return
    await speak_to(interaction)
    tag = spoken()
    if await client.services.languages.answered(player_id, tag) and tag != ENGLISH:
        back = button(CHOOSE(choice="english", player=player_id), language_name(ENGLISH))
        with suppress(*UNDONE):
            await whisper(interaction, notice(labels.beta(client.contact), [back]))


@pressed(ALWAYS_OFF, by=By.ANYBODY)
async def share_no_more(interaction: Interaction, player: int) -> None:
    """End *Always share here* in this server; where it is not on, end it in all servers."""
    here = server_of(interaction)

    async def end(service: PlayerPreferences, player_id: int) -> Preferences:
        chosen = [guild_id for guild_id, _ in (await service.view(player_id)).always]
        return await service.share_no_more(player_id, [here] if here in chosen else chosen)

    await choose(interaction, player, end)


@pressed(ALL, by=By.ANYBODY)
async def show_all_preferences(interaction: Interaction) -> None:
    await show_preferences(interaction)


@pressed(ZONE, by=By.ANYBODY)
async def ask_for_zone(interaction: Interaction, player: int) -> None:
    """Open the form for the owner's own zone; others see their own preferences."""
    if interaction.user.id == player:
        await zone_form(ZONE_FORM(player=player)).present(interaction)
    else:
        await show_preferences(interaction)


@submitted(ZONE_FORM, fields={ZONE_FIELD: TYPED}, by=By.ANYBODY)
async def choose_typed_zone(
    interaction: Interaction, values: Mapping[str, str], player: int
) -> None:
    await choose(
        interaction, player, lambda service, own: service.set_zone(own, values[ZONE_FIELD])
    )


@picked(ZONES, of=ZONE_NAME, by=By.ANYBODY)
async def choose_zone(interaction: Interaction, zone: str, player: int) -> None:
    await choose(interaction, player, lambda service, own: service.set_zone(own, zone))


class PreferencesCog(commands.Cog):
    @app_commands.command(name="preferences", description=labels.PREFERENCES)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def preferences(self, interaction: Interaction) -> None:
        await show_preferences(interaction)
