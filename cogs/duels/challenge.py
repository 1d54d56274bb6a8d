"""`/duel`: challenges, their answers, rematches."""

from collections.abc import Coroutine, Mapping
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.duels import pages as words
from bot.duels.challenges import Challenge
from bot.duels.model import (
    AlreadyUnderWayError,
    Duel,
    DuelOverError,
    DuelStateError,
    DuelView,
    NewNumberError,
    NowhereToPostError,
    NowPassedError,
    NumberRefusedError,
    Pace,
    State,
    TermsChangedError,
)
from bot.duels.position import DIGITS, Options
from bot.home.pages import declined, not_called
from bot.people.game import Cost
from bot.refusals import refusal
from bot.refused import Speech
from bot.text import labels
from bot.text.language import say
from cogs.duels import moves
from cogs.duels.messages import move_to_thread, post_board, public, publish, publish_if_changed
from cogs.duels.moves import is_public, secret_form, settle, show_page, show_refusal
from cogs.duels.pages import (
    ACCEPT,
    BOT_CHANGE_FORM,
    BOT_FIELDS,
    BOT_FORM,
    CHANGE,
    CHANGE_FORM,
    DECLINE,
    FIELDS,
    FORM,
    NUMBER,
    NUMBER_FIELDS,
    OLD_BOT_FIELDS,
    OLD_FIELDS,
    OPTIONS,
    REMATCH,
    STRONGER,
    TAKE,
    WITHDRAW,
    accept_buttons,
    board_page,
    board_url,
    change_form,
    chosen_for_bot,
    chosen_for_member,
    duel_button,
    look_of,
    notebook_page,
    number_form,
)
from cogs.ui.members import Voice, require_present, usable_channel, voice_here, voice_in
from cogs.ui.pages import button, notice
from cogs.ui.replies import Attempt, Interaction, in_good_time, services_of, whisper
from cogs.ui.routes import By, Route, pressed, submitted
from cogs.ui.shares import offer_no_more

DARE: Final = Route("du:dare:{opponent:int}:{options}", options=OPTIONS)
DARE_FORM: Final = Route("du:form:dare:{opponent:int}:{options}", options=OPTIONS)
ANEW: Final = Route("du:anew:{duel:int}:{options}", options=OPTIONS)
ANEW_FORM: Final = Route("du:form:anew:{duel:int}:{options}", options=OPTIONS)

_BLUE: Final = discord.ButtonStyle.primary


async def start_duel(
    interaction: Interaction,
    opponent: discord.Member | discord.User | None,
    digits: int | None = None,
) -> None:
    """Ask for the number with which a member is challenged, or play the bot at once.

    Raises:
        ServiceError: there can be no such duel, or not here.
    """
    me = interaction.client.user
    if opponent is None or (me is not None and opponent.id == me.id):
        await play_bot(interaction, Options() if digits is None else Options(digits))
    else:
        await ask_for_number(interaction, opponent.id, digits, to_other_bot=opponent.bot)


async def play_bot(interaction: Interaction, options: Options) -> None:
    """Begin a duel with the bot.

    Raises:
        ServiceError: the player has too many open.
    """
    inviting = services_of(interaction).duels.inviting
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
    """Open the form for the challenger's number, unless this member cannot be challenged here.

    Raises:
        ServiceError: that is so.
    """
    _, _, options = await _prepare(interaction, opponent_id, digits, to_other_bot=to_other_bot)
    await _present(interaction, opponent_id, options)


async def _present(interaction: Interaction, opponent_id: int, options: Options) -> None:
    custom_id, rules = DARE_FORM(opponent=opponent_id, options=options), options.rules()
    text = say(words.OPPONENT_FINDS)
    await number_form(custom_id, rules, text).present(interaction)


async def _prepare(
    interaction: Interaction,
    opponent_id: int,
    digits: int | None = None,
    *,
    to_other_bot: bool = False,
) -> tuple[Voice, Challenge, Options]:
    """Leave to announce a challenge that can be made here, the challenge, what to propose.

    Raises:
        ServiceError: there can be no such duel, or not here.
    """
    guild_id, channel_id = usable_channel(interaction)
    voice = voice_here(interaction, Speech.CHALLENGE)
    challenge = Challenge(
        interaction.user.id, opponent_id, guild_id, channel_id, to_other_bot=to_other_bot
    )
    options = await services_of(interaction).duels.inviting.prepare(challenge, digits)
    await require_present(interaction, opponent_id)
    return voice, challenge, options


@pressed(DARE, by=By.ANYBODY)
async def enter_number(interaction: Interaction, opponent: int, options: Options) -> None:
    """Open the form for the challenger's number again."""
    await _prepare(interaction, opponent)
    await _present(interaction, opponent, options)


def _enter_again(_values: Mapping[str, str], opponent: int, options: Options) -> Attempt:
    """What opens the form anew: a number is a secret, which no id may have."""
    return Attempt(DARE(opponent=opponent, options=options))


@submitted(DARE_FORM, fields=NUMBER_FIELDS, by=By.ANYBODY, again=_enter_again)
async def challenge_with_number(
    interaction: Interaction, values: Mapping[str, str], opponent: int, options: Options
) -> None:
    """Challenge the member, for everybody to see."""
    voice, challenge, _ = await _prepare(interaction, opponent)
    inviting = services_of(interaction).duels.inviting
    try:
        view = await inviting.challenge(challenge, options, values[NUMBER])
    except NumberRefusedError as error:
        again = button(DARE(opponent=opponent, options=options), say(words.RETRY_BUTTON), _BLUE)
        await whisper(interaction, notice(refusal(error) or "", [again]))
        return
    await announce(interaction, voice, view)


async def announce(interaction: Interaction, voice: Voice, view: DuelView) -> None:
    """Post a challenge, which alone pings the challenged member; or take it all back."""
    duel = view.duel
    duels = services_of(interaction).duels
    try:
        page = public(interaction.client, view, board_page)
        message_id = await voice.say(page, calls=duel.opponent_id or 0 if view.calls else 0)
    except BaseException:
        await duels.inviting.take_back(duel.id)
        raise
    is_other = interaction.channel_id != duel.channel_id
    thread_id = interaction.channel_id if is_other else None
    await duels.playing.published(duel.id, message_id, thread_id, version=duel.version)
    if not view.calls:
        await whisper(interaction, notice(not_called(duel.opponent_id or 0)))


@submitted(FORM, fields=OLD_FIELDS, by=By.ANYBODY)
async def ask_for_number_of_old_form(
    interaction: Interaction, values: Mapping[str, Any], opponent: int
) -> None:
    """Ask for the number that is missing, after a form that was open since before there was one."""
    options = chosen_for_member(values)
    number = button(DARE(opponent=opponent, options=options), _secret_label(), _BLUE)
    await whisper(interaction, notice(say(words.NEW_NUMBER), [number]))


@submitted(BOT_FORM, fields=OLD_BOT_FIELDS, by=By.ANYBODY)
async def play_with_old_form(interaction: Interaction, values: Mapping[str, Any]) -> None:
    """Begin a duel with the bot, from a form of when it had one."""
    await play_bot(interaction, chosen_for_bot(values))


def _secret_label() -> str:
    return say(words.DUEL_BUTTONS["secret"])


@pressed(CHANGE, by=By.PLAYERS)
async def ask_for_terms(interaction: Interaction, duel: int) -> None:
    """Open the form with what a duel is to be, if it can still be another one."""
    inviting = services_of(interaction).duels.inviting
    try:
        view = await inviting.prepare_change(interaction.user.id, duel)
    except DuelStateError as error:
        await show_refusal(interaction, error)
        return
    await change_form(view.duel).present(interaction)


@submitted(CHANGE_FORM, fields=FIELDS, by=By.PLAYERS)
async def change(interaction: Interaction, values: Mapping[str, Any], duel: int) -> None:
    """Let a challenge be another one; other digits take another number."""
    await _change(interaction, duel, chosen_for_member(values))


@submitted(BOT_CHANGE_FORM, fields=BOT_FIELDS, by=By.PLAYERS)
async def change_bot(interaction: Interaction, values: Mapping[str, Any], duel: int) -> None:
    """Let a game against the bot be another one."""
    await _change(interaction, duel, chosen_for_bot(values))


@pressed(ANEW, by=By.PLAYERS)
async def ask_for_new_number(interaction: Interaction, duel: int, options: Options) -> None:
    """Open the form for a number that fits other terms."""
    inviting = services_of(interaction).duels.inviting
    try:
        await inviting.prepare_change(interaction.user.id, duel)
    except DuelStateError as error:
        await show_refusal(interaction, error)
        return
    custom_id = ANEW_FORM(duel=duel, options=options)
    await number_form(custom_id, options.rules(), say(words.OPPONENT_FINDS)).present(interaction)


def _set_anew(_values: Mapping[str, str], duel: int, options: Options) -> Attempt:
    return Attempt(ANEW(duel=duel, options=options))


@submitted(ANEW_FORM, fields=NUMBER_FIELDS, by=By.PLAYERS, again=_set_anew)
async def change_with_number(
    interaction: Interaction, values: Mapping[str, str], duel: int, options: Options
) -> None:
    """Let a challenge be another one, with another number."""
    await _change(interaction, duel, options, values[NUMBER])


async def _change(
    interaction: Interaction, duel: int, options: Options, text: str | None = None
) -> None:
    inviting = services_of(interaction).duels.inviting
    try:
        view = await inviting.change(interaction.user.id, duel, options, text)
    except (NewNumberError, NumberRefusedError) as error:
        label = say(words.RETRY_BUTTON) if text else _secret_label()
        number = button(ANEW(duel=duel, options=options), label, _BLUE)
        await whisper(interaction, notice(refusal(error) or "", [number]))
    except DuelStateError as error:
        await show_refusal(interaction, error)
    else:
        await settle(interaction, view)


@pressed(TAKE, by=By.PLAYERS, cost=Cost.FREE)
async def take(interaction: Interaction, duel: int, pace: Pace, terms: int) -> None:
    """Accept a challenge as it was seen, and ask for the number at once."""
    inviting = services_of(interaction).duels.inviting
    await _accept(interaction, inviting.accept(interaction.user.id, duel, pace, terms))


@pressed(ACCEPT, by=By.PLAYERS, cost=Cost.FREE)
async def accept(interaction: Interaction, duel: int) -> None:
    """Accept a challenge of before there was a choice, or see what may be chosen by now."""
    inviting = services_of(interaction).duels.inviting
    await _accept(interaction, inviting.accept(interaction.user.id, duel))


async def _accept(interaction: Interaction, accepting: Coroutine[Any, Any, DuelView]) -> None:
    """Accept a challenge; everybody sees what became of it, once the form is open."""
    try:
        view = await _answer(interaction, accepting)
    except (TermsChangedError, NowPassedError) as error:
        await whisper(interaction, notice(refusal(error) or "", accept_buttons(error.view)))
        boards = services_of(interaction).duels.boards
        await publish_if_changed(interaction.client, boards, error.view)
        return
    seat = view.duel.seat_of(interaction.user.id) or 0
    if view.duel.state is not State.SETTING or view.seats[seat].is_ready:
        await settle(interaction, view)
        return
    note = say(words.HAS_CLOSED) if view.has_closed else ""
    await secret_form(view.duel, note).present(interaction)
    if view.duel.thread_id is not None or not await _give_thread(interaction, view):
        await publish(interaction.client, services_of(interaction).duels.boards, view)


@pressed(DECLINE, by=By.PLAYERS)
async def decline(interaction: Interaction, duel: int) -> None:
    """Decline a challenge; who made it may be heard no more, even if they took it back."""
    inviting = services_of(interaction).duels.inviting
    try:
        view = await _answer(interaction, inviting.decline(interaction.user.id, duel))
    except DuelOverError as error:
        view, told = error.view, refusal(error) or ""
    else:
        told = declined(view.duel.challenger_id, is_rematch=view.is_rematch)
        await settle(interaction, view)
    await offer_no_more(interaction, told, view.duel.challenger_id)


@pressed(WITHDRAW, by=By.PLAYERS)
async def withdraw(interaction: Interaction, duel: int) -> None:
    """Take a challenge back."""
    inviting = services_of(interaction).duels.inviting
    view = await _answer(interaction, inviting.withdraw(interaction.user.id, duel))
    await settle(interaction, view)


async def _answer(interaction: Interaction, answer: Coroutine[Any, Any, DuelView]) -> DuelView:
    """The duel after an answer; if that came too late, everybody sees how it stands.

    Raises:
        DuelOverError, AlreadyUnderWayError: it came too late.
    """
    try:
        return await answer
    except (DuelOverError, AlreadyUnderWayError) as error:
        await settle(interaction, error.view)
        raise


async def _give_thread(interaction: Interaction, view: DuelView) -> bool:
    """Move a duel that was accepted on its board to a thread, where the server wants that.

    Returns:
        Whether it was moved.
    """
    if not is_public(interaction) or not isinstance(interaction.channel, discord.TextChannel):
        return False
    settings = await services_of(interaction).settings.view(interaction.channel.guild.id)
    may = interaction.app_permissions
    if not settings.duel_threads or not (
        may.create_public_threads and may.send_messages_in_threads
    ):
        return False
    try:
        challenger = await interaction.channel.guild.fetch_member(view.duel.challenger_id)
    except discord.HTTPException:
        return False
    name = words.thread_name(challenger.display_name, interaction.user.display_name)
    return await move_to_thread(interaction, view, name)


REMATCH_FORM: Final = Route("du:form:rematch:{duel:int}")


@pressed(REMATCH, by=By.PLAYERS)
async def ask_for_rematch(interaction: Interaction, duel: int) -> None:
    """Ask for the number of another duel like this, or show the challenge to it there is."""
    duels, player = services_of(interaction).duels, interaction.user.id
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


def _ask_again(_values: Mapping[str, str], duel: int) -> Attempt:
    return Attempt(REMATCH(duel=duel))


@submitted(REMATCH_FORM, fields=NUMBER_FIELDS, by=By.PLAYERS, again=_ask_again)
async def challenge_again(interaction: Interaction, values: Mapping[str, str], duel: int) -> None:
    """Challenge the same member, the other one moving first."""
    duels, player = services_of(interaction).duels, interaction.user.id
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
    """Post the challenge to a rematch, let it be answered, or say where it is."""
    player, url = interaction.user.id, board_url(asked.duel)
    if asked.duel.opponent_id == player and (buttons := accept_buttons(asked)):
        await whisper(interaction, notice(words.terms(asked.duel), buttons))
    elif asked.duel.challenger_id == player and await _may_post(interaction, asked.duel):
        voice = await _voice_for_rematch(interaction, before)
        await _post_rematch(interaction, voice, asked)
    else:
        await whisper(interaction, notice(words.rematch_asked(url)))


async def _may_post(interaction: Interaction, duel: Duel) -> bool:
    return await services_of(interaction).duels.inviting.claim_posting(duel.id)


@pressed(STRONGER, by=By.PLAYERS)
async def try_the_stronger_bot(interaction: Interaction, duel: int) -> None:
    """The same with the bot at its next strength."""
    inviting, player = services_of(interaction).duels.inviting, interaction.user.id
    await _play_the_bot_again(interaction, inviting.rematch(player, duel, stronger=True))


async def _play_the_bot_again(
    interaction: Interaction, opened: Coroutine[Any, Any, DuelView]
) -> None:
    """Show the new duel in a private message of its own; the finished one stays."""
    view = await in_good_time(interaction, opened)
    notebook = await services_of(interaction).duels.games.notebook_of(interaction.user.id, view)
    await whisper(interaction, notebook_page(notebook, look_of(interaction.client)))


async def _voice_for_rematch(interaction: Interaction, before: DuelView) -> Voice:
    """Leave to post the challenge here or, if this is a private message, where the duel was."""
    opponent_id = before.seats[1 - (before.duel.seat_of(interaction.user.id) or 0)].player_id or 0
    if not is_public(interaction):
        await require_present(interaction, opponent_id, before.duel.guild_id)
        try:
            place = before.duel.channel_id
            return await voice_in(interaction, Speech.REMATCH, before.duel.guild_id, place)
        except (discord.NotFound, discord.Forbidden) as error:
            raise NowhereToPostError(view=before) from error
    usable_channel(interaction)
    await require_present(interaction, opponent_id, before.duel.guild_id)
    return voice_here(interaction, Speech.REMATCH)


async def _post_rematch(interaction: Interaction, voice: Voice, view: DuelView) -> None:
    if is_public(interaction):
        await announce(interaction, voice, view)
        return
    inviting = services_of(interaction).duels.inviting
    opponent_id, calls = view.duel.opponent_id or 0, view.calls
    try:
        place, called = view.duel.channel_id or 0, opponent_id if calls else 0
        view = await post_board(interaction, voice, view, place, calls=called)
    except BaseException as error:
        await inviting.take_back(view.duel.id)
        if isinstance(error, discord.NotFound | discord.Forbidden):
            raise NowhereToPostError(view=view) from error
        raise
    await whisper(interaction, notice(words.rematch_posted(board_url(view.duel))))
    if not calls:
        await whisper(interaction, notice(not_called(opponent_id)))


#: What is pressed on boards and pages of duels; to import these modules is to put it on its routes.
PRESSED: Final = (moves,)


@app_commands.context_menu(name=labels.DUEL_MENU)
@app_commands.allowed_installs(guilds=True)
@app_commands.allowed_contexts(guilds=True)
async def challenge_to_duel(
    interaction: Interaction, member: discord.Member | discord.User
) -> None:
    """Challenge the member."""
    await start_duel(interaction, member)


class DuelCog(commands.Cog):
    """Duels."""

    @app_commands.command(name="duel", description=labels.DUEL)
    @app_commands.describe(opponent=labels.DUEL_OPPONENT, digits=labels.DUEL_DIGITS)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def duel(
        self,
        interaction: Interaction,
        opponent: discord.User | None = None,
        digits: app_commands.Range[int, DIGITS[0], DIGITS[1]] | None = None,
    ) -> None:
        """Challenge a member, or play the bot."""
        await start_duel(interaction, opponent, digits)
