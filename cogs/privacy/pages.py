"""The pages about a player's data: what there is, the file, the way to delete it."""

import io
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, Self

import discord
from discord import ui

from bot.presentation.base.language import say
from bot.presentation.privacy import data as words
from bot.presentation.refusals import refusal
from bot.services.base.allowance import Cost
from bot.services.privacy.errors import NotConfirmedError
from bot.services.privacy.export import Export
from bot.services.privacy.players import CONFIRMATION
from cogs.base.buttons import Press
from cogs.base.forms import Form
from cogs.base.pages import Notice, Page
from cogs.base.replies import Interaction, in_good_time, services_of, show, whisper

_CALM: Final = 0x5865F2
_ALARM: Final = 0xED4245
_FIELD: Final = "confirmation"

PREFIX: Final = "priv"
"""What the ids of all buttons and forms here begin with."""


def is_about_privacy(interaction: Interaction) -> bool:
    """Whether an interaction asks about data: then it leaves none itself."""
    data: Mapping[str, Any] = interaction.data or {}
    name, custom_id = data.get("name", ""), data.get("custom_id", "")
    return name == "privacy" or custom_id.startswith(f"{PREFIX}:")


async def show_data(interaction: Interaction) -> None:
    """Show players what is stored about them."""
    summary = await services_of(interaction).privacy.players.summary(interaction.user.id)
    buttons = [] if summary.is_empty else [PrivacyButton("export"), PrivacyButton("ask")]
    await show(interaction, DataPage([words.title(), *words.blocks(summary)], buttons))


async def send_export(interaction: Interaction) -> None:
    """Send players their own data, in a private message of its own."""
    players = services_of(interaction).privacy.players
    async with players.delivery(interaction.user.id):
        export = await in_good_time(interaction, players.export(interaction.user.id))
        await whisper(interaction, ExportPage(export))


async def ask(interaction: Interaction, refused: NotConfirmedError | None = None) -> None:
    """Say what a deletion means, before it is confirmed."""
    summary = await services_of(interaction).privacy.players.summary(interaction.user.id)
    if summary.is_empty:
        await show(interaction, Notice(words.deleted(summary)))
        return
    texts = words.question(summary)
    if refused is not None:
        texts.append(refusal(refused) or "")
    buttons = [PrivacyButton(act) for act in ("confirm", "export", "keep")]
    await show(interaction, DataPage(texts, buttons, accent=_ALARM))


class DataPage(Page):
    """Blocks of text, and buttons under them."""

    def __init__(
        self, texts: Iterable[str], buttons: Iterable[Press], *, accent: int = _CALM
    ) -> None:
        super().__init__()
        container = ui.Container[DataPage](accent_colour=accent)
        for number, text in enumerate(texts):
            if number:
                container.add_item(ui.Separator[DataPage](visible=False))
            container.add_item(ui.TextDisplay[DataPage](text))
        row = ui.ActionRow[DataPage]()
        for button in buttons:
            row.add_item(button)
        if row.children:
            container.add_item(ui.Separator[DataPage](visible=False))
            container.add_item(row)
        self.add_item(container)


class ExportPage(Page):
    """The file."""

    def __init__(self, export: Export) -> None:
        file = discord.File(io.BytesIO(export.content), export.name)
        super().__init__([file])
        self.add_item(ui.TextDisplay[ExportPage](words.exported(is_packed=export.is_packed)))
        self.add_item(ui.File[ExportPage](file))


_LABELS: Final = {
    "export": words.EXPORT_BUTTON,
    "ask": words.DELETE_BUTTON,
    "confirm": words.CONFIRM_BUTTON,
    "keep": words.KEEP_BUTTON,
}


class PrivacyButton(Press, template=rf"{PREFIX}:(?P<act>{'|'.join(_LABELS)})"):
    """Whoever presses it gets their own data, or is asked about them."""

    def __init__(self, act: str) -> None:
        is_grave = act in {"ask", "confirm"}
        style = discord.ButtonStyle.danger if is_grave else discord.ButtonStyle.secondary
        super().__init__(f"{PREFIX}:{act}", say(_LABELS[act]), style)
        self.cost = Cost.HEAVY if act == "export" else Cost.FREE
        self._act = act

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of an act."""
        return cls(match["act"])

    async def press(self, interaction: Interaction) -> None:
        """Do it."""
        if self._act == "export":
            await send_export(interaction)
        elif self._act == "ask":
            await ask(interaction)
        elif self._act == "confirm":
            await DeleteForm().present(interaction)
        else:
            await show_data(interaction)


class DeleteForm(Form, template=rf"{PREFIX}:form"):
    """Asks for a word, so that no slip of a thumb deletes anything."""

    cost = Cost.FREE

    def __init__(self) -> None:
        super().__init__(title=say(words.FORM_TITLE), custom_id=f"{PREFIX}:form")
        field = ui.TextInput[Any](custom_id=_FIELD, required=False)
        self.add_item(
            ui.Label[Any](
                text=say(words.FORM_LABEL, word=CONFIRMATION),
                description=say(words.FORM_DESCRIPTION),
                component=field,
            )
        )

    @classmethod
    async def submitted(
        cls, interaction: Interaction, match: re.Match[str], values: Mapping[str, str]
    ) -> None:
        """Delete everything, if that is the word."""
        players = services_of(interaction).privacy.players
        try:
            work = players.delete(interaction.user.id, values.get(_FIELD, ""))
            before = await in_good_time(interaction, work)
        except NotConfirmedError as error:
            await ask(interaction, error)
        else:
            await show(interaction, Notice(words.deleted(before)))
