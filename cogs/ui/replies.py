"""How interactions are answered: privately, in place where possible, errors included."""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncGenerator, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, ParamSpec, Protocol, TypeVar, cast

import aiohttp
import discord
from discord import app_commands, ui

from bot.clock import MOST_SECONDS, SOON_SECONDS, wait_only
from bot.errors import ClosingError, StorageBusyError, StorageError, UnusableDatabaseError
from bot.gauges import gauges_here
from bot.pool.worker import Named
from bot.refusals import breakdown, not_done, refusal, unheard
from bot.refused import NotYoursError, OthersGameError, OutdatedError
from bot.services import Services
from bot.text.labels import TRY_AGAIN_BUTTON
from bot.text.language import in_this_language, say, speak
from bot.text.markup import CommandIds, clickable
from bot.text.tiles import Pegs, Tiles
from cogs.ui.pages import Album, Page, button, notice, sent

UNDONE: Final = (discord.HTTPException, aiohttp.ClientError, OSError)
"""Errors of a request that Discord has refused, or that never reached it."""

# Unknown interaction; already acknowledged; unknown webhook; its token has expired. The first and
# the last two come as different statuses of HTTP, so it is the code that tells.
_ACKNOWLEDGED: Final = 40060
_TOO_LATE: Final = frozenset({10062, _ACKNOWLEDGED, 10015, 50027})

_TOO_MANY_REQUESTS: Final = 429
_THEIR_OWN_FAULT: Final = 500
_LINE: Final = (
    aiohttp.ClientError,
    ConnectionError,
    TimeoutError,
    discord.ConnectionClosed,
    discord.GatewayNotFound,
)
_DATABASE: Final = (ClosingError, StorageBusyError, UnusableDatabaseError)


def is_too_late(error: BaseException) -> bool:
    """Whether nobody is left to be answered: it came too late, or somebody else was faster."""
    return isinstance(error, discord.HTTPException) and error.code in _TOO_LATE


def may_pass(error: discord.HTTPException) -> bool:
    """Whether Discord may do later what it has not done now."""
    return error.status == _TOO_MANY_REQUESTS or error.status >= _THEIR_OWN_FAULT


def was_refused(error: BaseException) -> bool:
    """Whether Discord has said no, so that what it was asked for is surely not done."""
    return (
        isinstance(error, discord.HTTPException)
        and not may_pass(error)
        and error.code != _ACKNOWLEDGED  # by an earlier try of ours, perhaps
    )


def is_unheard(error: BaseException) -> bool:
    """Whether it is the line that has failed, or Discord itself."""
    if isinstance(error, discord.HTTPException):
        return may_pass(error)
    return isinstance(error, _LINE)


def is_nobodys_fault(error: BaseException) -> bool:
    """Whether what led to an error says nothing: a line, a disk, an end, an impatient click."""
    return isinstance(error, _DATABASE) or is_too_late(error) or is_unheard(error)


log = logging.getLogger(__name__)

Interaction = discord.Interaction[discord.Client]
T = TypeVar("T")

_ATTEMPT: Final = "attempt"


class _Host(Protocol):
    services: Services
    album: Album | None
    command_ids: CommandIds
    contact: str
    forget_after: timedelta | None

    @property
    def tiles(self) -> Tiles | None: ...

    @property
    def pegs(self) -> Pegs: ...


def services_of(interaction: Interaction) -> Services:
    """The services of the bot that received an interaction."""
    return cast("_Host", interaction.client).services


def tiles_of(interaction: Interaction) -> Tiles | None:
    """The tiles that Discord has, if it has them all."""
    return tiles_of_client(interaction.client)


def tiles_of_client(client: discord.Client) -> Tiles | None:
    """The tiles that Discord has, if it has them all."""
    return cast("_Host", client).tiles


def pegs_of(interaction: Interaction) -> Pegs:
    """The pegs that Discord has, or Unicode."""
    return pegs_of_client(interaction.client)


def pegs_of_client(client: discord.Client) -> Pegs:
    """The pegs that Discord has, or Unicode."""
    return cast("_Host", client).pegs


def album_of(client: discord.Client) -> Album | None:
    """Where the bot's pictures get avatars from; None if they have none."""
    return cast("_Host", client).album


def contact_of(interaction: Interaction) -> str:
    """Where players reach the people who run the bot; empty if these say nothing of it."""
    return cast("_Host", interaction.client).contact


def forget_after_of(client: discord.Client) -> timedelta | None:
    """After how long players who are not seen are forgotten; None for never."""
    return cast("_Host", client).forget_after


def with_commands(interaction: Interaction, text: str) -> str:
    """A text in which our commands can be clicked, as far as their ids are known."""
    return clickable(text, cast("_Host", interaction.client).command_ids)


async def in_good_time(
    interaction: Interaction, work: Coroutine[Any, Any, T], *, is_soon: bool = True
) -> T:
    """The result of what may take long; Discord is asked to wait if it does.

    Args:
        interaction: who waits.
        work: what takes long.
        is_soon: whether it may well be done at once; else Discord is asked straight away.
    """
    task = asyncio.create_task(work)
    is_done = is_soon and await is_soon_done(task)
    if not is_done:
        await ask_to_wait(interaction)
    return await task


async def ask_to_wait(interaction: Interaction) -> None:
    """Ask Discord to wait for the answer, unless it has something already."""
    if not interaction.response.is_done():
        # What has begun is finished; whether it can be answered, the answer will tell.
        with suppress(*UNDONE):
            await interaction.response.defer(ephemeral=True)


async def is_soon_done(task: asyncio.Task[Any]) -> bool:
    """Whether a task ends while Discord is still patient."""
    done, _ = await asyncio.wait({task}, timeout=SOON_SECONDS)
    return bool(done)


def server_of(interaction: Interaction) -> int | None:
    """The server an interaction is in, if the bot is a member of it.

    Where a player has brought the bot along, the place is the player's own.
    """
    guild_id = interaction.guild_id
    if guild_id is None or interaction.client.get_guild(guild_id) is None:
        return None
    return guild_id


async def show(interaction: Interaction, view: Page) -> None:
    """Put a view before the player: in the private message they clicked in, else in a new one.

    Public messages are never overwritten, and a private one that is gone by
    now is replaced.
    """
    message = interaction.message
    if message is not None and message.flags.ephemeral:
        try:
            await sent(interaction.client, view, lambda: _edit(interaction, view))
        except discord.NotFound as error:
            if is_too_late(error):
                raise
            for file in view.files:
                file.reset()  # it was read for the message that is gone
        else:
            return
    await whisper(interaction, view)


async def whisper(interaction: Interaction, view: Page) -> None:
    """Answer with a new message that only the player sees."""
    await sent(interaction.client, view, lambda: _answer(interaction, view))


async def _edit(interaction: Interaction, view: Page) -> None:
    if interaction.response.is_done():
        await interaction.edit_original_response(view=view, attachments=view.files)
    else:
        await interaction.response.edit_message(view=view, attachments=view.files)


async def _answer(interaction: Interaction, view: Page) -> None:
    if interaction.response.is_done():
        await interaction.followup.send(view=view, files=view.files, ephemeral=True)
    else:
        await interaction.response.send_message(view=view, files=view.files, ephemeral=True)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a click or a form asks for, so that it can be asked for once more.

    Attributes:
        custom_id: of a button that does the same.
        text: what was typed, if the player's own message may show it.
    """

    custom_id: str
    text: str = ""


def note_attempt(interaction: Interaction, attempt: Attempt | None) -> None:
    """Note how to ask once more, should there be no time for it now."""
    interaction.extras[_ATTEMPT] = attempt


def _attempt_at(interaction: Interaction) -> Attempt | None:
    return interaction.extras.get(_ATTEMPT)


@asynccontextmanager
async def answering(interaction: Interaction) -> AsyncGenerator[None]:
    """Speak the player's language, and report what goes wrong inside."""
    speak(str(interaction.locale))
    try:
        yield
    except Exception as error:  # noqa: BLE001 - the last place that can tell the player
        await report(interaction, error)


async def report(interaction: Interaction, error: Exception) -> None:
    """Tell the player, privately, what went wrong; log what is not theirs to mend."""
    if isinstance(error, app_commands.CommandInvokeError):
        error = error.original
    if is_too_late(error) or interaction.client.is_closed():
        _note_unanswered(interaction, error)
        return
    words, attempt = _words_for(interaction, error), _attempt_at(interaction)
    try:
        if attempt is not None and isinstance(error, StorageError):
            again = button(attempt.custom_id, say(TRY_AGAIN_BUTTON), discord.ButtonStyle.primary)
            # In place, so that the board comes back where it was, and not a second one.
            await show(interaction, notice(not_done(error, attempt.text), [again]))
        else:
            await whisper(interaction, notice(words))
    except (*UNDONE, RuntimeError) as failure:  # the last, where the end has closed the line
        _note_unanswered(interaction, failure)


def _words_for(interaction: Interaction, error: Exception) -> str:
    """What to tell the player; what is nobody's fault, the host is told in a line."""
    if is_unheard(error):
        _note_unanswered(interaction, error)
        return unheard()
    if isinstance(error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
        # Some apps show commands of before the update for a while.
        error = OutdatedError(what="a command")
    if isinstance(error, OutdatedError):
        log.info("interaction %s: %s was not offered", interaction.id, error.what)
    if isinstance(error, OthersGameError) and (
        error.guild_id is None or error.guild_id != interaction.guild_id
    ):
        error = NotYoursError()  # whose it is, is told only where everybody sees it
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
            extra={"reference": reference},
        )
        text = breakdown(reference, contact_of(interaction))
    return text


def _note_unanswered(interaction: Interaction, error: Exception) -> None:
    if is_too_late(error):
        log.info("nobody waits for an answer to interaction %s: %r", interaction.id, error)
    else:
        log.warning("interaction %s could not be answered: %r", interaction.id, error)


_ARRIVED: Final = "arrived"


def note_arrival(interaction: Interaction) -> None:
    """Note when the gateway gave us an interaction."""
    interaction.extras[_ARRIVED] = time.monotonic()


def hurry(interaction: Interaction) -> None:
    """Let what is done for an interaction from now on wait only while it can still be answered.

    Once it is acknowledged, there is no hurry any more.
    """
    arrived: float = interaction.extras.get(_ARRIVED, time.monotonic())

    def seconds_left() -> float:
        if interaction.response.is_done():
            return MOST_SECONDS
        return arrived + MOST_SECONDS - time.monotonic()

    wait_only(seconds_left)


_MARGIN: Final = timedelta(minutes=1)  # clocks differ
_MOST: Final = 300


async def find_own(
    channel: discord.abc.Messageable, own_id: int, custom_id: str, since: datetime
) -> int | None:
    """The bot's message with a button of this id, sent since an instant; None if there is none."""
    async for message in channel.history(after=since - _MARGIN, limit=_MOST):
        if message.author.id == own_id and custom_id in _custom_ids(message.components):
            return message.id
    return None


def _custom_ids(components: Iterable[Any]) -> set[str]:
    found: set[str] = set()
    for component in components:
        if custom_id := getattr(component, "custom_id", None):
            found.add(custom_id)
        found |= _custom_ids(getattr(component, "children", ()))
        if accessory := getattr(component, "accessory", None):
            found |= _custom_ids([accessory])
    return found


# Forms: a title, texts and fields, and what was put into them. discord.py forgets its form objects
# at a restart, and keeps only one for each id. So ours stop listening before they are shown, and
# every submission is understood by its id.

TICKED: Final = "yes"
"""What a box that is ticked has for a text."""


class Form(ui.Modal):
    """A form whose submission is understood from its id alone.

    Args:
        custom_id: a route's.
        title: at most 45 characters.
        parts: texts and fields, from top to bottom; empty texts are left out.
    """

    def __init__(self, custom_id: str, title: str, *parts: str | ui.Item[Any]) -> None:
        super().__init__(title=title, custom_id=custom_id)
        for part in filter(None, parts):
            self.add_item(ui.TextDisplay[Any](part) if isinstance(part, str) else part)

    async def present(self, interaction: Interaction) -> None:
        """Open the form as the answer to an interaction."""
        self.stop()  # discord.py does not remember a form that has stopped listening
        await interaction.response.send_modal(self)


def field(
    name: str, label: str, description: str = "", *, placeholder: str = "", draft: str = ""
) -> ui.Label[Any]:
    """A line to type in. It sets no minimum length: our own sentences say what is missing.

    Args:
        name: by which the submission calls it.
        label: what is asked for, at most 45 characters.
        description: what to type, at most 100 characters.
        placeholder: what stands in it while it is empty.
        draft: what stands in it already.
    """
    line = ui.TextInput[Any](
        custom_id=name, placeholder=placeholder or None, default=draft or None, required=False
    )
    return ui.Label[Any](text=label, description=description or None, component=line)


def choice(name: str, label: str, options: list[discord.SelectOption]) -> ui.Label[Any]:
    """A list to choose from, within a form."""
    return ui.Label[Any](text=label, component=ui.Select[Any](custom_id=name, options=options))


def radio(name: str, label: str, options: list[discord.RadioGroupOption]) -> ui.Label[Any]:
    """Choices of which all are seen at once, within a form; one of them is taken."""
    return ui.Label[Any](text=label, component=ui.RadioGroup[Any](custom_id=name, options=options))


def tick(name: str, label: str, description: str, *, default: bool) -> ui.Label[Any]:
    """A box to tick, within a form."""
    box = ui.Checkbox[Any](custom_id=name, default=default)
    return ui.Label[Any](text=label, description=description, component=box)


def typed_values(components: Iterable[dict[str, Any]]) -> dict[str, str]:
    """The texts and choices in a submission's components, by the id of the field.

    What was left empty is an empty text, and so is a box that is not ticked.
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
    """Read what is to be drawn when nobody else does: guesses go between.

    Discord is asked to wait where others do.

    Raises:
        WorkshopFullError: too many wait.
    """
    pool = services_of(interaction).pool
    if pool.is_crowded:
        await ask_to_wait(interaction)
    async with pool.in_turn():
        yield


async def drawn(
    interaction: Interaction,
    owner_id: int,
    draw: Named[P, T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """What a function draws, in the current language.

    Args:
        interaction: who asks; they wait for one drawing of a kind at a time.
        owner_id: whose data it shows.
        draw: draws; its arguments can be pickled.
        args: what it is called with.
        kwargs: likewise.

    Raises:
        Refused: it cannot be drawn now; as `Pool.draw`.
    """
    return await services_of(interaction).pool.draw(
        in_this_language(draw, *args, **kwargs),
        kind=draw.module,
        asker_id=interaction.user.id,
        owner_id=owner_id,
    )


async def drawn_in_good_time(
    interaction: Interaction,
    owner_id: int,
    draw: Named[P, T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """The same; Discord is asked to wait where others do, or a process has to be started."""
    drawing = drawn(interaction, owner_id, draw, *args, **kwargs)
    is_soon = services_of(interaction).pool.draws_at_once
    return await in_good_time(interaction, drawing, is_soon=is_soon)
