"""`/preferences`: what players choose for themselves; buttons, form and list of zones."""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Self, cast

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.presentation import preferences as words
from bot.presentation.base import labels, zones
from bot.presentation.base.language import say
from bot.presentation.base.tiles import Tiles
from bot.presentation.invitations import PREFERENCES_BUTTON, challenges
from bot.presentation.refusals import refusal
from bot.services.base.errors import HardModeMidGameError, UnknownZoneError, ZoneTooSoonError
from bot.services.preferences import PlayerPreferences, Preferences
from cogs.base.buttons import Press
from cogs.base.pages import Page
from cogs.base.replies import Interaction, services_of, show, tiles_of
from cogs.base.selects import chosen
from cogs.base.zones import FIELD, ZoneForm, ZonePick, proposals_of, zone_options
from cogs.invitations import BACK_ID, ChallengesButton

_ACCENT: Final = 0x5865F2

Choice = Callable[[PlayerPreferences, int], Awaitable[Preferences]]
"""What a player chooses, given the service and the player's id."""

_HARD: Final = ("hard:on", "hard:off")
_CHOICES: Final[dict[str, Choice]] = {
    "hard:on": lambda service, player: service.set_hard_mode(player, on=True),
    "hard:off": lambda service, player: service.set_hard_mode(player, on=False),
    "tiles:standard": lambda service, player: service.set_palette(player, "standard"),
    "tiles:shapes": lambda service, player: service.set_palette(player, "shapes"),
    "question:ask": lambda service, player: service.set_skip_question(player, on=False),
    "question:skip": lambda service, player: service.set_skip_question(player, on=True),
    "hidden:on": lambda service, player: service.set_hidden(player, on=True),
    "hidden:off": lambda service, player: service.set_hidden(player, on=False),
    "global:on": lambda service, player: service.set_on_global_boards(player, on=True),
    "global:off": lambda service, player: service.set_on_global_boards(player, on=False),
    "remind:on": lambda service, player: service.set_reminders(player, on=True),
    "remind:off": lambda service, player: service.set_reminders(player, on=False),
}


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
    panel = PreferencesPanel(preferences, player_id, now, tiles_of(interaction), refused)
    await show(interaction, panel)


class PreferencesPanel(Page):
    """A player's preferences, each beside the button that changes it.

    Args:
        preferences: as they are.
        player_id: whose they are.
        now: the present instant.
        tiles: the emojis that boards are drawn with, if Discord has them.
        refused: why a choice was not taken, if one was not; said where it was made.
    """

    def __init__(
        self,
        preferences: Preferences,
        player_id: int,
        now: datetime,
        tiles: Tiles | None = None,
        refused: Exception | None = None,
    ) -> None:
        super().__init__()
        self._container = ui.Container[PreferencesPanel](accent_colour=_ACCENT)
        self._container.add_item(ui.TextDisplay[PreferencesPanel](words.title()))
        for text, choice, label in _switches(preferences, tiles):
            self._add(text, ChoiceButton(choice, player_id, label))
            if choice in _HARD and isinstance(refused, HardModeMidGameError):
                self._say(refused)
        self._add(challenges(preferences), ChallengesButton())
        self._add(words.zone(preferences, now), OwnZoneButton(player_id))
        if isinstance(refused, UnknownZoneError | ZoneTooSoonError):
            self._say(refused)
        if options := zone_options(proposals_of(refused), now):
            row = ui.ActionRow[PreferencesPanel]()
            row.add_item(OwnZonePick(player_id, options))
            self._container.add_item(row)
        self.add_item(self._container)

    def _add(self, text: str, button: Press) -> None:
        accessory = cast("ui.Item[Any]", button)
        self._container.add_item(ui.Separator[PreferencesPanel]())
        self._container.add_item(ui.Section[PreferencesPanel](text, accessory=accessory))

    def _say(self, refused: Exception) -> None:
        self._container.add_item(ui.TextDisplay[PreferencesPanel](refusal(refused) or ""))


def _switches(now: Preferences, tiles: Tiles | None) -> Iterator[tuple[str, str, str]]:
    """What is chosen, and the choice that can be made instead, with its label."""
    hard = "hard:off" if now.hard_mode else "hard:on"
    yield words.hard_mode(now), hard, words.hard_mode_button(now)
    question = "question:ask" if now.skip_question else "question:skip"
    yield words.question(now), question, words.question_button(now)
    palette = "tiles:standard" if now.palette == "shapes" else "tiles:shapes"
    yield words.tiles(now, tiles), palette, words.tiles_button(now)
    remind = "remind:off" if now.reminders else "remind:on"
    yield words.reminders(now), remind, words.reminders_button(now)
    hidden = "hidden:off" if now.hidden else "hidden:on"
    yield words.hidden(now), hidden, words.hidden_button(now)
    everywhere = "global:off" if now.on_global_boards else "global:on"
    yield words.on_global_boards(now), everywhere, words.on_global_boards_button(now)


class ChoiceButton(Press, template=rf"pref:(?P<choice>{'|'.join(_CHOICES)}):(?P<player>\d+)"):
    """Chooses what it says."""

    def __init__(self, choice: str, player_id: int, label: str | None = None) -> None:
        super().__init__(f"pref:{choice}:{player_id}", label)
        self._choice = _CHOICES[choice]
        self._player_id = player_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a choice and its player."""
        return cls(match["choice"], int(match["player"]))

    async def press(self, interaction: Interaction) -> None:
        """Choose it."""
        await choose(interaction, self._player_id, self._choice)


class AllPreferencesButton(Press, template=BACK_ID):
    """Shows all preferences again."""

    def __init__(self) -> None:
        super().__init__(BACK_ID, say(PREFERENCES_BUTTON))

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button."""
        return cls()

    async def press(self, interaction: Interaction) -> None:
        """Show them."""
        await show_preferences(interaction)


class OwnZoneButton(Press, template=r"pref:zone:(?P<player>\d+)"):
    """Opens the form that asks for the player's own zone."""

    def __init__(self, player_id: int) -> None:
        super().__init__(f"pref:zone:{player_id}", say(zones.ZONE_BUTTON))
        self._player_id = player_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a player."""
        return cls(int(match["player"]))

    async def press(self, interaction: Interaction) -> None:
        """Open the form; others see their own panel."""
        if interaction.user.id == self._player_id:
            await OwnZoneForm(self._player_id).present(interaction)
        else:
            await show_preferences(interaction)


class OwnZoneForm(ZoneForm, template=r"pref:form:zone:(?P<player>\d+)"):
    """Asks for the player's own zone."""

    def __init__(self, player_id: int) -> None:
        super().__init__(f"pref:form:zone:{player_id}")

    @classmethod
    async def submitted(
        cls, interaction: Interaction, match: re.Match[str], values: Mapping[str, str]
    ) -> None:
        """Choose the zone that was typed."""
        typed = values.get(FIELD, "")
        await choose(
            interaction, int(match["player"]), lambda service, own: service.set_zone(own, typed)
        )


class OwnZonePick(ZonePick, template=r"pref:zones:(?P<player>\d+)"):
    """The zones that the player may have meant."""

    def __init__(self, player_id: int, options: Sequence[discord.SelectOption] = ()) -> None:
        super().__init__(f"pref:zones:{player_id}", options)
        self._player_id = player_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The list of a player."""
        return cls(int(match["player"]))

    async def pick(self, interaction: Interaction, values: Sequence[str]) -> None:
        """Choose the zone."""
        (zone,) = chosen(values)
        await choose(interaction, self._player_id, lambda service, own: service.set_zone(own, zone))


class PreferencesCog(commands.Cog):
    """A player's own choices."""

    @app_commands.command(name="preferences", description=labels.PREFERENCES)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def preferences(self, interaction: Interaction) -> None:
        """Show them, to be changed."""
        await show_preferences(interaction)
