"""The base of all persistent lists."""

from collections.abc import Sequence
from typing import Any, cast

from discord import ui

from bot.services.base.errors import NothingChosenError
from cogs.base.persistent import Persistent
from cogs.base.replies import Interaction

AnySelect = ui.Select[Any] | ui.ChannelSelect[Any] | ui.RoleSelect[Any] | ui.UserSelect[Any]


class Pick(Persistent[AnySelect]):
    """Base of the lists. Subclasses implement `pick`."""

    async def pick(self, interaction: Interaction, values: Sequence[str]) -> None:
        """Act on a choice.

        Args:
            interaction: the choice, not yet answered.
            values: the values of the options chosen; of channels, roles and members, their ids.
                Clients can take a choice back, so there may be none.
        """
        raise NotImplementedError

    async def press(self, interaction: Interaction) -> None:
        """Act on what was chosen."""
        await self.pick(interaction, cast("dict[str, Any]", interaction.data).get("values", ()))


def chosen(values: Sequence[str]) -> Sequence[str]:
    """What was chosen.

    Raises:
        NothingChosenError: nothing.
    """
    if not values:
        raise NothingChosenError
    return values
