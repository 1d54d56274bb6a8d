"""A bot that answers one form of four as it should, for the benchmark to notice."""

from itertools import count
from typing import Final

from benchmarks.load import empty_bot
from benchmarks.load.empty_bot import Board, GuessForm, Interaction
from bot.errors import StorageBusyError
from bot.refusals import refusal

_forms: Final = count()


async def answer(_: GuessForm, interaction: Interaction) -> None:
    match next(_forms) % 4:
        case 0:
            await interaction.response.edit_message(view=Board())
        case 1:
            await interaction.response.send_message(refusal(StorageBusyError()), ephemeral=True)
        case 2:
            await interaction.response.send_message("That went wrong.", ephemeral=True)
        case _:
            pass


def main() -> int:
    GuessForm.on_submit = answer
    return empty_bot.main()
