"""Messages that discord.py need not remember."""

from discord import ui


class Page(ui.LayoutView):
    """A message whose buttons find their own way, by the ids they carry.

    discord.py would keep each one, with a timer of fifteen minutes for private
    messages; a view that has stopped listening is forgotten as soon as it is sent.
    """

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.stop()


class Notice(Page):
    """A message of text only."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.add_item(ui.TextDisplay[Notice](text))
