"""Buttons and forms of a running duel."""

from collections.abc import Coroutine, Mapping
from typing import Any, Final

import discord
from discord import ui

from bot.duels import words
from bot.duels.board_words import guess_reminder
from bot.duels.model import (
    DuelRefusedError,
    DuelStateError,
    DuelView,
    Event,
    NotYourDuelError,
    NowhereToPostError,
    NumberRefusedError,
    State,
)
from bot.duels.moves import Notebook
from bot.games.model import Channel, GameName, Source
from bot.people.game import Cost
from bot.posts.model import ChannelUnusableError
from bot.refusals import refusal
from bot.refused import AtStakeError, NoServerError, Refused
from bot.text import labels
from bot.text.language import say
from cogs.duels.messages import post_board, publish_if_changed, repaint
from cogs.duels.pages import (
    ACCEPT_DRAW,
    ASK_TO_CALL_OFF,
    ASK_TO_RESIGN,
    CALL_OFF,
    DECLINE_DRAW,
    DRAW,
    GUESS,
    KEEP,
    KEYPAD,
    NUMBER,
    NUMBER_FIELDS,
    OFFER_DRAW,
    PAGE,
    POST,
    RESIGN,
    SECRET,
    STAY,
    board_url,
    duel_button,
    edit_button,
    notebook_for,
    number_field,
    number_form,
)
from cogs.ui.members import here, usable_channel
from cogs.ui.pages import button, notice
from cogs.ui.replies import Form, Interaction, in_good_time, open_on_page, show, whisper
from cogs.ui.routes import By, Route, pressed, submitted
from cogs.ui.voices import unless_refused, voice_here, voice_in

SEND: Final = Route("du:send:{duel:int}:{draft}")
GUESS_FORM: Final = Route("du:form:guess:{duel:int}")
SECRET_FORM: Final = Route("du:form:secret:{duel:int}")


def is_public(interaction: Interaction) -> bool:
    """True if a public message was clicked."""
    return interaction.message is not None and not interaction.message.flags.ephemeral


async def open_page(
    interaction: Interaction, duel_id: int, refused: Exception | None = None
) -> DuelView:
    """Show the player's notebook of a duel, as it is now; return the duel."""
    games = interaction.client.services.duels.games
    notebook = await in_good_time(interaction, games.notebook(interaction.user.id, duel_id))
    await show(interaction, notebook_for(interaction, notebook, refused))
    return notebook.view


async def show_page(
    interaction: Interaction, view: DuelView, refused: Exception | None = None, note: str = ""
) -> None:
    games = interaction.client.services.duels.games
    notebook = await in_good_time(interaction, games.notebook_of(interaction.user.id, view))
    await show(interaction, notebook_for(interaction, notebook, refused, note))


async def show_changed(interaction: Interaction, view: DuelView) -> None:
    """Show a changed duel where it was clicked, and on its board."""
    if is_public(interaction):
        if not await repaint(interaction, view):
            await open_page(interaction, view.duel.id)
        return
    await show_page(interaction, view)
    boards = interaction.client.services.duels.boards
    await publish_if_changed(interaction.client, boards, view)


async def play(interaction: Interaction, move: Coroutine[Any, Any, DuelView]) -> None:
    """Show the duel that a move returns, or why its state refuses the move."""
    try:
        view = await in_good_time(interaction, move)
    except DuelStateError as error:
        await show_refusal(interaction, error)
    else:
        await show_changed(interaction, view)


async def show_refusal(interaction: Interaction, error: DuelStateError) -> None:
    """Show a refusal, in the notebook or privately; update the board of a finished duel."""
    view, boards = error.view, interaction.client.services.duels.boards
    if not is_public(interaction):
        if view.duel.is_against_bot:  # the bot may owe a guess
            await open_page(interaction, view.duel.id, error)
        else:
            await show_page(interaction, view, error)
        await publish_if_changed(interaction.client, boards, view)
        return
    if view.duel.state is State.OVER and not view.duel.is_shown:
        await repaint(interaction, view)
    buttons: list[ui.Button[Any]] = []
    if isinstance(error, DuelRefusedError) and view.duel.state is State.PLAYING:
        buttons = edit_button(error)
    await whisper(interaction, notice(refusal(error) or "", buttons))


@pressed(OFFER_DRAW, by=By.PLAYERS)
async def offer_draw(interaction: Interaction, duel: int) -> None:
    playing = interaction.client.services.duels.playing
    await play(interaction, playing.offer_draw(interaction.user.id, duel))


@pressed(ACCEPT_DRAW, by=By.PLAYERS, cost=Cost.FREE)
async def accept_draw(interaction: Interaction, duel: int) -> None:
    playing = interaction.client.services.duels.playing
    await play(interaction, playing.accept_draw(interaction.user.id, duel))


@pressed(DECLINE_DRAW, by=By.PLAYERS, cost=Cost.FREE)
async def decline_draw(interaction: Interaction, duel: int) -> None:
    """Decline a draw, or take back one's own offer."""
    playing = interaction.client.services.duels.playing
    await play(interaction, playing.decline_draw(interaction.user.id, duel))


@pressed(PAGE, by=By.PLAYERS, cost=Cost.HEAVY)
async def show_own_page(interaction: Interaction, duel: int) -> None:
    """Show the presser's notebook; if the duel turns out to be over, update its board."""
    view = await open_page(interaction, duel)
    boards = interaction.client.services.duels.boards
    if view.duel.state is State.OVER:
        await publish_if_changed(interaction.client, boards, view)


@pressed(KEYPAD, by=By.ONLOOKERS)
async def give_link_to_page(interaction: Interaction, duel: int) -> None:
    """Open a duel on the web page: its players play it there, others in its channel watch."""
    view = await interaction.client.services.duels.playing.view(interaction.user.id, duel)
    seat, place = view.duel.seat_of(interaction.user.id), here(interaction)
    if seat is None and Channel.of(view.duel.guild_id, view.duel.channel_id) != place:
        raise NotYourDuelError(player_ids=view.duel.player_ids, guild_id=view.duel.guild_id)
    await open_on_page(interaction, GameName(Source.DUEL, duel))


@pressed(SECRET, by=By.PLAYERS)
async def ask_for_secret(interaction: Interaction, duel: int) -> None:
    """Open the number form; if the bot may not guess at the player's number, offer a drawn one."""
    playing = interaction.client.services.duels.playing
    try:
        view = await playing.prepare(interaction.user.id, duel, Event.SET_SECRET)
    except DuelStateError as error:
        await show_refusal(interaction, error)
    except AtStakeError as error:
        await _offer_drawn(interaction, error, duel)
    else:
        form = number_form(SECRET_FORM(duel=duel), view.duel.rules, say(words.BOT_FINDS))
        await form.present(interaction)


@pressed(GUESS, by=By.PLAYERS)
async def ask_for_guess(interaction: Interaction, duel: int, draft: str = "") -> None:
    """Open the guess form, with `draft` in it, if the player may guess now."""
    duels, player = interaction.client.services.duels, interaction.user.id
    try:
        view = await duels.playing.prepare(player, duel, Event.GUESS)
    except DuelStateError as error:
        await show_refusal(interaction, error)
    else:
        await guess_form(await duels.games.notebook_of(player, view), draft).present(interaction)


def guess_form(notebook: Notebook, draft: str = "") -> Form:
    duel = notebook.view.duel
    title = words.guess_form_title(duel, len(notebook.turns))
    number = number_field(duel.rules, draft)
    return Form(GUESS_FORM(duel=duel.id), title, guess_reminder(notebook), number)


@pressed(SEND, by=By.PLAYERS, cost=Cost.FREE, is_kept=True)
async def repeat_guess(interaction: Interaction, duel: int, draft: str) -> None:
    """Repeat a guess that failed for lack of time; if it was made after all, it costs nothing."""
    playing = interaction.client.services.duels.playing
    await play(interaction, playing.guess(interaction.user.id, duel, draft))


@submitted(GUESS_FORM, fields=NUMBER_FIELDS, by=By.PLAYERS, cost=Cost.FREE, again=SEND)
async def guess(interaction: Interaction, values: Mapping[str, str], duel: int) -> None:
    playing = interaction.client.services.duels.playing
    await play(interaction, playing.guess(interaction.user.id, duel, values[NUMBER]))


@submitted(SECRET_FORM, fields=NUMBER_FIELDS, by=By.PLAYERS, cost=Cost.FREE, again=SECRET)
async def set_secret(interaction: Interaction, values: Mapping[str, str], duel: int) -> None:
    playing = interaction.client.services.duels.playing
    try:
        await play(interaction, playing.set_secret(interaction.user.id, duel, values[NUMBER]))
    except NumberRefusedError as error:
        again = button(SECRET(duel=duel), say(words.RETRY_BUTTON), discord.ButtonStyle.primary)
        page = button(PAGE(duel=duel), say(words.DUEL_BUTTONS["page"]))
        await show(interaction, notice(refusal(error) or "", [again, page]))
    except AtStakeError as error:
        await _offer_drawn(interaction, error, duel)


async def _offer_drawn(interaction: Interaction, error: AtStakeError, duel: int) -> None:
    draw = button(DRAW(duel=duel), say(words.DRAW_BUTTON), discord.ButtonStyle.primary)
    await whisper(interaction, notice(refusal(error) or "", [draw]))


@pressed(DRAW, by=By.PLAYERS)
async def draw_secret(interaction: Interaction, duel: int) -> None:
    playing = interaction.client.services.duels.playing
    await play(interaction, playing.draw_secret(interaction.user.id, duel))


@pressed(POST, by=By.PLAYERS)
async def post_again(interaction: Interaction, duel: int) -> None:
    """Post a running duel's board again, in its channel or else here."""
    duels = interaction.client.services.duels
    notebook = await duels.games.notebook(interaction.user.id, duel)
    view, old = notebook.view, notebook.view.duel
    if old.state is State.OVER:
        await show_changed(interaction, view)
        return
    try:
        with unless_refused(NowhereToPostError(view=view)):
            voice = await voice_in(interaction, labels.PLAY_IN, old.guild_id, old.channel_id)
            view = await post_board(interaction, voice, view, old.channel_id)
    except (NoServerError, NowhereToPostError):
        view = await _post_here(interaction, view)
    await show_page(interaction, view, note=say(words.POSTED, url=board_url(view.duel) or ""))
    await publish_if_changed(interaction.client, duels.boards, view)


async def _post_here(interaction: Interaction, view: DuelView) -> DuelView:
    try:
        guild_id, channel_id = usable_channel(interaction)
    except Refused as error:
        if isinstance(error, ChannelUnusableError):
            raise
        raise NowhereToPostError(view=view) from error
    if guild_id != view.duel.guild_id:
        raise NowhereToPostError(view=view)
    voice = voice_here(interaction, labels.PLAY_IN)
    return await post_board(interaction, voice, view, channel_id)


@pressed(ASK_TO_RESIGN, by=By.PLAYERS)
async def ask_whether_to_stop(interaction: Interaction, duel: int) -> None:
    """Ask whether to call the duel off or, when that is not possible any more, to resign."""
    playing = interaction.client.services.duels.playing
    await _ask(interaction, playing.prepare_to_stop(interaction.user.id, duel))


@pressed(ASK_TO_CALL_OFF, by=By.PLAYERS)
async def ask_whether_to_call_off(interaction: Interaction, duel: int) -> None:
    playing = interaction.client.services.duels.playing
    await _ask(interaction, playing.prepare(interaction.user.id, duel, Event.CALL_OFF))


async def _ask(interaction: Interaction, preparing: Coroutine[Any, Any, DuelView]) -> None:
    try:
        view = await preparing
    except DuelStateError as error:
        await show_refusal(interaction, error)
        return
    # Separate buttons, so that an answer never means something else after another move.
    act = CALL_OFF if view.duel.can_be_called_off else RESIGN
    # Beside the board, the question goes and leaves no second one.
    keep = STAY if is_public(interaction) else KEEP
    answers = [duel_button(act, view.duel), duel_button(keep, view.duel)]
    await show(interaction, notice(words.stop_question(view.duel), answers))


@pressed(CALL_OFF, by=By.PLAYERS)
async def call_off(interaction: Interaction, duel: int) -> None:
    playing = interaction.client.services.duels.playing
    await play(interaction, playing.call_off(interaction.user.id, duel))


@pressed(RESIGN, by=By.PLAYERS)
async def resign(interaction: Interaction, duel: int) -> None:
    playing = interaction.client.services.duels.playing
    await play(interaction, playing.resign(interaction.user.id, duel))


@pressed(STAY, by=By.ANYBODY)
async def stay(interaction: Interaction, duel: int) -> None:  # noqa: ARG001 - the route names it
    """Close the question whether to stop, which stood beside the board; the duel goes on."""
    await show(interaction, notice(say(words.STAYED)))


@pressed(KEEP, by=By.PLAYERS)
async def keep_playing(interaction: Interaction, duel: int) -> None:
    """Show the notebook again, in place of the question whether to stop."""
    await open_page(interaction, duel)


SHOW_FINISHED: Final = Route("games:look:duel:{game:int}")


@pressed(SHOW_FINISHED, by=By.PLAYERS, cost=Cost.HEAVY)
async def show_finished(interaction: Interaction, game: int) -> None:
    """Show a finished game in a new message; the list of games stays, to open another."""
    duels = interaction.client.services.duels.games
    notebook = await in_good_time(interaction, duels.notebook(interaction.user.id, game))
    await whisper(interaction, notebook_for(interaction, notebook))
