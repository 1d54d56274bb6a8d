"""The pages about a player's data: what there is, the file, the way to delete it."""

import io
from collections.abc import Iterable, Mapping
from typing import Any, Final

import discord
from discord import ui

from bot.people.game.allowance import Cost
from bot.privacy.game.export import Export
from bot.privacy.game.players import CONFIRMATION
from bot.privacy.model.errors import NotConfirmedError
from bot.privacy.pages import data as words
from bot.refusals import refusal
from bot.text.contact import contact_line
from bot.text.language import say
from bot.text.text_board import Mood
from cogs.settings.deletion import DELETION_IDS
from cogs.ui.forms import Form, field
from cogs.ui.pages import Items, Page, button, gap, notice, page, row, spaced
from cogs.ui.replies import (
    Interaction,
    contact_of,
    forget_after_of,
    in_good_time,
    services_of,
    show,
    whisper,
)
from cogs.ui.routes import TYPED, By, Route, pressed, submitted

_RED: Final = discord.ButtonStyle.danger
_FIELD: Final = "confirmation"

EXPORT: Final = Route("priv:export")
ASK: Final = Route("priv:ask")
CONFIRM: Final = Route("priv:confirm")
KEEP: Final = Route("priv:keep")
FORM: Final = Route("priv:form")

_IDS: Final = frozenset(route() for route in (EXPORT, ASK, CONFIRM, KEEP, FORM))


def is_about_privacy(interaction: Interaction) -> bool:
    """Whether an interaction asks about data: then it leaves none itself."""
    data: Mapping[str, Any] = interaction.data or {}
    name, custom_id = data.get("name", ""), data.get("custom_id", "")
    return name == "privacy" or custom_id in _IDS | DELETION_IDS


async def show_data(interaction: Interaction) -> None:
    """Show players what is stored about them."""
    summary = await services_of(interaction).privacy.players.summary(interaction.user.id)
    ask_to_delete = button(ASK(), say(words.DELETE_BUTTON), _RED)
    buttons = [] if summary.is_empty else [_export_button(), ask_to_delete]
    contact = contact_line(contact_of(interaction))
    told = words.blocks(summary, forget_after_of(interaction.client))
    await show(interaction, data_page([words.title(), *told, contact], buttons))


async def ask(interaction: Interaction, refused: NotConfirmedError | None = None) -> None:
    """Say what a deletion means, before it is confirmed."""
    summary = await services_of(interaction).privacy.players.summary(interaction.user.id)
    if summary.is_empty:
        await show(interaction, notice(words.deleted(summary)))
        return
    texts = words.question(summary)
    if refused is not None:
        texts.append(refusal(refused) or "")
    await show(interaction, question_page(texts))


def question_page(texts: Iterable[str]) -> Page:
    """Asks whether a deletion is meant."""
    confirm = button(CONFIRM(), say(words.CONFIRM_BUTTON), _RED)
    keep = button(KEEP(), say(words.KEEP_BUTTON), discord.ButtonStyle.primary)
    return data_page(texts, [confirm, _export_button(), keep], mood=Mood.ALARM)


def data_page(texts: Iterable[str], buttons: Items, *, mood: Mood = Mood.CALM) -> Page:
    """Blocks of text, and buttons under them."""
    buttons = list(buttons)
    return page(*spaced(texts), *([gap(), row(*buttons)] if buttons else []), mood=mood)


def _export_button() -> ui.Button[Any]:
    return button(EXPORT(), say(words.EXPORT_BUTTON))


def export_page(export: Export) -> Page:
    """The file."""
    file = discord.File(io.BytesIO(export.content), export.name)
    return Page([words.exported(is_packed=export.is_packed), ui.File[Any](file)], [file])


@pressed(EXPORT, by=By.ANYBODY, cost=Cost.FREE)
async def send_export(interaction: Interaction) -> None:
    """Send players their own data, in a private message of its own; how often, the service says."""
    players = services_of(interaction).privacy.players
    async with players.delivery(interaction.user.id):
        export = await in_good_time(interaction, players.export(interaction.user.id))
        await whisper(interaction, export_page(export))


@pressed(ASK, by=By.ANYBODY, cost=Cost.FREE)
async def ask_whether_to_delete(interaction: Interaction) -> None:
    """Say what a deletion means."""
    await ask(interaction)


@pressed(CONFIRM, by=By.ANYBODY, cost=Cost.FREE)
async def ask_for_word(interaction: Interaction) -> None:
    """Ask for a word, so that no slip of a thumb deletes anything."""
    typed = field(_FIELD, say(words.FORM_LABEL, word=CONFIRMATION), say(words.FORM_DESCRIPTION))
    await Form(FORM(), say(words.FORM_TITLE), typed).present(interaction)


@pressed(KEEP, by=By.ANYBODY)
async def keep_data(interaction: Interaction) -> None:
    """Show what is stored, which stays."""
    await show_data(interaction)


@submitted(FORM, fields={_FIELD: TYPED}, by=By.ANYBODY, cost=Cost.FREE)
async def delete(interaction: Interaction, values: Mapping[str, str]) -> None:
    """Delete everything, if that is the word."""
    players = services_of(interaction).privacy.players
    try:
        work = players.delete(interaction.user.id, values[_FIELD])
        before = await in_good_time(interaction, work)
    except NotConfirmedError as error:
        await ask(interaction, error)
    else:
        await show(interaction, notice(words.deleted(before)))
