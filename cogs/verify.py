"""*Verify*: the check of a finished game's commitments, in private."""

import re
from collections.abc import Iterator
from typing import Self

from discord import ui

from bot.presentation.base import commitments as words
from bot.presentation.base.language import say
from bot.presentation.help import Topic
from bot.services.base.commitments import Commitment
from bot.services.verifying import Verified
from cogs.base.buttons import Press
from cogs.base.pages import Page
from cogs.base.replies import Interaction, services_of, whisper
from cogs.help import HelpButton


class VerifiedPage(Page):
    """What was hashed, its digest, and how to check that."""

    def __init__(self, verified: Verified) -> None:
        super().__init__()
        container = ui.Container[VerifiedPage]()
        for index, text in enumerate(words.verification(verified)):
            if index:
                container.add_item(ui.Separator[VerifiedPage](visible=False))
            container.add_item(ui.TextDisplay[VerifiedPage](text))
        row = ui.ActionRow[VerifiedPage]()
        row.add_item(HelpButton(Topic.FAIRNESS, say(words.FAIRNESS_BUTTON)))
        container.add_item(row)
        self.add_item(container)


class VerifyButton(Press, template=r"verify:(play|mastermind|duel):(\d+)"):
    """*Verify*, on a finished board.

    Args:
        source: ``play``, ``mastermind`` or ``duel``.
        game_id: which one.
    """

    def __init__(self, source: str, game_id: int) -> None:
        super().__init__(f"verify:{source}:{game_id}", say(words.VERIFY_BUTTON))
        self._source = source
        self._game_id = game_id

    @classmethod
    def from_match(cls, match: re.Match[str]) -> Self:
        """The button of a game."""
        return cls(match[1], int(match[2]))

    async def press(self, interaction: Interaction) -> None:
        """Show the check in a private message of its own; the board stays."""
        verifying = services_of(interaction).verifying
        checks = {
            "play": verifying.play,
            "mastermind": verifying.mastermind,
            "duel": verifying.duel,
        }
        verified = await checks[self._source](interaction.user.id, self._game_id)
        await whisper(interaction, VerifiedPage(verified))


def verify_of(source: str, game_id: int, *commitments: Commitment | None) -> Iterator[VerifyButton]:
    """The button of a game, if any of its commitments is opened."""
    if any(found is not None and found.text is not None for found in commitments):
        yield VerifyButton(source, game_id)
