"""Who may challenge a player: a page among the preferences."""

import re
from collections.abc import Sequence
from typing import Any, Final, Self, cast

from discord import ui

from bot.model.preferences import Blocked
from bot.presentation import invitations as words
from bot.presentation.base.language import say
from bot.services.preferences import Preferences
from cogs.base.buttons import Press, Switch
from cogs.base.pages import Page
from cogs.base.replies import Interaction, services_of, show
from cogs.base.selects import Pick, chosen

BACK_ID: Final = "pref:all"
"""The id of the button that leads back to all preferences; that page imports this one."""

_ACCENT: Final = 0x5865F2
_MOST_SHOWN: Final = 6
_LARGEST_ID: Final = 2**31 - 1


async def show_challenges(interaction: Interaction) -> None:
    """Show players whom they want to hear from; everybody sees their own."""
    services, player_id = services_of(interaction), interaction.user.id
    preferences = await services.preferences.view(player_id)
    blocked = await services.blocking.blocked(player_id)
    await show(interaction, ChallengesPage(preferences, blocked, drawn=interaction.id))


class ChallengesPage(Page):
    """Whom a player wants to hear from.

    Args:
        preferences: the player's.
        blocked: from whom no challenges are wanted, the latest first.
        drawn: anything that differs each time.
    """

    def __init__(
        self, preferences: Preferences, blocked: Sequence[Blocked], *, drawn: int = 0
    ) -> None:
        super().__init__()
        self._container = ui.Container[ChallengesPage](accent_colour=_ACCENT)
        self._say(words.challenges_title())
        self._separate()
        label = words.no_challenges_button(preferences)
        switch = NoChallengesButton(on=not preferences.no_challenges, label=label)
        self._section(words.no_challenges(preferences), switch)
        self._separate()
        self._say(words.blocked_heading(blocked))
        for one in blocked[:_MOST_SHOWN]:
            self._section(words.blocked_line(one), UnblockButton(one.player_id))
        if rest := len(blocked[_MOST_SHOWN:]):
            self._say(words.blocked_rest(rest))
        self._offer(BlockPick(drawn))
        # The class of this button belongs to the other page, which imports this one.
        self._offer(ui.Button[Any](label=say(words.PREFERENCES_BUTTON), custom_id=BACK_ID))
        self.add_item(self._container)

    def _separate(self) -> None:
        self._container.add_item(ui.Separator[ChallengesPage]())

    def _say(self, text: str) -> None:
        self._container.add_item(ui.TextDisplay[ChallengesPage](text))

    def _section(self, text: str, button: Press) -> None:
        accessory = cast("ui.Item[Any]", button)
        self._container.add_item(ui.Section[ChallengesPage](text, accessory=accessory))

    def _offer(self, item: ui.Item[Any]) -> None:
        row = ui.ActionRow[ChallengesPage]()
        row.add_item(item)
        self._container.add_item(row)


class ChallengesButton(Press, template=r"pref:challenges"):
    """Opens the page."""

    def __init__(self) -> None:
        super().__init__("pref:challenges", say(words.CHALLENGES_BUTTON))

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button."""
        return cls()

    async def press(self, interaction: Interaction) -> None:
        """Show it in place of all preferences."""
        await show_challenges(interaction)


class NoChallengesButton(Switch, template=r"pref:nochallenges:(?P<state>on|off)"):
    """Lets nobody challenge the presser, or everybody but those on the list."""

    prefix = "pref:nochallenges"

    async def press(self, interaction: Interaction) -> None:
        """Do it."""
        preferences = services_of(interaction).preferences
        await preferences.set_no_challenges(interaction.user.id, on=self._on)
        await show_challenges(interaction)


class UnblockButton(Press, template=r"pref:unblock:(?P<blocked>\d+)"):
    """Lets one player challenge the presser again."""

    def __init__(self, blocked_id: int) -> None:
        super().__init__(f"pref:unblock:{blocked_id}", say(words.UNBLOCK_BUTTON))
        self._blocked_id = blocked_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a player."""
        return cls(int(match["blocked"]))

    async def press(self, interaction: Interaction) -> None:
        """Do it."""
        blocking = services_of(interaction).blocking
        await blocking.unblock(interaction.user.id, self._blocked_id)
        await show_challenges(interaction)


class BlockPick(Pick, template=r"pref:block:(?P<drawn>\d+)"):
    """The members, one of whom is to challenge the presser no more.

    Args:
        drawn: anything that differs each time it is drawn: a client goes on showing what was
            chosen in a list with the same id.
    """

    def __init__(self, drawn: int) -> None:
        super().__init__(
            ui.UserSelect[Any](
                custom_id=f"pref:block:{drawn}",
                id=drawn % _LARGEST_ID + 1,
                placeholder=say(words.BLOCK_PLACEHOLDER),
            )
        )

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The list."""
        return cls(int(match["drawn"]))

    async def pick(self, interaction: Interaction, values: Sequence[str]) -> None:
        """Hear no more from the one who was chosen."""
        (blocked_id,) = chosen(values)
        blocking = services_of(interaction).blocking
        await blocking.block(interaction.user.id, int(blocked_id))
        await show_challenges(interaction)
