"""`/duel`: challenges, their answers, rematches."""

from collections.abc import Coroutine, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.duels import words
from bot.duels.board_words import stake_line
from bot.duels.challenges import Challenge
from bot.duels.model import (
    AlreadyUnderWayError,
    DuelOverError,
    DuelStateError,
    DuelView,
    NewNumberError,
    NowhereToPostError,
    NumberRefusedError,
    OpenSeekError,
    OwnSeekError,
    TermsChangedError,
)
from bot.duels.position import DIGITS, DuelOptions
from bot.games.model import Channel
from bot.home.words import declined
from bot.people.game import Cost
from bot.refusals import refusal
from bot.refused import Refused
from bot.text import labels
from bot.text.language import say
from cogs.duels import moves
from cogs.duels.messages import post_board, publish_if_changed, repaint, update_seek
from cogs.duels.moves import is_public, show_changed, show_page, show_refusal
from cogs.duels.pages import (
    ACCEPT,
    BOT_CHANGE_FORM,
    BOT_FIELDS,
    CHANGE,
    CHANGE_FORM,
    CLOSE,
    DECLINE,
    FIELDS,
    NUMBER,
    NUMBER_FIELDS,
    OPTIONS,
    REMATCH,
    STRONGER,
    TAKE,
    WITHDRAW,
    accept_buttons,
    board_url,
    change_form,
    chosen_for_bot,
    chosen_for_member,
    close_button,
    duel_button,
    notebook_for,
    number_field,
    number_form,
    rated_tick,
    seek_page,
)
from cogs.ui.deliveries import Refusal, delivered, was_refused
from cogs.ui.languages import for_server
from cogs.ui.members import here, note_member, require_present, usable_channel
from cogs.ui.pages import Page, button, notice, page, row, spaced
from cogs.ui.replies import Form, Interaction, in_good_time, show, whisper
from cogs.ui.routes import TICK, By, Route, pressed, submitted
from cogs.ui.shares import offer_no_more
from cogs.ui.voices import Voice, unless_refused, voice_here, voice_in

DARE: Final = Route("du:dare:{opponent:int}:{options}", options=OPTIONS)
DARE_FORM: Final = Route("du:form:dare:{opponent:int}:{options}", options=OPTIONS)
ANEW: Final = Route("du:anew:{duel:int}:{options}", options=OPTIONS)
ACCEPT_FORM: Final = Route("du:form:accept:{duel:int}:{terms:int}")
BOT: Final = Route("du:bot:{options}", options=OPTIONS)
SEEK: Final = Route("du:seek:{options}", options=OPTIONS)
SEEK_FORM: Final = Route("du:form:seek:{options}", options=OPTIONS)
TAKE_FORM: Final = Route("du:form:take:{seek:int}")
ANEW_FORM: Final = Route("du:form:anew:{duel:int}:{options}", options=OPTIONS)

T = TypeVar("T")

_BLUE: Final = discord.ButtonStyle.primary
_GREEN: Final = discord.ButtonStyle.success


async def start_duel(
    interaction: Interaction,
    opponent: discord.Member | discord.User | None,
    digits: int | None = None,
) -> None:
    """Against a member, ask for the player's number; against the bot, begin the duel at once.

    Without an opponent, where the bot may post, the player chooses between it and whoever is here.
    """
    me, options = interaction.client.user, DuelOptions() if digits is None else DuelOptions(digits)
    if opponent is None and may_post(interaction):
        await whisper(interaction, _opponents_page(options))
    elif opponent is None or (me is not None and opponent.id == me.id):
        await play_bot(interaction, options)
    else:
        await ask_for_number(interaction, opponent.id, digits, to_other_bot=opponent.bot)


def may_post(interaction: Interaction) -> bool:
    """True if the bot can post in this channel: whoever is here can be asked."""
    try:
        usable_channel(interaction)
    except Refused:
        return False
    return True


def _opponents_page(options: DuelOptions) -> Page:
    bot = button(BOT(options=options), say(words.BOT_BUTTON))
    return page(*spaced(words.who_plays(options.rules())), row(anybody_button(options), bot))


def anybody_button(options: DuelOptions) -> ui.Button[Any]:
    return button(SEEK(options=options), say(words.ANYBODY_BUTTON), _BLUE)


@pressed(BOT, by=By.ANYBODY)
async def choose_bot(interaction: Interaction, options: DuelOptions) -> None:
    await play_bot(interaction, options)


async def play_bot(interaction: Interaction, options: DuelOptions) -> None:
    inviting = interaction.client.services.duels.inviting
    challenge = Challenge(interaction.user.id, None)
    view = await in_good_time(interaction, inviting.challenge(challenge, options))
    await show_page(interaction, view)


async def ask_for_number(
    interaction: Interaction,
    opponent_id: int,
    digits: int | None = None,
    *,
    to_other_bot: bool = False,
) -> None:
    _, _, options = await _prepare(interaction, opponent_id, digits, to_other_bot=to_other_bot)
    await _present(interaction, opponent_id, options)


async def _present(interaction: Interaction, opponent_id: int, options: DuelOptions) -> None:
    custom_id, rules = DARE_FORM(opponent=opponent_id, options=options), options.rules()
    text = say(words.OPPONENT_FINDS)
    await number_form(custom_id, rules, text).present(interaction)


async def _prepare(
    interaction: Interaction,
    opponent_id: int,
    digits: int | None = None,
    *,
    to_other_bot: bool = False,
) -> tuple[Voice, Challenge, DuelOptions]:
    """Check that a member can be challenged here.

    Return the permission to post, the challenge, and the options to propose.
    """
    guild_id, channel_id = usable_channel(interaction)
    voice = voice_here(interaction, labels.CHALLENGE_IN)
    challenge = Challenge(
        interaction.user.id, opponent_id, guild_id, channel_id, to_other_bot=to_other_bot
    )
    options = await interaction.client.services.duels.inviting.prepare(challenge, digits)
    await require_present(interaction, opponent_id)
    return voice, challenge, options


@pressed(DARE, by=By.ANYBODY)
async def enter_number(interaction: Interaction, opponent: int, options: DuelOptions) -> None:
    await _prepare(interaction, opponent)
    await _present(interaction, opponent, options)


@submitted(DARE_FORM, fields=NUMBER_FIELDS, by=By.ANYBODY, again=DARE)
async def challenge_with_number(
    interaction: Interaction, values: Mapping[str, str], opponent: int, options: DuelOptions
) -> None:
    voice, challenge, _ = await _prepare(interaction, opponent)
    inviting = interaction.client.services.duels.inviting
    try:
        view = await inviting.challenge(challenge, options, values[NUMBER])
    except NumberRefusedError as error:
        again = button(DARE(opponent=opponent, options=options), say(words.RETRY_BUTTON), _BLUE)
        await whisper(interaction, notice(refusal(error) or "", [again]))
        return
    await announce(interaction, voice, view)


async def announce(
    interaction: Interaction, voice: Voice, view: DuelView, channel_id: int | None = None
) -> DuelView:
    """Post a challenge where `voice` says, or delete it if Discord refuses it."""
    try:
        called = view.duel.opponent_id or 0
        return await post_board(interaction, voice, view, channel_id, calls=called)
    except Exception as error:
        if was_refused(error):
            await interaction.client.services.duels.inviting.take_back(view.duel.id)
        raise


def _secret_label() -> str:
    return say(words.DUEL_BUTTONS["secret"])


@pressed(CHANGE, by=By.PLAYERS)
async def ask_for_terms(interaction: Interaction, duel: int) -> None:
    """Open the form of a duel's options, if they may still be changed."""
    inviting = interaction.client.services.duels.inviting
    try:
        view = await inviting.prepare_change(interaction.user.id, duel)
    except DuelStateError as error:
        await show_refusal(interaction, error)
        return
    await change_form(view.duel).present(interaction)


@submitted(CHANGE_FORM, fields=FIELDS, by=By.PLAYERS)
async def change(interaction: Interaction, values: Mapping[str, Any], duel: int) -> None:
    """Change a challenge's options; a number that no longer fits has to be set anew."""
    await _change(interaction, duel, chosen_for_member(values))


@submitted(BOT_CHANGE_FORM, fields=BOT_FIELDS, by=By.PLAYERS)
async def change_bot(interaction: Interaction, values: Mapping[str, Any], duel: int) -> None:
    await _change(interaction, duel, chosen_for_bot(values))


@pressed(ANEW, by=By.PLAYERS)
async def ask_for_new_number(interaction: Interaction, duel: int, options: DuelOptions) -> None:
    """Open the form for a number that fits the new options."""
    inviting = interaction.client.services.duels.inviting
    try:
        await inviting.prepare_change(interaction.user.id, duel)
    except DuelStateError as error:
        await show_refusal(interaction, error)
        return
    custom_id = ANEW_FORM(duel=duel, options=options)
    await number_form(custom_id, options.rules(), say(words.OPPONENT_FINDS)).present(interaction)


@submitted(ANEW_FORM, fields=NUMBER_FIELDS, by=By.PLAYERS, again=ANEW)
async def change_with_number(
    interaction: Interaction, values: Mapping[str, str], duel: int, options: DuelOptions
) -> None:
    await _change(interaction, duel, options, values[NUMBER])


async def _change(
    interaction: Interaction, duel: int, options: DuelOptions, text: str | None = None
) -> None:
    inviting = interaction.client.services.duels.inviting
    try:
        view = await inviting.change(interaction.user.id, duel, options, text)
    except (NewNumberError, NumberRefusedError) as error:
        label = say(words.RETRY_BUTTON) if text else _secret_label()
        number = button(ANEW(duel=duel, options=options), label, _BLUE)
        await whisper(interaction, notice(refusal(error) or "", [number]))
    except DuelStateError as error:
        await show_refusal(interaction, error)
    else:
        await show_changed(interaction, view)


@pressed(ACCEPT, by=By.PLAYERS, cost=Cost.FREE)
async def ask_for_number_to_accept(interaction: Interaction, duel: int, terms: int) -> None:
    """Ask for the number with which a challenge is accepted on the terms that the player saw."""
    inviting = interaction.client.services.duels.inviting
    preparing = inviting.prepare_accept(interaction.user.id, duel, terms)
    rules = await _agreed(interaction, preparing)
    if rules is not None:
        custom_id, text = ACCEPT_FORM(duel=duel, terms=terms), say(words.OPPONENT_FINDS)
        await number_form(custom_id, rules, text).present(interaction)


@submitted(ACCEPT_FORM, fields=NUMBER_FIELDS, by=By.PLAYERS, cost=Cost.FREE, again=ACCEPT)
async def accept(
    interaction: Interaction, values: Mapping[str, str], duel: int, terms: int
) -> None:
    """Accept a challenge with the typed number: the duel begins."""
    inviting = interaction.client.services.duels.inviting
    accepting = inviting.accept(interaction.user.id, duel, terms, values[NUMBER])
    try:
        view = await _agreed(interaction, accepting)
    except NumberRefusedError as error:
        again = button(ACCEPT(duel=duel, terms=terms), say(words.RETRY_BUTTON), _BLUE)
        await whisper(interaction, notice(refusal(error) or "", [again]))
        return
    if view is not None:
        await _show_begun(interaction, view)


async def _show_begun(interaction: Interaction, view: DuelView) -> None:
    """Show a duel that the player has begun by a number, and what that is."""
    duels, url = interaction.client.services.duels, board_url(view.duel)
    if url is None:
        await show_changed(interaction, view)
        return
    notebook = await duels.games.notebook_of(interaction.user.id, view)
    told = notice(words.accepted(notebook, url))
    if is_public(interaction):
        await repaint(interaction, view)
        await whisper(interaction, told)
        return
    await show(interaction, told)
    await publish_if_changed(interaction.client, duels.boards, view)


async def _agreed(interaction: Interaction, accepting: Coroutine[Any, Any, T]) -> T | None:
    """Await an acceptance; if the terms have changed, show those that hold now and return None."""
    try:
        return await _answer(interaction, accepting)
    except TermsChangedError as error:
        await whisper(interaction, notice(refusal(error) or "", accept_buttons(error.view)))
        boards = interaction.client.services.duels.boards
        await publish_if_changed(interaction.client, boards, error.view)
        return None


@pressed(DECLINE, by=By.PLAYERS)
async def decline(interaction: Interaction, duel: int) -> None:
    """Decline a challenge. Offer to block its challenger, even if the challenge is over already."""
    inviting = interaction.client.services.duels.inviting
    try:
        view = await _answer(interaction, inviting.decline(interaction.user.id, duel))
    except DuelOverError as error:
        view, told = error.view, refusal(error) or ""
    else:
        told = declined(view.duel.challenger_id)
        await show_changed(interaction, view)
    await offer_no_more(interaction, told, view.duel.challenger_id)


@pressed(WITHDRAW, by=By.PLAYERS)
async def withdraw(interaction: Interaction, duel: int) -> None:
    inviting = interaction.client.services.duels.inviting
    view = await _answer(interaction, inviting.withdraw(interaction.user.id, duel))
    await show_changed(interaction, view)


async def _answer(interaction: Interaction, answer: Coroutine[Any, Any, T]) -> T:
    """Await an answer to a challenge; if it came too late, update the board.

    Raises:
        DuelOverError, AlreadyUnderWayError: the answer came too late.
    """
    try:
        return await answer
    except (DuelOverError, AlreadyUnderWayError) as error:
        await show_changed(interaction, error.view)
        raise


REMATCH_FORM: Final = Route("du:form:rematch:{duel:int}")


@pressed(REMATCH, by=By.PLAYERS)
async def ask_for_rematch(interaction: Interaction, duel: int) -> None:
    """After a duel with the bot, begin another at once.

    After one between members, show the rematch that is open, or the form for the player's number.
    """
    duels, player = interaction.client.services.duels, interaction.user.id
    before = await duels.playing.view(player, duel)
    if before.duel.is_against_bot:
        await _play_the_bot_again(interaction, duels.inviting.rematch(player, duel))
        return
    asked = await duels.inviting.prepare_rematch(player, duel)
    if asked is not None:
        await _show_asked(interaction, before, asked)
        return
    await _voice_for_rematch(interaction, before)
    custom_id, rules = REMATCH_FORM(duel=duel), before.duel.rules
    await number_form(custom_id, rules, say(words.OPPONENT_FINDS)).present(interaction)


@submitted(REMATCH_FORM, fields=NUMBER_FIELDS, by=By.PLAYERS, again=REMATCH)
async def challenge_again(interaction: Interaction, values: Mapping[str, str], duel: int) -> None:
    """Challenge the same member again with the typed number, or show the open rematch."""
    duels, player = interaction.client.services.duels, interaction.user.id
    before = await duels.playing.view(player, duel)
    asked = await duels.inviting.prepare_rematch(player, duel)
    if asked is None:
        await _voice_for_rematch(interaction, before)
        try:
            asked = await duels.inviting.rematch(player, duel, values[NUMBER])
        except NumberRefusedError as error:
            again = duel_button(REMATCH, before.duel, say(words.RETRY_BUTTON))
            await whisper(interaction, notice(refusal(error) or "", [again]))
            return
    await _show_asked(interaction, before, asked)


async def _show_asked(interaction: Interaction, before: DuelView, asked: DuelView) -> None:
    """Show the open rematch to one of its players.

    A challenged player can accept it. A challenger's is posted, if that has not been done. In all
    other cases a link leads to it.
    """
    inviting, player = interaction.client.services.duels.inviting, interaction.user.id
    if asked.duel.opponent_id == player and (buttons := accept_buttons(asked)):
        await whisper(interaction, notice(words.terms(asked.duel), buttons))
        return
    if asked.duel.challenger_id == player and asked.duel.message_id is None:
        voice = await _voice_for_rematch(interaction, before)  # before the claim, which it may stop
        if await inviting.claim_posting(asked.duel.id):
            await _post_rematch(interaction, voice, asked)
            return
    await whisper(interaction, notice(words.rematch_asked(board_url(asked.duel))))


@pressed(STRONGER, by=By.PLAYERS)
async def try_the_stronger_bot(interaction: Interaction, duel: int) -> None:
    inviting, player = interaction.client.services.duels.inviting, interaction.user.id
    await _play_the_bot_again(interaction, inviting.rematch(player, duel, stronger=True))


async def _play_the_bot_again(
    interaction: Interaction, opened: Coroutine[Any, Any, DuelView]
) -> None:
    """Show a new duel with the bot in a message of its own, so that the finished one stays."""
    view = await in_good_time(interaction, opened)
    notebook = await interaction.client.services.duels.games.notebook_of(interaction.user.id, view)
    await whisper(interaction, notebook_for(interaction, notebook))


async def _voice_for_rematch(interaction: Interaction, before: DuelView) -> Voice:
    """Permission to post a rematch here or, from a private message, in the duel's channel.

    The opponent has to be a member there.
    """
    opponent_id = before.seats[1 - (before.duel.seat_of(interaction.user.id) or 0)].player_id or 0
    if not is_public(interaction):
        await require_present(interaction, opponent_id, before.duel.guild_id)
        guild_id, channel_id = before.duel.guild_id, before.duel.channel_id
        with unless_refused(NowhereToPostError(view=before)):
            return await voice_in(interaction, words.REMATCH_IN, guild_id, channel_id)
    usable_channel(interaction)
    await require_present(interaction, opponent_id, before.duel.guild_id)
    return voice_here(interaction, words.REMATCH_IN)


async def _post_rematch(interaction: Interaction, voice: Voice, view: DuelView) -> None:
    if is_public(interaction):
        await announce(interaction, voice, view)
    else:
        with unless_refused(NowhereToPostError(view=view)):
            posted = await announce(interaction, voice, view, view.duel.channel_id)
        await whisper(interaction, notice(words.rematch_posted(board_url(posted.duel))))


@pressed(SEEK, by=By.ANYBODY)
async def ask_for_anybody(interaction: Interaction, options: DuelOptions) -> None:
    """Ask for the number that whoever accepts is to find, and whether that may be rated.

    If the player's own card is open, or another one here, show how to withdraw or accept that.
    """
    place = Channel(*usable_channel(interaction))
    voice_here(interaction, words.ASK_IN)
    seeking = interaction.client.services.duels.seeking
    try:
        await seeking.prepare(interaction.user.id, place)
    except (OwnSeekError, OpenSeekError) as error:
        if not await _is_gone(interaction, error.seek_id):
            await _show_open(interaction, error)
            return
        await seeking.prepare(interaction.user.id, place)
    rules, rated = options.rules(), rated_tick(default=not options.friendly)
    text, custom_id = say(words.OPPONENT_FINDS), SEEK_FORM(options=options)
    title = say(words.SECRET_FORM_TITLE)
    await Form(custom_id, title, text, number_field(rules), rated).present(interaction)


async def _is_gone(interaction: Interaction, seek_id: int) -> bool:
    """True if a card is no longer in its channel, as when a moderator has deleted it."""
    seeking = interaction.client.services.duels.seeking
    seek = await seeking.find(seek_id)
    if seek.message_id is None:
        return False
    channel = interaction.client.get_partial_messageable(seek.channel_id, guild_id=seek.guild_id)
    looking = channel.fetch_message(seek.message_id)
    if await delivered(f"card of seek {seek_id}", looking) is not Refusal.GONE:
        return False
    await seeking.drop(seek)
    return True


async def _show_open(interaction: Interaction, error: OwnSeekError | OpenSeekError) -> None:
    act = close_button(error.seek_id)
    if isinstance(error, OpenSeekError):
        act = button(TAKE(seek=error.seek_id), say(words.TAKE_BUTTON), _GREEN)
    await whisper(interaction, notice(refusal(error) or "", [act]))


@submitted(SEEK_FORM, fields={**NUMBER_FIELDS, "rated": TICK}, by=By.ANYBODY, again=SEEK)
async def seek(interaction: Interaction, values: Mapping[str, Any], options: DuelOptions) -> None:
    """Post a card by which the player looks for an opponent, who is to find the typed number."""
    place = Channel(*usable_channel(interaction))
    voice, seeking = (
        voice_here(interaction, words.ASK_IN),
        interaction.client.services.duels.seeking,
    )
    options = replace(options, friendly=not values["rated"])
    await note_member(interaction)  # the card shows the player
    try:
        view = await seeking.seek(interaction.user.id, place, options, values[NUMBER])
    except (OwnSeekError, OpenSeekError) as error:
        await _show_open(interaction, error)
        return
    except NumberRefusedError as error:
        again = button(SEEK(options=options), say(words.RETRY_BUTTON), _BLUE)
        await whisper(interaction, notice(refusal(error) or "", [again]))
        return
    drawn = await for_server(interaction.client, place.guild_id, seek_page, view)
    try:
        message_id = await voice.say(drawn)
    except Exception as error:
        if was_refused(error):
            await seeking.drop(view.seek)
        raise
    await seeking.shown(view, message_id)


@pressed(TAKE, by=By.ONLOOKERS)
async def ask_for_number_to_take(interaction: Interaction, seek: int) -> None:
    """Ask for the number with which a card is accepted; offer its own player to withdraw it."""
    voice_here(interaction, words.ASK_IN)
    seeking = interaction.client.services.duels.seeking
    try:
        view = await seeking.prepare_take(interaction.user.id, seek, here(interaction))
    except OwnSeekError as error:
        await _show_open(interaction, error)
        return
    await require_present(interaction, view.seek.player_id)
    texts = stake_line(view), say(words.OPPONENT_FINDS)
    await number_form(TAKE_FORM(seek=seek), view.seek.rules, *texts).present(interaction)


@submitted(TAKE_FORM, fields=NUMBER_FIELDS, by=By.ONLOOKERS, again=TAKE)
async def take(interaction: Interaction, values: Mapping[str, str], seek: int) -> None:
    """Accept a card with the typed number: the duel begins, and the card becomes its board."""
    voice_here(interaction, words.ASK_IN)
    seeking, player = interaction.client.services.duels.seeking, interaction.user.id
    text, clicked = values[NUMBER], _clicked(interaction)
    try:
        view = await seeking.take(player, seek, here(interaction), text, clicked)
    except NumberRefusedError as error:
        again = button(TAKE(seek=seek), say(words.RETRY_BUTTON), _BLUE)
        await whisper(interaction, notice(refusal(error) or "", [again]))
        return
    await _show_begun(interaction, view)


@pressed(CLOSE, by=By.PLAYERS)
async def close(interaction: Interaction, seek: int) -> None:
    """Withdraw the player's own card."""
    services = interaction.client.services
    await services.duels.seeking.withdraw(interaction.user.id, seek, _clicked(interaction))
    if is_public(interaction):
        await interaction.response.defer()
    else:
        await show(interaction, notice(say(words.CLOSED)))
    await update_seek(interaction.client, services, seek)


def _clicked(interaction: Interaction) -> int | None:
    """The id of the public message that was clicked; None for a private one."""
    return interaction.message.id if interaction.message and is_public(interaction) else None


#: What is pressed on boards and pages of duels; to import these modules is to put it on its routes.
PRESSED: Final = (moves,)


@app_commands.context_menu(name=words.DUEL_MENU)
@app_commands.allowed_installs(guilds=True)
@app_commands.allowed_contexts(guilds=True)
async def challenge_to_duel(
    interaction: Interaction, member: discord.Member | discord.User
) -> None:
    await start_duel(interaction, member)


class DuelCog(commands.Cog):
    @app_commands.command(name="duel", description=words.DUEL)
    @app_commands.describe(opponent=words.DUEL_OPPONENT, digits=words.DUEL_DIGITS)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def duel(
        self,
        interaction: Interaction,
        opponent: discord.User | None = None,
        digits: app_commands.Range[int, DIGITS[0], DIGITS[1]] | None = None,
    ) -> None:
        await start_duel(interaction, opponent, digits)
