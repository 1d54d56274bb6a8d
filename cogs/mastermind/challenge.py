"""A member sets a code for another one: the private form, the invitation, its answers."""

import re
from collections.abc import Mapping
from typing import Any, Final, Self

import discord

from bot.presentation.base.language import say
from bot.presentation.base.pegs import Pegs
from bot.presentation.help import Topic
from bot.presentation.invitations import no_more_button, no_more_from, not_called
from bot.presentation.mastermind import labels as words
from bot.services.base.allowance import Cost
from bot.services.base.errors import Speech
from bot.services.mastermind.challenge import Invitation
from bot.services.mastermind.errors import AlreadyAcceptedError, CodeRefusedError, GameFinishedError
from bot.services.mastermind.model import MastermindGame, Stage
from bot.services.mastermind.setting import Setting
from cogs.base.buttons import Press
from cogs.base.pages import BoardPage, Notice
from cogs.base.presence import require_present, usable_channel
from cogs.base.public import in_language
from cogs.base.replies import Interaction, pegs_of, services_of, whisper
from cogs.base.voice import Voice, voice_here
from cogs.help import HelpButton
from cogs.mastermind.boards import (
    SETTING,
    MastermindButton,
    NewCodeForm,
    game_page,
    read_setting,
    words_for,
    write_setting,
)
from cogs.mastermind.guess import repaint
from cogs.mastermind.public_board import public_tag
from engine import Mastermind

_STYLES: Final = {"accept": discord.ButtonStyle.success}


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
    await MastermindChallengeForm(member.id, setting.rules()).present(interaction)


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


class MastermindChallengeForm(NewCodeForm, template=rf"mm:form:challenge:(\d+):({SETTING})"):
    """Asks for the code."""

    def __init__(self, challenged_id: int, rules: Mastermind) -> None:
        custom_id = f"mm:form:challenge:{challenged_id}:{write_setting(rules)}"
        super().__init__(custom_id, rules, words.challenge_form_text(rules))

    @classmethod
    async def submitted(
        cls, interaction: Interaction, match: re.Match[str], values: Mapping[str, str]
    ) -> None:
        """Challenge; a text that is no code can be mended."""
        challenges = services_of(interaction).mastermind.challenges
        challenged_id, setting = int(match[1]), read_setting(match[2])
        voice, invitation = _invitation(interaction, challenged_id)
        await require_present(interaction, invitation.challenged_id)
        try:
            game = await challenges.invite(invitation, setting, cls.typed(values))
        except CodeRefusedError as error:
            retry = RetryButton(challenged_id, error.rules)
            await whisper(interaction, Notice(words_for(error), [retry]))
            return
        await _announce(interaction, voice, game)


class RetryButton(Press, template=rf"mm:c:retry:(\d+):({SETTING})"):
    """*Enter the code again*: opens the form anew."""

    def __init__(self, challenged_id: int, rules: Mastermind) -> None:
        super().__init__(
            f"mm:c:retry:{challenged_id}:{write_setting(rules)}",
            say(words.RETRY_BUTTON),
            discord.ButtonStyle.primary,
        )
        self._challenged_id = challenged_id
        self._rules = rules

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a challenge that is not made yet."""
        return cls(int(match[1]), read_setting(match[2]).rules())

    async def press(self, interaction: Interaction) -> None:
        """Open it."""
        await MastermindChallengeForm(self._challenged_id, self._rules).present(interaction)


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
        await whisper(interaction, Notice(not_called(game.codebreaker_id or 0)))


def invitation_page(game: MastermindGame, pegs: Pegs) -> BoardPage:
    """A challenge that is to be answered."""
    row: list[Press] = [InvitationButton(act, game.id) for act in ("accept", "decline", "withdraw")]
    no_more = [never_button(game)]  # a row of its own, since it is long
    return game_page(game, pegs, [[*row, HelpButton(Topic.MASTERMIND)], no_more])


def never_button(game: MastermindGame) -> "InvitationButton":
    """Declines a challenge and all to come."""
    return InvitationButton("never", game.id, no_more_button(game.owner_name))


class InvitationButton(MastermindButton, template=r"mm:c:(accept|decline|never|withdraw):(\d+)"):
    """*Accept*, *Decline* and *no more*, for the challenged; *Withdraw*, for the challenger."""

    letter = "c"

    def __init__(self, act: str, game_id: int, label: str | None = None) -> None:
        style = _STYLES.get(act, discord.ButtonStyle.secondary)
        super().__init__(act, game_id, label or say(words.INVITATION_BUTTONS[act]), style)
        if act == "accept":
            self.cost = Cost.FREE

    async def press(self, interaction: Interaction) -> None:
        """Answer, or take it back; everybody sees what became of it."""
        challenges = services_of(interaction).mastermind.challenges
        acts: dict[str, Any] = {
            "accept": challenges.accept,
            "decline": challenges.decline,
            "never": challenges.decline,
            "withdraw": challenges.withdraw,
        }
        try:
            game = await acts[self._act](interaction.user.id, self._game_id)
        except (GameFinishedError, AlreadyAcceptedError) as error:
            game = error.game
            # Of one that was taken back no more are wanted all the same.
            if self._act != "never" or game.stage is not Stage.OVER:
                await repaint(interaction, game)
                raise
        if self._act == "never":
            await services_of(interaction).blocking.block(interaction.user.id, game.owner_id)
        await repaint(interaction, game)
        if self._act == "never":
            await whisper(interaction, Notice(no_more_from(game.owner_id)))
