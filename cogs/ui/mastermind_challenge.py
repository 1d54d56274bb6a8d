"""A member sets a code for another one: the private form, the invitation, its answers."""

import logging
import re
from collections.abc import Mapping
from typing import Any, Final, Self

import discord

from bot.presentation import mastermind_labels as words
from bot.presentation.help import Topic
from bot.presentation.language import speak
from bot.presentation.pegs import Pegs
from bot.services.errors import ChannelUnusableError
from bot.services.mastermind.challenge import Invitation
from bot.services.mastermind.errors import (
    AlreadyAcceptedError,
    CannotSeeChannelError,
    CodeRefusedError,
    GameFinishedError,
    NoServerError,
    NotAMemberError,
)
from bot.services.mastermind.game import MastermindGame
from bot.services.mastermind.setting import Setting
from cogs.ui.answers import Interaction, pegs_of, server_of, services_of, whisper
from cogs.ui.buttons import Press
from cogs.ui.help import HelpButton
from cogs.ui.mastermind import (
    SETTING,
    CodeForm,
    MastermindPage,
    game_page,
    read_setting,
    words_for,
    write_setting,
)
from cogs.ui.mastermind_guess import repaint
from cogs.ui.pages import Notice
from engine import Mastermind

log = logging.getLogger(__name__)

_STYLES: Final = {
    "accept": discord.ButtonStyle.success,
    "decline": discord.ButtonStyle.secondary,
    "withdraw": discord.ButtonStyle.secondary,
}


async def ask_for_code(
    interaction: Interaction, member: discord.Member | discord.User, setting: Setting
) -> None:
    """Open the form for the code with which a member is challenged.

    Raises:
        ServiceError: the challenge cannot be made.
    """
    invitation = _invitation(interaction, member.id, to_bot=member.bot)
    await services_of(interaction).mastermind.challenges.prepare(invitation, setting)
    await _require_present(interaction, invitation)
    await ChallengeForm(member.id, setting.rules()).present(interaction)


async def _require_present(interaction: Interaction, invitation: Invitation) -> None:
    """Make sure that the challenged one is a member who would see what is posted here.

    Raises:
        NotAMemberError, CannotSeeChannelError: that is not so.
    """
    guild = interaction.client.get_guild(invitation.guild_id)
    if guild is None:
        raise NoServerError
    try:
        member = await guild.fetch_member(invitation.challenged_id)
    except discord.NotFound as error:
        raise NotAMemberError(invitation.challenged_id) from error
    channel = interaction.channel
    # Where it cannot be told, nobody is turned away.
    place = channel.parent if isinstance(channel, discord.Thread) else channel
    is_known = isinstance(place, discord.abc.GuildChannel)
    if is_known and not place.permissions_for(member).view_channel:
        raise CannotSeeChannelError(member.id, invitation.channel_id)


def _invitation(
    interaction: Interaction, challenged_id: int, *, to_bot: bool = False
) -> Invitation:
    """Who challenges whom here.

    Raises:
        NoServerError: this is no channel of a server that the bot is a member of.
        ChannelUnusableError: the bot could not keep a board up to date in it.
    """
    guild_id, channel_id = server_of(interaction), interaction.channel_id
    if guild_id is None or channel_id is None:
        raise NoServerError
    is_thread = isinstance(interaction.channel, discord.Thread)
    needed = ("view_channel", "send_messages_in_threads" if is_thread else "send_messages")
    missing = [name for name in needed if not getattr(interaction.app_permissions, name)]
    if missing:
        raise ChannelUnusableError(channel_id, missing)
    return Invitation(interaction.user.id, challenged_id, guild_id, channel_id, to_bot=to_bot)


class ChallengeForm(CodeForm):
    """Asks for the code."""

    template = re.compile(rf"mm:form:challenge:(\d+):({SETTING})")

    def __init__(self, challenged_id: int, rules: Mastermind) -> None:
        super().__init__(
            words.code_form_title(),
            f"mm:form:challenge:{challenged_id}:{write_setting(rules)}",
            rules,
            words.code_form_label(rules),
            text=words.challenge_form_text(rules),
        )

    @classmethod
    async def submitted(
        cls, interaction: Interaction, match: re.Match[str], values: Mapping[str, str]
    ) -> None:
        """Challenge; a text that is no code can be mended."""
        challenges = services_of(interaction).mastermind.challenges
        challenged_id, setting = int(match[1]), read_setting(match[2])
        invitation = _invitation(interaction, challenged_id)
        await _require_present(interaction, invitation)
        try:
            game = await challenges.invite(invitation, setting, cls.typed(values))
        except CodeRefusedError as error:
            retry = RetryButton(challenged_id, error.rules)
            await whisper(interaction, Notice(words_for(error), [retry]))
            return
        await _announce(interaction, game)


class RetryButton(Press, template=rf"mm:c:retry:(\d+):({SETTING})"):
    """*Enter the code again*: opens the form anew."""

    def __init__(self, challenged_id: int, rules: Mastermind) -> None:
        super().__init__(
            f"mm:c:retry:{challenged_id}:{write_setting(rules)}",
            words.retry_button(),
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
        await ChallengeForm(self._challenged_id, self._rules).present(interaction)


async def _announce(interaction: Interaction, game: MastermindGame) -> None:
    """Post the invitation, which alone pings the challenged member; or take it all back."""
    challenges = services_of(interaction).mastermind.challenges
    speak(str(interaction.guild_locale or interaction.locale))
    try:
        response = await interaction.response.send_message(
            view=invitation_page(game, pegs_of(interaction)),
            allowed_mentions=discord.AllowedMentions(
                everyone=False, roles=False, users=[discord.Object(game.codebreaker_id or 0)]
            ),
        )
    except BaseException:
        speak(str(interaction.locale))
        await challenges.withdraw(game.owner_id, game.id)
        raise
    speak(str(interaction.locale))
    if response.message_id is not None:
        await challenges.published(game.id, response.message_id)


def invitation_page(game: MastermindGame, pegs: Pegs) -> MastermindPage:
    """A challenge that is to be answered."""
    row: list[Press] = [InvitationButton(act, game.id) for act in _STYLES]
    return game_page(game, pegs, [[*row, HelpButton(Topic.MASTERMIND)]])


class InvitationButton(Press, template=r"mm:c:(accept|decline|withdraw):(\d+)"):
    """*Accept* and *Decline*, for the challenged member, and *Withdraw*, for the challenger."""

    def __init__(self, act: str, game_id: int) -> None:
        super().__init__(f"mm:c:{act}:{game_id}", words.invitation_button(act), _STYLES[act])
        self._act = act
        self._game_id = game_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a challenge."""
        return cls(match[1], int(match[2]))

    async def press(self, interaction: Interaction) -> None:
        """Answer, or take it back; everybody sees what became of it."""
        challenges = services_of(interaction).mastermind.challenges
        acts: dict[str, Any] = {
            "accept": challenges.accept,
            "decline": challenges.decline,
            "withdraw": challenges.withdraw,
        }
        try:
            game = await acts[self._act](interaction.user.id, self._game_id)
        except (GameFinishedError, AlreadyAcceptedError) as error:
            await repaint(interaction, error.game)
            raise
        await repaint(interaction, game)
