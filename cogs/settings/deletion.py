"""Deleting all data of a server: from the settings, by its owner or an administrator."""

from collections.abc import Mapping
from typing import Any, Final

import discord
from discord import ui

from bot.people.game.allowance import Cost
from bot.privacy.model.errors import NotAdministratorError, ServerNotNamedError
from bot.privacy.pages import server as words
from bot.refusals import refusal
from bot.text.language import say
from bot.text.text_board import Mood
from cogs.posts.posts_panel import ALL_SETTINGS
from cogs.ui.forms import Form, field
from cogs.ui.pages import button, gap, notice, page, row, spaced
from cogs.ui.replies import Interaction, in_good_time, services_of, show
from cogs.ui.rights import managed_server
from cogs.ui.routes import TYPED, By, Route, pressed, submitted

DELETE: Final = Route("set:delete")
CONFIRM: Final = Route("set:confirm")
FORM: Final = Route("set:form:delete")

_RED: Final = discord.ButtonStyle.danger
_FIELD: Final = "name"

DELETION_IDS: Final = frozenset(route() for route in (DELETE, CONFIRM, FORM))


def may_delete(interaction: Interaction, guild: discord.Guild) -> bool:
    """Whether a member may delete all data of a server: its owner or an administrator."""
    return interaction.user.id == guild.owner_id or interaction.permissions.administrator


def delete_button() -> ui.Button[Any]:
    """Leads to the page that says what a deletion means."""
    return button(DELETE(), say(words.DELETE_BUTTON), discord.ButtonStyle.danger)


def _own_server(interaction: Interaction) -> discord.Guild:
    """The server an interaction is in, for who may delete its data.

    Raises:
        NotAllowedError: the member may not even manage the server.
        NotAdministratorError: the member may not delete its data.
    """
    guild = managed_server(interaction)
    if not may_delete(interaction, guild):
        raise NotAdministratorError
    return guild


async def _ask(
    interaction: Interaction, guild: discord.Guild, refused: ServerNotNamedError | None = None
) -> None:
    settings = await services_of(interaction).settings.view(guild.id)
    texts = words.question(guild.name, settings)
    if refused is not None:
        texts.append(refusal(refused) or "")
    confirm = button(CONFIRM(), say(words.CONFIRM_BUTTON), _RED)
    keep = button(ALL_SETTINGS(), say(words.KEEP_BUTTON), discord.ButtonStyle.primary)
    found = page(*spaced(texts), gap(), row(confirm, keep), mood=Mood.ALARM)
    await show(interaction, found)


@pressed(DELETE, by=By.MANAGERS, cost=Cost.FREE)
async def ask_whether_to_delete_server(interaction: Interaction) -> None:
    """Say what a deletion means."""
    await _ask(interaction, _own_server(interaction))


@pressed(CONFIRM, by=By.MANAGERS, cost=Cost.FREE)
async def ask_for_server_name(interaction: Interaction) -> None:
    """Ask for the server's name, so that no slip of a thumb deletes anything."""
    guild = _own_server(interaction)
    typed = field(
        _FIELD,
        say(words.FORM_LABEL),
        say(words.FORM_DESCRIPTION),
        placeholder=guild.name[: words.LONGEST_NAME],
    )
    await Form(FORM(), say(words.FORM_TITLE), typed).present(interaction)


@submitted(FORM, fields={_FIELD: TYPED}, by=By.MANAGERS, cost=Cost.FREE)
async def delete_server(interaction: Interaction, values: Mapping[str, str]) -> None:
    """Delete everything about the server, if that is its name."""
    guild = _own_server(interaction)
    deletion = services_of(interaction).privacy.deletion
    try:
        work = deletion.delete(guild.id, guild.name, values[_FIELD])
        await in_good_time(interaction, work)
    except ServerNotNamedError as error:
        await _ask(interaction, guild, error)
    else:
        await show(interaction, notice(words.deleted()))
