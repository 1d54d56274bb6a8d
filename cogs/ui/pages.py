"""Messages that discord.py need not remember."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import discord
from discord import ui

from bot.presentation.boards import Mood

ACCENTS: Final = {Mood.PLAYING: 0x5865F2, Mood.SOLVED: 0x3BA55D, Mood.LOST: 0x99AAB5}
"""The colours of a board's frame."""


class Page(ui.LayoutView):
    """A message whose buttons find their own way, by the ids they carry.

    discord.py would keep each one, with a timer of fifteen minutes for private
    messages; a view that has stopped listening is forgotten as soon as it is sent.

    Attributes:
        files: the pictures it shows.
    """

    def __init__(self, files: Sequence[discord.File] = ()) -> None:
        super().__init__(timeout=None)
        self.files = list(files)
        self.stop()


class Notice(Page):
    """A message of text, and perhaps of buttons."""

    def __init__(self, text: str, buttons: Iterable[ui.Item[Any]] = ()) -> None:
        super().__init__()
        self.add_item(ui.TextDisplay[Notice](text))
        row = ui.ActionRow[Notice]()
        for button in buttons:
            row.add_item(button)
        if row.children:
            self.add_item(row)
