"""A bot that does nothing, with the same kinds of interactions as the real one.

It has a slash command, a button that is handled by its id, a form and a constant board, written
like discord.py's own examples; it has no database, and computes nothing.
"""

import os
import re
from typing import Any, Final

import discord
from discord import app_commands, ui
from discord.ext import commands

COMMAND: Final = "board"
GUESS: Final = "board:guess:"

_ROWS: Final = 6
_ROW: Final = "🟩🟨⬛⬛🟩⬛🟨⬛🟩⬛  `12+34-5=41`"

Interaction = discord.Interaction[discord.Client]


class GuessForm(ui.Modal):
    """A form for a guess, answered with the board."""

    def __init__(self) -> None:
        super().__init__(title="Your guess", timeout=600)
        field = ui.TextInput[Any](custom_id="guess", placeholder="12+34-5=41")
        self.add_item(ui.Label[Any](text="Guess", component=field))

    async def on_submit(self, interaction: Interaction, /) -> None:
        await interaction.response.edit_message(view=Board())


class GuessButton(ui.DynamicItem[ui.Button[Any]], template=r"board:guess:(?P<number>[0-9]+)"):
    """A button that opens the form; a real bot would look its number up."""

    def __init__(self, number: int) -> None:
        button = ui.Button[Any](
            label="Guess", style=discord.ButtonStyle.primary, custom_id=f"{GUESS}{number}"
        )
        super().__init__(button)

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> "GuessButton":
        return cls(int(match["number"]))

    async def callback(self, interaction: Interaction) -> None:
        await interaction.response.send_modal(GuessForm())


class Board(ui.LayoutView):
    """A board as large as a real one."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        rows = "\n".join([_ROW] * _ROWS)
        texts = ("## FoCdle 325", rows, "`1234567890+-*/=`", "Guess 4 of 6. Take your time.")
        box = ui.Container[Any](*map(ui.TextDisplay[Any], texts[:2]), accent_color=0x6AAA64)
        box.add_item(ui.Separator[Any]())
        for text in texts[2:]:
            box.add_item(ui.TextDisplay[Any](text))
        others = [ui.Button[Any](label=name, custom_id=name) for name in ("Hint", "Check", "Help")]
        box.add_item(ui.ActionRow[Any](GuessButton(1), *others))
        self.add_item(box)
        self.stop()  # the button is handled by its id, so the view need not be kept


class BoardCog(commands.Cog):
    @app_commands.command(name=COMMAND, description="Show a board")
    async def show_board(self, interaction: Interaction) -> None:
        await interaction.response.send_message(view=Board(), ephemeral=True)


class EmptyBot(commands.AutoShardedBot):
    """A bot that does nothing, with the real one's intents."""

    def __init__(self) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        super().__init__(
            command_prefix=commands.when_mentioned,
            intents=intents,
            help_command=None,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
        )

    async def setup_hook(self) -> None:
        await self.add_cog(BoardCog())
        self.add_dynamic_items(GuessButton)
        await self.tree.sync()


def main() -> int:
    EmptyBot().run(os.environ["DISCORD_TOKEN"], log_handler=None)
    return 0
