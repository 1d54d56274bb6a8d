"""`/equation`: a player sets an equation, and everybody in the channel has six guesses at it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import discord
from discord import app_commands
from discord.ext import tasks

from bot.equations import words
from bot.equations.game import EquationPost
from bot.equations.model import (
    ChannelFullError,
    EquationRefusedError,
    ExampleError,
    OneEquationError,
    TodaysAnswerError,
)
from bot.equations.words import HELP_TOPIC
from bot.focdle.model import EXAMPLES
from bot.focdle.words import most_typed
from bot.games.model import Channel
from bot.home.game import Secret, Verified
from bot.home.words import VERIFY_BUTTON
from bot.people.game import Cost
from bot.posts.cards import BETWEEN_EDITS, CardRow
from bot.refusals import refusal
from bot.services import Services
from bot.text import labels
from bot.text.language import say
from bot.text.tiles import Mood
from cogs.focdle.page import draw_board
from cogs.focdle.sharing import group_picture
from cogs.ui.deliveries import edit_post, was_refused
from cogs.ui.help import add_button, help_button
from cogs.ui.host import Host
from cogs.ui.languages import for_server
from cogs.ui.members import here, require_present, usable_channel
from cogs.ui.pages import Page, button, gap, notice, page, picture, row, with_face
from cogs.ui.replies import Form, Interaction, field, show, whisper
from cogs.ui.routes import TYPED, By, Route, pressed, submitted
from cogs.ui.schedule import TimedCog
from cogs.ui.shares import verified_page
from cogs.ui.voices import voice_here
from engine.focdle import DEFAULT_LENGTH, LONGEST

SET: Final = Route("eq:set")
RETRY: Final = Route("eq:retry:{invited?:int}")
FORM: Final = Route("eq:form:{invited?:int}")
PLAY: Final = Route("eq:play:{equation:int}")
MORE: Final = Route("eq:more:{equation:int}")
CLOSE: Final = Route("eq:close:{equation:int}")
VERIFY: Final = Route("eq:verify:{equation:int}")

_FIELD: Final = "equation"
_NOBODY: Final = discord.AllowedMentions.none()
_BLUE: Final = discord.ButtonStyle.primary


async def ask_for_equation(interaction: Interaction, invited: int | None = None) -> None:
    """Open the form for an equation. If `invited` is given, its post is to ping that member.

    Raises:
        Refused: no equation can be set here now.
    """
    place = Channel(*usable_channel(interaction))
    voice_here(interaction, words.SET_IN)  # refuses those who may not
    if invited is not None:
        await require_present(interaction, invited)
    services, setter = interaction.client.services, interaction.user.id
    try:
        await services.equations.prepare(setter, place, invited)
    except (OneEquationError, ChannelFullError):  # by some whose posts may have been deleted
        for equation in await services.equations.open_in(place):
            await update_post(interaction.client, services, equation.puzzle_id)
        await services.equations.prepare(setter, place, invited)
    typed = field(
        _FIELD,
        say(words.FORM_LABEL),
        words.form_description(),
        placeholder=EXAMPLES[DEFAULT_LENGTH],
        most=most_typed(LONGEST),
    )
    form = Form(FORM(invited=invited), say(words.FORM_TITLE), say(words.FORM_TEXT), typed)
    await form.present(interaction)


@pressed(SET, by=By.ANYBODY)
async def set_one(interaction: Interaction) -> None:
    """Open the form for an equation from a closed one's post, or from `/play`."""
    await ask_for_equation(interaction)


@pressed(RETRY, by=By.ANYBODY)
async def enter_again(interaction: Interaction, invited: int | None = None) -> None:
    await ask_for_equation(interaction, invited)


@submitted(FORM, fields={_FIELD: TYPED}, by=By.ANYBODY, again=RETRY)
async def set_equation(
    interaction: Interaction, values: Mapping[str, str], invited: int | None = None
) -> None:
    """Set the typed equation and post it, or say why it is refused."""
    place = Channel(*usable_channel(interaction))
    voice = voice_here(interaction, words.SET_IN)
    equations = interaction.client.services.equations
    try:
        post = await equations.set(interaction.user.id, place, values[_FIELD], invited)
    except (EquationRefusedError, ExampleError, TodaysAnswerError) as error:
        again = button(RETRY(invited=invited), say(words.AGAIN_BUTTON), _BLUE)
        await whisper(interaction, notice(refusal(error) or "", [again]))
        return
    drawn = await for_server(interaction.client, place.guild_id, post_page, post)
    try:
        message_id = await voice.say(drawn, calls=invited or 0)
    except Exception as error:
        if was_refused(error):
            await equations.take_back(post)
        raise
    await equations.posted(post, message_id)


def post_page(post: EquationPost, drawn: discord.File | None = None) -> Page:
    """Build an equation's post. The finished boards are in the picture `drawn`, or else in text."""
    puzzle_id = post.equation.puzzle_id
    more = button(MORE(equation=puzzle_id), say(labels.MORE_BUTTON))
    if post.is_open:
        mood, first = Mood.PLAYING, button(PLAY(equation=puzzle_id), say(words.PLAY_BUTTON), _BLUE)
    else:
        mood, first = Mood.CALM, button(SET(), say(words.SET_BUTTON))
    named = replace(post, rows=_named(post))
    return page(
        with_face(words.title(named), post.face),
        words.call(post),
        picture(drawn) if drawn is not None else words.result_lines(named),
        words.rest(post),
        words.status(post),
        gap(),
        row(first, more),
        mood=mood,
        files=[] if drawn is None else [drawn],
    )


def _named(post: EquationPost) -> tuple[CardRow, ...]:
    """Return a post's results; the players whom it may not name are all called “Somebody”."""
    somebody = say(words.SOMEBODY)
    return tuple(each if each.player_id else replace(each, name=somebody) for each in post.rows)


@pressed(PLAY, by=By.ONLOOKERS, cost=Cost.HEAVY)
async def play(interaction: Interaction, equation: int) -> None:
    """Show the presser's own board in a new private message."""
    equations, player = interaction.client.services.equations, interaction.user.id
    found = await equations.play(player, equation, here(interaction))
    await whisper(interaction, await draw_board(interaction, found))


@pressed(MORE, by=By.ONLOOKERS)
async def show_more(interaction: Interaction, equation: int) -> None:
    """Show what is behind *More*; the setter and managers can close an open equation there."""
    found = await interaction.client.services.equations.look(equation, here(interaction))
    may_close = interaction.user.id == found.setter_id or interaction.permissions.manage_guild
    buttons = [
        help_button(HELP_TOPIC),
        button(VERIFY(equation=equation), say(VERIFY_BUTTON)),
    ]
    if may_close and found.is_open(interaction.created_at):
        close = button(
            CLOSE(equation=equation), say(words.CLOSE_BUTTON), discord.ButtonStyle.danger
        )
        buttons.append(close)
    buttons.extend(add_button(interaction.client))
    await whisper(interaction, notice(words.more_title(found), buttons))


@pressed(CLOSE, by=By.ONLOOKERS)
async def close(interaction: Interaction, equation: int) -> None:
    """Close an equation, for its setter or a manager, and let its post show it."""
    services, client = interaction.client.services, interaction.client
    is_manager = interaction.permissions.manage_guild
    await services.equations.close(
        interaction.user.id, equation, here(interaction), is_manager=is_manager
    )
    await show(interaction, notice(say(words.CLOSED)))
    await update_post(client, services, equation)


@pressed(VERIFY, by=By.ONLOOKERS)
async def verify(interaction: Interaction, equation: int) -> None:
    """Show an equation's commitment and, once it has closed, how to check it."""
    found = await interaction.client.services.equations.look(equation, here(interaction))
    secret = Secret(found.commitment(interaction.created_at))
    await whisper(interaction, verified_page(Verified((secret,), found.opened_at)))


async def update_post(client: Host, services: Services, puzzle_id: int) -> None:
    """Update an equation's post, if that is due and no other process does it."""
    post = await services.equations.claim(puzzle_id)
    if post is None:
        return

    async def bring(at: discord.PartialMessage | None) -> int | None:
        if at is None:
            return None
        guild_id, is_over = post.equation.guild_id, not post.is_open
        rows = await for_server(client, guild_id, _named, post)
        found = await group_picture(client, at.channel.id, rows, waits=True, is_over=is_over)
        drawn = await for_server(client, guild_id, post_page, post, found.file)
        await at.edit(view=drawn, attachments=drawn.files, allowed_mentions=_NOBODY)
        return at.id

    what, custom_id = f"post of equation {puzzle_id}", MORE(equation=puzzle_id)
    await edit_post(what, client, services.equations, post, post.equation, custom_id, bring)


class EquationsCog(TimedCog):
    """The command `/equation`, and timed work on the posts of set equations."""

    waits = True

    @app_commands.command(name="equation", description=words.EQUATION)
    @app_commands.describe(member=words.EQUATION_MEMBER)
    @app_commands.allowed_installs(guilds=True)
    @app_commands.allowed_contexts(guilds=True)
    async def equation(
        self, interaction: Interaction, member: discord.Member | discord.User | None = None
    ) -> None:
        is_asked = member is not None and not member.bot and member.id != interaction.user.id
        await ask_for_equation(interaction, member.id if member and is_asked else None)

    @tasks.loop(seconds=BETWEEN_EDITS.total_seconds())
    async def publish(self) -> None:
        """Update outdated posts of equations."""
        if self._hearing.heard:
            await self._deliver(
                "post of equation", self._services.equations.outdated(), update_post
            )
