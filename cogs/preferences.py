"""`/preferences`: what players choose for themselves; buttons, form and list of zones."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import datetime
from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.presentation import invitations
from bot.presentation import preferences as words
from bot.presentation.base import labels, zones
from bot.presentation.base.language import say
from bot.presentation.base.text_board import Mood
from bot.presentation.base.tiles import Tiles
from bot.presentation.refusals import refusal
from bot.services.base.errors import HardModeMidGameError, UnknownZoneError, ZoneTooSoonError
from bot.services.preferences import PlayerPreferences, Preferences
from cogs.base.pages import Block, Page, beside, button, line, page, row
from cogs.base.replies import Interaction, server_of, services_of, show, tiles_of
from cogs.base.routes import TYPED, By, Route, one_of, picked, pressed, submitted
from cogs.base.zones import FIELD, ZONE_NAME, proposals_of, zone_form, zone_list, zone_options
from cogs.invitations import ALL_PREFERENCES, CHALLENGES

Choice = Callable[[PlayerPreferences, int], Awaitable[Preferences]]
"""What a player chooses, given the service and the player's id."""

_HARD: Final = ("hard:on", "hard:off")
_FIRST: Final = (*_HARD, "tiles:standard", "tiles:shapes", "hidden:on", "hidden:off")
"""Each begins a group: how one plays, what comes along, who sees one."""
_SHOW_EVERYWHERE: Final = "global:on"
_CHOICES: Final[dict[str, Choice]] = {
    "hard:on": lambda service, player: service.set_hard_mode(player, on=True),
    "hard:off": lambda service, player: service.set_hard_mode(player, on=False),
    "tiles:standard": lambda service, player: service.set_palette(player, "standard"),
    "tiles:shapes": lambda service, player: service.set_palette(player, "shapes"),
    "question:ask": lambda service, player: service.set_skip_question(player, on=False),
    "question:skip": lambda service, player: service.set_skip_question(player, on=True),
    "careful:on": lambda service, player: service.set_careful(player, on=True),
    "careful:off": lambda service, player: service.set_careful(player, on=False),
    "hidden:on": lambda service, player: service.set_hidden(player, on=True),
    "hidden:off": lambda service, player: service.set_hidden(player, on=False),
    _SHOW_EVERYWHERE: lambda service, player: service.set_on_global_boards(player, on=True),
    "global:off": lambda service, player: service.set_on_global_boards(player, on=False),
    "remind:on": lambda service, player: service.set_reminders(player, on=True),
    "remind:off": lambda service, player: service.set_reminders(player, on=False),
}

CHOOSE: Final = Route("pref:{choice}:{player:int}", choice=one_of({c: c for c in _CHOICES}))
ALWAYS_OFF: Final = Route("pref:always:{player:int}")
ZONE: Final = Route("pref:zone:{player:int}")
ZONES: Final = Route("pref:zones:{player:int}")
ZONE_FORM: Final = Route("pref:form:zone:{player:int}")


async def show_preferences(interaction: Interaction) -> None:
    """Show players their own preferences."""
    preferences = await services_of(interaction).preferences.view(interaction.user.id)
    await _show(interaction, preferences)


async def choose(interaction: Interaction, owner_id: int, choice: Choice) -> None:
    """Let the panel's owner choose, and show what came of it; others see their own panel."""
    player_id = interaction.user.id
    if player_id != owner_id:
        await show_preferences(interaction)
        return
    service = services_of(interaction).preferences
    refused = None
    try:
        preferences = await choice(service, player_id)
    except (HardModeMidGameError, UnknownZoneError, ZoneTooSoonError) as error:
        refused, preferences = error, await service.view(player_id)
    await _show(interaction, preferences, refused)


async def _show(
    interaction: Interaction, preferences: Preferences, refused: Exception | None = None
) -> None:
    player_id, now = interaction.user.id, interaction.created_at
    tiles, guild_id = tiles_of(interaction), server_of(interaction)
    found = preferences_page(preferences, player_id, now, tiles, refused, guild_id=guild_id)
    await show(interaction, found)


def preferences_page(
    preferences: Preferences,
    player_id: int,
    now: datetime,
    tiles: Tiles | None = None,
    refused: Exception | None = None,
    *,
    guild_id: int | None = None,
) -> Page:
    """A player's preferences, each beside the button that changes it.

    Args:
        preferences: as they are.
        player_id: whose they are.
        now: the present instant.
        tiles: the emojis that boards are drawn with, if Discord has them.
        refused: why a choice was not taken, if one was not; said where it was made.
        guild_id: the server it is shown in, if it is one.
    """
    blocks: list[Block] = [words.title(preferences)]
    for text, choice, label in _switches(preferences, tiles):
        is_idle = preferences.hidden and choice == _SHOW_EVERYWHERE
        change = button(CHOOSE(choice=choice, player=player_id), label, disabled=is_idle)
        blocks += [line()] if choice in _FIRST else []
        blocks.append(beside(text, change))
        if choice in _HARD:
            blocks.append(_answer(refused, HardModeMidGameError))
    if preferences.always:
        change = button(ALWAYS_OFF(player=player_id), words.always_button())
        blocks.append(beside(words.always(preferences, guild_id), change))
    change = button(CHALLENGES(), say(invitations.CHALLENGES_BUTTON))
    blocks.append(beside(invitations.challenges(preferences), change))
    change = button(ZONE(player=player_id), say(zones.ZONE_BUTTON))
    blocks += [] if preferences.always else [line()]  # a message has so many parts, and no more
    blocks.append(beside(words.zone(preferences, now), change))
    blocks.append(_answer(refused, UnknownZoneError, ZoneTooSoonError))
    if options := zone_options(proposals_of(refused), now):
        blocks.append(row(zone_list(ZONES(player=player_id), options)))
    return page(*blocks, mood=Mood.CALM)


def _answer(refused: Exception | None, *kinds: type[Exception]) -> str:
    """Why a choice was refused, if one was for such a reason."""
    return refusal(refused) or "" if isinstance(refused, kinds) else ""


def _switches(now: Preferences, tiles: Tiles | None) -> Iterator[tuple[str, str, str]]:
    """What is chosen, and the choice that can be made instead, with its label."""
    hard = "hard:off" if now.hard_mode else "hard:on"
    yield words.hard_mode(now), hard, words.hard_mode_button(now)
    question = "question:ask" if now.skip_question else "question:skip"
    yield words.question(now), question, words.question_button(now)
    careful = "careful:off" if now.is_careful else "careful:on"
    yield words.careful(now), careful, words.careful_button(now)
    palette = "tiles:standard" if now.palette == "shapes" else "tiles:shapes"
    yield words.tiles(now, tiles), palette, words.tiles_button(now)
    remind = "remind:off" if now.reminders else "remind:on"
    yield words.reminders(now), remind, words.reminders_button(now)
    hidden = "hidden:off" if now.hidden else "hidden:on"
    yield words.hidden(now), hidden, words.hidden_button(now)
    everywhere = "global:off" if now.on_global_boards else _SHOW_EVERYWHERE
    yield words.on_global_boards(now), everywhere, words.on_global_boards_button(now)


@pressed(CHOOSE, by=By.ANYBODY)
async def choose_as_said(interaction: Interaction, choice: str, player: int) -> None:
    """Choose what the button says."""
    await choose(interaction, player, _CHOICES[choice])


@pressed(ALWAYS_OFF, by=By.ANYBODY)
async def share_no_more(interaction: Interaction, player: int) -> None:
    """Let the panel's owner share by themselves again: here, or else everywhere."""
    here = server_of(interaction)

    async def end(service: PlayerPreferences, player_id: int) -> Preferences:
        chosen = [guild_id for guild_id, _ in (await service.view(player_id)).always]
        return await service.share_no_more(player_id, [here] if here in chosen else chosen)

    await choose(interaction, player, end)


@pressed(ALL_PREFERENCES, by=By.ANYBODY)
async def show_all_preferences(interaction: Interaction) -> None:
    """Show all preferences again."""
    await show_preferences(interaction)


@pressed(ZONE, by=By.ANYBODY)
async def ask_for_zone(interaction: Interaction, player: int) -> None:
    """Open the form for the player's own zone; others see their own preferences."""
    if interaction.user.id == player:
        await zone_form(ZONE_FORM(player=player)).present(interaction)
    else:
        await show_preferences(interaction)


@submitted(ZONE_FORM, fields={FIELD: TYPED}, by=By.ANYBODY)
async def choose_typed_zone(
    interaction: Interaction, values: Mapping[str, str], player: int
) -> None:
    """Choose the zone that was typed."""
    await choose(interaction, player, lambda service, own: service.set_zone(own, values[FIELD]))


@picked(ZONES, of=ZONE_NAME, by=By.ANYBODY)
async def choose_zone(interaction: Interaction, zone: str, player: int) -> None:
    """Choose one of the zones that the player may have meant."""
    await choose(interaction, player, lambda service, own: service.set_zone(own, zone))


class PreferencesCog(commands.Cog):
    """A player's own choices."""

    @app_commands.command(name="preferences", description=labels.PREFERENCES)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def preferences(self, interaction: Interaction) -> None:
        """Show them, to be changed."""
        await show_preferences(interaction)
