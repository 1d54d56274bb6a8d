"""`/privacy`: a player's data, its export and deletion; deletions by the clock."""

import io
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Any, Final

import discord
from discord import app_commands, ui
from discord.ext import commands, tasks

from bot.people.game import Cost
from bot.privacy import words
from bot.privacy.model import CONFIRMATION, NotConfirmedError
from bot.refusals import refusal
from bot.services import Services
from bot.text import labels
from bot.text.labels import contact_line
from bot.text.language import say
from bot.text.tiles import Mood
from cogs.settings import DELETION_IDS
from cogs.ui.dispatch import is_about_own_data
from cogs.ui.host import Host
from cogs.ui.pages import Items, Page, button, gap, notice, page, row, spaced
from cogs.ui.replies import Form, Interaction, field, in_good_time, show, whisper
from cogs.ui.routes import TYPED, By, Route, pressed, submitted
from cogs.ui.schedule import TimedCog

log = logging.getLogger(__name__)

_RED: Final = discord.ButtonStyle.danger
_FIELD: Final = "confirmation"

EXPORT: Final = Route("priv:export")
ASK: Final = Route("priv:ask")
CONFIRM: Final = Route("priv:confirm")
KEEP: Final = Route("priv:keep")
FORM: Final = Route("priv:form")


def is_about_privacy(interaction: Interaction) -> bool:
    """Return true for `/privacy`, exports and deletions: they do not note a player as a member."""
    data: Mapping[str, Any] = interaction.data or {}
    return is_about_own_data(interaction) or data.get("custom_id") in DELETION_IDS


@pressed(KEEP, by=By.ANYBODY)
async def show_data(interaction: Interaction) -> None:
    summary = await interaction.client.services.privacy.players.summary(interaction.user.id)
    ask_to_delete = button(ASK(), say(words.DELETE_BUTTON), _RED)
    buttons = [] if summary.is_empty else [_export_button(), ask_to_delete]
    contact = contact_line(interaction.client.contact)
    client = interaction.client
    has_page = bool(client.web_url)
    told = words.blocks(summary, client.forget_after, has_page=has_page)
    await show(interaction, data_page([words.title(), *told, contact], buttons))


@pressed(ASK, by=By.ANYBODY, cost=Cost.FREE)
async def ask(interaction: Interaction, refused: NotConfirmedError | None = None) -> None:
    """Explain a deletion before it is confirmed; say so if there is nothing to delete."""
    summary = await interaction.client.services.privacy.players.summary(interaction.user.id)
    if summary.is_empty:
        await show(interaction, notice(words.deleted(summary)))
        return
    url = interaction.client.web_url
    texts = words.question(f"{url}/privacy" if url else "")
    if refused is not None:
        texts.append(refusal(refused) or "")
    await show(interaction, question_page(texts))


def question_page(texts: Iterable[str]) -> Page:
    confirm = button(CONFIRM(), say(words.CONFIRM_BUTTON), _RED)
    keep = button(KEEP(), say(words.KEEP_BUTTON), discord.ButtonStyle.primary)
    return data_page(texts, [confirm, _export_button(), keep], mood=Mood.ALARM)


def data_page(texts: Iterable[str], buttons: Items, *, mood: Mood = Mood.CALM) -> Page:
    buttons = list(buttons)
    return page(*spaced(texts), *([gap(), row(*buttons)] if buttons else []), mood=mood)


def _export_button() -> ui.Button[Any]:
    return button(EXPORT(), say(words.EXPORT_BUTTON))


@pressed(EXPORT, by=By.ANYBODY, cost=Cost.FREE)
async def send_export(interaction: Interaction) -> None:
    """Send players their data in a private message; the service limits how often they get them."""
    players = interaction.client.services.privacy.players
    async with players.delivery(interaction.user.id):
        export = await in_good_time(interaction, players.export(interaction.user.id))
        file = discord.File(io.BytesIO(export.content), export.name)
        text = words.exported(is_packed=export.is_packed)
        await whisper(interaction, Page([text, ui.File[Any](file)], [file]))


@pressed(CONFIRM, by=By.ANYBODY, cost=Cost.FREE)
async def ask_for_word(interaction: Interaction) -> None:
    """Ask for a typed word, so that nobody deletes data by accident."""
    typed = field(
        _FIELD, say(words.FORM_LABEL, word=say(CONFIRMATION)), say(words.FORM_DESCRIPTION)
    )
    await Form(FORM(), say(words.FORM_TITLE), typed).present(interaction)


@submitted(FORM, fields={_FIELD: TYPED}, by=By.ANYBODY, cost=Cost.FREE)
async def delete(interaction: Interaction, values: Mapping[str, str]) -> None:
    """Delete all of the player's data, if the typed word is right."""
    players = interaction.client.services.privacy.players
    try:
        work = players.delete(interaction.user.id, values[_FIELD])
        before = await in_good_time(interaction, work)
    except NotConfirmedError as error:
        await ask(interaction, error)
    else:
        await show(interaction, notice(words.deleted(before)))


_FAILED: Final = "servers' data"


class PrivacyCog(TimedCog):
    """The command `/privacy`, and deletions by the clock."""

    def __init__(self, client: Host, services: Services) -> None:
        super().__init__(client, services)
        self._servers = services.privacy.servers
        self._has_warned = False

    @app_commands.command(name="privacy", description=labels.PRIVACY)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def privacy(self, interaction: Interaction) -> None:
        await show_data(interaction)

    @tasks.loop(minutes=1)
    async def clean(self) -> None:
        """Delete rows that are due, a few at a time.

        They are what remains of deleted players, and old games that nobody played. If
        the host has set a term, they are also the data of players who were absent that long.
        """
        await self._attempt("nobody's games", self._clean())

    async def _clean(self) -> None:
        privacy = self._services.privacy
        while await privacy.cleaning.expire():
            pass
        forget_after = self._client.forget_after
        if forget_after is not None:
            await privacy.unseen.forget_some(forget_after)

    @tasks.loop(hours=1)
    async def sweep(self) -> None:
        """Delete expired rows, and the data of servers that the bot left long ago.

        It waits until all servers are known; what failed is tried again an hour later.
        """
        await self._client.wait_until_ready()
        await self._attempt(_FAILED, self._sweep())

    async def _sweep(self) -> None:
        await self._servers.sweep(self._present() if await self._are_ours() else None)

    def _present(self) -> list[int]:
        # Including those in an outage of Discord.
        return [guild.id for guild in self._client.guilds]

    async def _are_ours(self) -> bool:
        """Return true if the database belongs to this application; if not, warn once."""
        application_id = self._client.application_id
        if application_id is None:  # not logged in
            return False
        owner = await self._servers.owner(application_id)
        if owner != application_id and not self._has_warned:
            self._has_warned = True
            log.warning(
                "This database is that of the application %s, and the token that of %s. The data "
                "of servers that remove the bot are kept. python -m bot doctor says what to do.",
                owner,
                application_id,
            )
        return owner == application_id

    async def _if_ours(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if await self._are_ours():
            await work()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Note which servers came and went while the bot was away."""
        await self._attempt(
            _FAILED, self._if_ours(lambda: self._servers.reconcile(self._present()))
        )

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self._attempt(_FAILED, self._if_ours(lambda: self._servers.joined(guild.id)))

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        await self._attempt(_FAILED, self._if_ours(lambda: self._servers.left(guild.id)))
