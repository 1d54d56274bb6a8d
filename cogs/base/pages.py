"""Messages that discord.py need not remember."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import discord
from discord import ui

from bot.presentation.base.text_board import Mood, TextBoard

ACCENTS: Final = {Mood.PLAYING: 0x5865F2, Mood.SOLVED: 0x3BA55D, Mood.LOST: 0x99AAB5}
"""The colours of a board's frame."""

Items = Iterable[ui.Item[Any]]
"""What stands in a row below a board."""


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


class BoardPage(Page):
    """A board and what can be done with it.

    Args:
        board: the board.
        rows: its buttons and lists, row by row; empty rows are left out.
        note: what is said above them.
    """

    def __init__(self, board: TextBoard, rows: Iterable[Items], note: str = "") -> None:
        super().__init__()
        container = ui.Container[BoardPage](accent_colour=ACCENTS[board.mood])
        for index, text in enumerate(filter(None, (*board.texts, note))):
            if index:
                container.add_item(ui.Separator[BoardPage](visible=False))
            container.add_item(ui.TextDisplay[BoardPage](text))
        for items in rows:
            row = ui.ActionRow[BoardPage]()
            for item in items:
                row.add_item(item)
            if row.children:
                container.add_item(row)
        self.add_item(container)


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
