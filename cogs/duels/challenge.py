"""Challenging somebody: the number first, then the card; and other terms on it."""

from collections.abc import Mapping
from typing import Any, Final

import discord

from bot.duels.game.opening import Challenge
from bot.duels.game.options import Options
from bot.duels.model.duel import DuelGame
from bot.duels.model.errors import DuelStateError, NewNumberError, NumberRefusedError
from bot.duels.pages import labels as words
from bot.home.pages.invitations import not_called
from bot.refusals import refusal
from bot.refused import Speech
from bot.text.language import say
from cogs.duels.forms import (
    BOT_CHANGE_FORM,
    BOT_FIELDS,
    BOT_FORM,
    CHANGE_FORM,
    FIELDS,
    FORM,
    NUMBER,
    NUMBER_FIELDS,
    OLD_BOT_FIELDS,
    OLD_FIELDS,
    OPTIONS,
    change_form,
    chosen_for_bot,
    chosen_for_member,
    number_form,
)
from cogs.duels.messages import public
from cogs.duels.moves import settle, show_page, show_refusal
from cogs.duels.pages import CHANGE, board_page
from cogs.ui.pages import button, notice
from cogs.ui.presence import require_present, usable_channel
from cogs.ui.replies import Attempt, Interaction, in_good_time, services_of, whisper
from cogs.ui.routes import By, Route, pressed, submitted
from cogs.ui.voice import Voice, voice_here

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
    game = await in_good_time(interaction, inviting.challenge(challenge, options))
    await show_page(interaction, game)


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
        game = await inviting.challenge(challenge, options, values[NUMBER])
    except NumberRefusedError as error:
        again = button(DARE(opponent=opponent, options=options), say(words.RETRY_BUTTON), _BLUE)
        await whisper(interaction, notice(refusal(error) or "", [again]))
        return
    await announce(interaction, voice, game)


async def announce(interaction: Interaction, voice: Voice, game: DuelGame) -> None:
    """Post a challenge, which alone pings the challenged member; or take it all back."""
    duels = services_of(interaction).duels
    try:
        page = public(interaction.client, game, board_page)
        message_id = await voice.say(page, calls=game.opponent_id or 0 if game.calls else 0)
    except BaseException:
        await duels.inviting.take_back(game.id)
        raise
    is_other = interaction.channel_id != game.channel_id
    thread_id = interaction.channel_id if is_other else None
    await duels.playing.published(game.id, message_id, thread_id, version=game.version)
    if not game.calls:
        await whisper(interaction, notice(not_called(game.opponent_id or 0)))


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
        game = await inviting.prepare_change(interaction.user.id, duel)
    except DuelStateError as error:
        await show_refusal(interaction, error)
        return
    await change_form(game).present(interaction)


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
        game = await inviting.change(interaction.user.id, duel, options, text)
    except (NewNumberError, NumberRefusedError) as error:
        label = say(words.RETRY_BUTTON) if text else _secret_label()
        number = button(ANEW(duel=duel, options=options), label, _BLUE)
        await whisper(interaction, notice(refusal(error) or "", [number]))
    except DuelStateError as error:
        await show_refusal(interaction, error)
    else:
        await settle(interaction, game)
