"""Messages that discord.py need not remember."""

from collections.abc import Sequence

import discord
from discord import ui


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
    """A message of text only."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.add_item(ui.TextDisplay[Notice](text))
