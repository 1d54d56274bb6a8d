"""Answers to interactions: private messages, sentences for errors, forms, drawings."""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncGenerator, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final, ParamSpec, TypeVar

import discord
from discord import app_commands, ui

from bot.clock import MOST_SECONDS, SOON_SECONDS, wait_only
from bot.errors import StorageError, UnusableDatabaseError
from bot.focdle.words import KEYPAD_NOTE, LAUNCH_BUTTON, LAUNCH_NOTE, OPEN_KEYPAD_BUTTON
from bot.games.model import Channel, GameName
from bot.gauges import gauges_here
from bot.pool.worker import Named
from bot.refusals import breakdown, not_done, refusal, unheard
from bot.refused import NotYoursError, OthersGameError, OutdatedError
from bot.text.labels import TRY_AGAIN_BUTTON
from bot.text.language import in_this_language, say
from bot.text.markup import clickable
from cogs.ui.deliveries import UNDONE, is_too_late, is_unheard, was_refused
from cogs.ui.host import Host
from cogs.ui.languages import speak_to
from cogs.ui.pages import Page, button, fit, fitted, notice, sent

log = logging.getLogger(__name__)
T = TypeVar("T")

Interaction = discord.Interaction[Host]
Private = discord.InteractionMessage | discord.WebhookMessage
"""A message that answers an interaction, as it can be edited later."""

_ATTEMPT: Final = "attempt"


# Discord's error for a click in a kind of channel where it launches nothing.
_NOT_LAUNCHED_HERE: Final = 50024


async def launch(interaction: Interaction, place: GameName | None = None) -> bool:
    """Open the web page within Discord, perhaps at a board, or give a link that opens it.

    Return false if Discord does neither.
    """
    if interaction.response.is_done():  # Discord was asked to wait
        return False
    sessions, player = interaction.client.services.sessions, interaction.user.id
    try:
        name = (await interaction.response.launch_activity()).activity_id
    except discord.HTTPException as error:
        if is_too_late(error) or not was_refused(error):
            raise
        if error.code != _NOT_LAUNCHED_HERE:
            _warn_once(interaction.client.launch_refusals, error.code)
            return False
        name = await sessions.launched(player, channel_in_server(interaction), place)
        url = f"https://discord.com/activities/{interaction.application_id}?custom_id={name}"
        link = ui.Button[Any](label=say(LAUNCH_BUTTON), url=url)
        await whisper(interaction, notice(say(LAUNCH_NOTE), [link]))
        return True
    if name is not None:
        await sessions.launched(player, channel_in_server(interaction), place, name)
    return True


async def open_on_page(interaction: Interaction, place: GameName) -> None:
    """Open a game on the web page within Discord, or give a link to it.

    The caller has seen that the player may see the game.
    """
    client, player = interaction.client, interaction.user.id
    if not client.web_url:
        raise OutdatedError(what="a keypad")
    if client.has_activity and await launch(interaction, place):
        return
    ticket = await client.services.sessions.earn(player, channel_in_server(interaction), place)
    link = ui.Button[Any](label=say(OPEN_KEYPAD_BUTTON), url=f"{client.web_url}/#{ticket}.{place}")
    await whisper(interaction, notice(say(KEYPAD_NOTE), [link]))


def _warn_once(told: set[int], code: int) -> None:
    if code in told:
        return
    told.add(code)
    log.warning(
        "Discord launches no Activity (%d), so Keypad gives links to the page: switch Activities "
        "on in the developer portal, or leave out DISCORD_CLIENT_SECRET",
        code,
    )


def with_commands(interaction: Interaction, text: str) -> str:
    """Make our commands in a text clickable, if their ids are known."""
    return clickable(text, interaction.client.command_ids)


async def in_good_time(
    interaction: Interaction, work: Coroutine[Any, Any, T], *, is_soon: bool = True
) -> T:
    """Await slow work; ask Discord to wait once it has taken `SOON_SECONDS`.

    Without `is_soon`, ask Discord at once.
    """
    task = asyncio.create_task(work)
    if not (is_soon and await is_done_within(task, SOON_SECONDS)):
        await ask_to_wait(interaction)
    return await task


async def is_done_within(task: asyncio.Task[Any], seconds: float) -> bool:
    done, _ = await asyncio.wait({task}, timeout=seconds)
    return bool(done)


async def ask_to_wait(interaction: Interaction) -> None:
    """Ask Discord to wait for the answer, unless it was asked or answered already."""
    if not interaction.response.is_done():
        # A failure shows when the real answer is sent.
        with suppress(*UNDONE):
            await interaction.response.defer(ephemeral=True)


def may_send_files(interaction: Interaction) -> bool:
    """Return true if an answer may have files; in direct messages it always may."""
    return interaction.guild_id is None or interaction.app_permissions.attach_files


def server_of(interaction: Interaction) -> int | None:
    """Return an interaction's server, if the bot is a member of it.

    Return None in direct messages, and in a server where a player uses the bot as their own app.
    """
    guild_id = interaction.guild_id
    if guild_id is None or interaction.client.get_guild(guild_id) is None:
        return None
    return guild_id


def channel_in_server(interaction: Interaction) -> Channel | None:
    """Return an interaction's channel, if the bot is a member of its server."""
    return Channel.of(server_of(interaction), interaction.channel_id)


async def show(interaction: Interaction, view: Page, *, in_public: bool = False) -> Private | None:
    """Show a page privately: in place of the clicked message, or else in a new one.

    A new message answers a command, and a click on a message that is gone, or public unless
    `in_public`. Return the message.
    """
    message = interaction.message
    if message is not None and (in_public or message.flags.ephemeral):
        try:
            return await sent(interaction.client, view, lambda: _edit(interaction, view))
        except discord.NotFound as error:
            if is_too_late(error):
                raise
            for file in view.files:
                file.reset()  # it was read for the message that is gone
    return await whisper(interaction, view)


async def whisper(interaction: Interaction, view: Page) -> Private | None:
    """Answer with a new message that only the player sees; return it."""
    return await sent(interaction.client, view, lambda: _answer(interaction, view))


async def _edit(interaction: Interaction, view: Page) -> Private | None:
    if interaction.response.is_done():
        return await interaction.edit_original_response(view=view, attachments=view.files)
    done = await interaction.response.edit_message(view=view, attachments=view.files)
    return _message_of(done)


async def _answer(interaction: Interaction, view: Page) -> Private | None:
    if interaction.response.is_done():
        return await interaction.followup.send(
            view=view, files=view.files, ephemeral=True, wait=True
        )
    done = await interaction.response.send_message(view=view, files=view.files, ephemeral=True)
    return _message_of(done)


def _message_of(done: discord.InteractionCallbackResponse[Host] | None) -> Private | None:
    found = done and done.resource
    return found if isinstance(found, discord.InteractionMessage) else None


@dataclass(frozen=True, slots=True)
class Attempt:
    """How a click or a form can be done again: the id of a button for it, and the typed text."""

    custom_id: str
    text: str = ""


def note_attempt(interaction: Interaction, attempt: Attempt | None) -> None:
    """Let *Try again* do `attempt` if the database fails while this interaction is handled."""
    interaction.extras[_ATTEMPT] = attempt


@asynccontextmanager
async def answering(interaction: Interaction) -> AsyncGenerator[None]:
    """Speak the player's language, and `report` an error of the block instead of raising it."""
    await speak_to(interaction)
    try:
        yield
    except Exception as error:  # noqa: BLE001 - the last place that can tell the player
        await report(interaction, error)


async def report(interaction: Interaction, error: Exception) -> None:
    """Tell the player privately what went wrong; log what the host should know of.

    If the database has failed, offer *Try again*, as `note_attempt` was told.
    """
    if isinstance(error, app_commands.CommandInvokeError):
        error = error.original
    if is_too_late(error) or interaction.client.is_closed():
        _note_unanswered(interaction, error)
        return
    words = _words_for(interaction, error)
    attempt: Attempt | None = interaction.extras.get(_ATTEMPT)
    try:
        if attempt is not None and isinstance(error, StorageError):
            again = button(attempt.custom_id, say(TRY_AGAIN_BUTTON), discord.ButtonStyle.primary)
            # In place, so that the board returns where it was.
            await show(interaction, notice(not_done(error, attempt.text), [again]))
        else:
            await whisper(interaction, notice(words))
    except (*UNDONE, RuntimeError) as failure:  # the connection closes at the end
        _note_unanswered(interaction, failure)


def _words_for(interaction: Interaction, error: Exception) -> str:
    """Choose the words for an error; log it if the host should know, a bug with its traceback."""
    if is_unheard(error):
        _note_unanswered(interaction, error)
        return unheard()
    if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
        # Some apps show commands of an earlier version for a while.
        error = OutdatedError(what="a command")
    if isinstance(error, OutdatedError):
        log.info("interaction %s: %s was not offered", interaction.id, error.what)
    if isinstance(error, OthersGameError) and (
        error.guild_id is None or error.guild_id != interaction.guild_id
    ):
        error = NotYoursError()  # players are named only in public
    if isinstance(error, UnusableDatabaseError):
        log.error("interaction %s: the database cannot be used: %s", interaction.id, error)
    text = refusal(error)
    if text is None:
        gauges_here().broke_down()
        reference = secrets.token_hex(4)
        log.error(
            "interaction %s failed, reference %s",
            *(interaction.id, reference),
            exc_info=error,
        )
        text = breakdown(reference, interaction.client.contact)
    return text


def _note_unanswered(interaction: Interaction, error: Exception) -> None:
    if is_too_late(error):
        log.info("nobody waits for an answer to interaction %s: %r", interaction.id, error)
    else:
        log.warning("interaction %s could not be answered: %r", interaction.id, error)


_ARRIVED: Final = "arrived"


def note_arrival(interaction: Interaction) -> None:
    interaction.extras[_ARRIVED] = time.monotonic()


def hurry(interaction: Interaction) -> None:
    """Limit how long this task waits for the database, so that Discord still takes an answer.

    Once the interaction is answered or deferred, each wait may take `MOST_SECONDS`.
    """
    arrived: float = interaction.extras.get(_ARRIVED, time.monotonic())

    def seconds_left() -> float:
        if interaction.response.is_done():
            return MOST_SECONDS
        return arrived + MOST_SECONDS - time.monotonic()

    wait_only(seconds_left)


# Forms. discord.py forgets its form objects at a restart, and keeps only one for each id. So ours
# stop listening before they are shown, and every submission is handled by its id.

_MOST_TITLE: Final = 45
TICKED: Final = "yes"
"""The text that stands for a ticked box among the values of a form."""


class Form(ui.Modal):
    """A form with texts to read and fields to fill in; its id leads to the handler.

    Empty texts are left out.
    """

    def __init__(self, custom_id: str, title: str, *parts: str | ui.Item[Any]) -> None:
        super().__init__(title=title, custom_id=custom_id)
        for part in filter(None, parts):
            self.add_item(ui.TextDisplay[Any](part) if isinstance(part, str) else part)
        self.title = fitted(self.title, _MOST_TITLE, "a form's title")
        fit(self.walk_children())

    async def present(self, interaction: Interaction) -> None:
        self.stop()  # else discord.py would remember it
        await interaction.response.send_modal(self)


def field(
    name: str,
    label: str,
    description: str = "",
    *,
    placeholder: str = "",
    draft: str = "",
    most: int | None = None,
) -> ui.Label[Any]:
    """Build a text field, which may be sent empty: our own sentences say what is missing.

    `draft` stands in it already. It takes `most` characters.
    """
    line = ui.TextInput[Any](
        custom_id=name,
        placeholder=placeholder or None,
        default=draft[:most] or None,
        required=False,
        max_length=most,
    )
    return ui.Label[Any](text=label, description=description or None, component=line)


def choice(name: str, label: str, options: list[discord.SelectOption]) -> ui.Label[Any]:
    return ui.Label[Any](text=label, component=ui.Select[Any](custom_id=name, options=options))


def radio(name: str, label: str, options: list[discord.RadioGroupOption]) -> ui.Label[Any]:
    return ui.Label[Any](text=label, component=ui.RadioGroup[Any](custom_id=name, options=options))


def tick(name: str, label: str, description: str, *, default: bool) -> ui.Label[Any]:
    box = ui.Checkbox[Any](custom_id=name, default=default)
    return ui.Label[Any](text=label, description=description, component=box)


def typed_values(components: Iterable[dict[str, Any]]) -> dict[str, str]:
    """Map the ids of a sent form's fields to what was typed or chosen in them.

    An empty field and an unticked box are empty texts; several choices are joined by commas.
    """
    values: dict[str, str] = {}
    for component in components:
        if "component" in component:
            values |= typed_values([component["component"]])
        elif "components" in component:
            values |= typed_values(component["components"])
        elif "value" in component:
            value = component["value"]
            values[component["custom_id"]] = TICKED if value is True else value or ""
        elif "values" in component:
            values[component["custom_id"]] = ",".join(component["values"])
    return values


P = ParamSpec("P")


@asynccontextmanager
async def in_turn(interaction: Interaction) -> AsyncGenerator[None]:
    """Let the block read the data for a drawing, while no other such block reads.

    So guesses do not have to wait for many readers. If other drawings come first, ask Discord to
    wait; if too many wait already, refuse.
    """
    pool = interaction.client.services.pool
    if pool.is_crowded:
        await ask_to_wait(interaction)
    async with pool.in_turn():
        yield


async def drawn_in_good_time(
    interaction: Interaction,
    owner_id: int,
    draw: Named[P, T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """Draw by `Pool.draw`, in the current language; the arguments must be picklable.

    `owner_id` is the player whose data are drawn. A user waits for one drawing of a kind at a time:
    a second one, by a function of the same module, is refused. Discord is asked to wait if the
    drawing cannot begin at once, or takes long.
    """
    pool = interaction.client.services.pool
    drawing = pool.draw(
        in_this_language(draw, *args, **kwargs),
        kind=draw.module,
        asker_id=interaction.user.id,
        owner_id=owner_id,
    )
    return await in_good_time(interaction, drawing, is_soon=pool.draws_at_once)
