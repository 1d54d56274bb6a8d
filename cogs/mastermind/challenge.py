"""A member sets a code for another one: the private form, the invitation, its answers."""

from collections.abc import Coroutine, Mapping
from typing import Any, Final

import discord
from discord import ui

from bot.home.pages.invitations import declined, not_called
from bot.mastermind.game.challenge import Invitation
from bot.mastermind.game.setting import Setting
from bot.mastermind.model.errors import AlreadyAcceptedError, CodeRefusedError, GameFinishedError
from bot.mastermind.model.game import MastermindGame
from bot.mastermind.pages import labels as words
from bot.people.game.allowance import Cost
from bot.refused import Speech
from bot.text.language import say
from bot.text.pegs import Pegs
from cogs.mastermind.boards import (
    CODE,
    SETTING,
    game_page,
    more_button,
    new_code_form,
    typed_code,
    words_for,
)
from cogs.mastermind.guess import repaint
from cogs.mastermind.public_board import public_tag
from cogs.ui.forms import Form
from cogs.ui.invitations import offer_no_more
from cogs.ui.pages import Page, button, notice
from cogs.ui.presence import require_present, usable_channel
from cogs.ui.public import in_language
from cogs.ui.replies import Attempt, Interaction, pegs_of, services_of, whisper
from cogs.ui.routes import By, Route, pressed, submitted
from cogs.ui.voice import Voice, voice_here

ACCEPT: Final = Route("mm:c:accept:{game:int}")
DECLINE: Final = Route("mm:c:decline:{game:int}")
WITHDRAW: Final = Route("mm:c:withdraw:{game:int}")
RETRY: Final = Route("mm:c:retry:{challenged:int}:{setting}", setting=SETTING)
FORM: Final = Route("mm:form:challenge:{challenged:int}:{setting}", setting=SETTING)


async def ask_for_code(
    interaction: Interaction, member: discord.Member | discord.User, setting: Setting
) -> None:
    """Open the form for the code with which a member is challenged.

    Raises:
        Refused: the challenge cannot be made.
    """
    _, invitation = _invitation(interaction, member.id, to_bot=member.bot)
    await services_of(interaction).mastermind.challenges.prepare(invitation, setting)
    await require_present(interaction, invitation.challenged_id)
    await challenge_form(member.id, setting).present(interaction)


def _invitation(
    interaction: Interaction, challenged_id: int, *, to_bot: bool = False
) -> tuple[Voice, Invitation]:
    """Leave to challenge somebody here, and who challenges whom.

    Raises:
        NoServerError, ChannelUnusableError, MayNotSpeakError: nobody can be challenged here.
    """
    guild_id, channel_id = usable_channel(interaction)
    voice = voice_here(interaction, Speech.CHALLENGE)
    challenger_id = interaction.user.id
    return voice, Invitation(challenger_id, challenged_id, guild_id, channel_id, to_bot=to_bot)


def challenge_form(challenged_id: int, setting: Setting) -> Form:
    """Asks for the code."""
    custom_id = FORM(challenged=challenged_id, setting=setting)
    return new_code_form(custom_id, setting, words.challenge_form_text(setting.rules()))


def _enter_again(_values: Mapping[str, str], challenged: int, setting: Setting) -> Attempt:
    """What opens the form anew: a code is a secret, which no id may have."""
    return Attempt(RETRY(challenged=challenged, setting=setting))


@submitted(FORM, fields=CODE, by=By.ANYBODY, again=_enter_again)
async def challenge(
    interaction: Interaction, values: Mapping[str, str], challenged: int, setting: Setting
) -> None:
    """Challenge; a text that is no code can be mended."""
    challenges = services_of(interaction).mastermind.challenges
    voice, invitation = _invitation(interaction, challenged)
    await require_present(interaction, invitation.challenged_id)
    try:
        game = await challenges.invite(invitation, setting, typed_code(values))
    except CodeRefusedError as error:
        again = RETRY(challenged=challenged, setting=setting)
        retry = button(again, say(words.RETRY_BUTTON), discord.ButtonStyle.primary)
        await whisper(interaction, notice(words_for(error), [retry]))
        return
    await _announce(interaction, voice, game)


@pressed(RETRY, by=By.ANYBODY)
async def enter_code_again(interaction: Interaction, challenged: int, setting: Setting) -> None:
    """Open the form anew."""
    await challenge_form(challenged, setting).present(interaction)


async def _announce(interaction: Interaction, voice: Voice, game: MastermindGame) -> None:
    """Post the invitation, which alone pings the challenged member; or take it all back."""
    challenges = services_of(interaction).mastermind.challenges
    tag, pegs = public_tag(interaction.client, game), pegs_of(interaction)
    try:
        page = in_language(tag, lambda: invitation_page(game, pegs))
        message_id = await voice.say(page, calls=game.codebreaker_id or 0 if game.calls else 0)
    except BaseException:
        await challenges.take_back(game.id)
        raise
    await challenges.published(game, message_id)
    if not game.calls:
        await whisper(interaction, notice(not_called(game.codebreaker_id or 0)))


def invitation_page(game: MastermindGame, pegs: Pegs) -> Page:
    """A challenge that is to be answered."""
    answers = [accept_button(game), decline_button(game), withdraw_button(game)]
    return game_page(game, pegs, [[*answers, more_button(game)]])


def accept_button(game: MastermindGame) -> ui.Button[Any]:
    """For the challenged."""
    label = say(words.INVITATION_BUTTONS["accept"])
    return button(ACCEPT(game=game.id), label, discord.ButtonStyle.success)


def decline_button(game: MastermindGame) -> ui.Button[Any]:
    """For the challenged."""
    return button(DECLINE(game=game.id), say(words.INVITATION_BUTTONS["decline"]))


def withdraw_button(game: MastermindGame) -> ui.Button[Any]:
    """For the challenger."""
    return button(WITHDRAW(game=game.id), say(words.INVITATION_BUTTONS["withdraw"]))


@pressed(ACCEPT, by=By.PLAYERS, cost=Cost.FREE)
async def accept(interaction: Interaction, game: int) -> None:
    """Accept a challenge; everybody sees what became of it."""
    challenges = services_of(interaction).mastermind.challenges
    await _answer(interaction, challenges.accept(interaction.user.id, game))


@pressed(DECLINE, by=By.PLAYERS)
async def decline(interaction: Interaction, game: int) -> None:
    """Decline a challenge; who made it may be heard no more, even if they took it back."""
    challenges = services_of(interaction).mastermind.challenges
    try:
        found = await _answer(interaction, challenges.decline(interaction.user.id, game))
    except GameFinishedError as error:
        found, told = error.game, words_for(error)
    else:
        told = declined(found.owner_id, is_rematch=False)
    await offer_no_more(interaction, told, found.owner_id)


@pressed(WITHDRAW, by=By.PLAYERS)
async def withdraw(interaction: Interaction, game: int) -> None:
    """Take a challenge back."""
    challenges = services_of(interaction).mastermind.challenges
    await _answer(interaction, challenges.withdraw(interaction.user.id, game))


async def _answer(
    interaction: Interaction, answer: Coroutine[Any, Any, MastermindGame]
) -> MastermindGame:
    """Show everybody what became of a challenge, also if the answer came too late.

    Raises:
        GameFinishedError, AlreadyAcceptedError: it came too late.
    """
    try:
        game = await answer
    except (GameFinishedError, AlreadyAcceptedError) as error:
        await repaint(interaction, error.game)
        raise
    await repaint(interaction, game)
    return game
