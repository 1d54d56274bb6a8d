"""Pages: messages built of blocks, which discord.py need not remember.

A block is a text or an item of Discord's; empty texts and rows are left out:

    page(heading, gap(), beside(line, button), line(), row(first, second), mood=Mood.PLAYING)
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import discord
from discord import ui

from bot.people.model.faces import Face
from bot.text.text_board import Mood, TextBoard
from cogs.ui.faces import THUMBNAIL, avatar_url

ACCENTS: Final = {
    Mood.PLAYING: 0x5865F2,
    Mood.WAITING: 0xF0B429,
    Mood.SOLVED: 0x3BA55D,
    Mood.LOST: 0x99AAB5,
    Mood.CALM: 0x5865F2,
    Mood.ALARM: 0xED4245,
}
"""The colours of a page's frame."""

_LARGEST_ID: Final = 2**31 - 1
"""Of an item within its message."""

Block = str | ui.Item[Any]
Items = Iterable[ui.Item[Any]]
"""What stands in a row."""


class Page(ui.LayoutView):
    """A message whose buttons find their own way, by the ids they carry.

    discord.py would keep each one, with a timer of fifteen minutes for private
    messages; a view that has stopped listening is forgotten as soon as it is sent.

    Args:
        blocks: from top to bottom.
        files: the pictures it shows.
    """

    def __init__(self, blocks: Iterable[Block] = (), files: Sequence[discord.File] = ()) -> None:
        super().__init__(timeout=None)
        self.files = list(files)
        for item in _items(blocks):
            self.add_item(item)
        self.stop()


def page(*blocks: Block, mood: Mood | None = None, files: Sequence[discord.File] = ()) -> Page:
    """A message in a frame."""
    return Page([framed(*blocks, mood=mood)], files)


def framed(*blocks: Block, mood: Mood | None = None) -> ui.Container[Any]:
    """Blocks in a frame, coloured by its mood if it has one."""
    return ui.Container[Any](*_items(blocks), accent_colour=mood and ACCENTS[mood])


def text_page(
    board: TextBoard,
    rows: Iterable[Items],
    note: str = "",
    face: Face | None = None,
    drawn: discord.File | None = None,
) -> Page:
    """A board and what can be done with it.

    Args:
        board: the board.
        rows: its buttons and lists, row by row.
        note: what is said above them.
        face: stands beside one of its texts, if it is known.
        drawn: a picture below the first of its texts.
    """
    blocks: list[Block] = [*board.texts, note]
    blocks[board.face_at] = with_face(board.texts[board.face_at], face)
    files = [] if drawn is None else [drawn]
    blocks[1:1] = map(picture, files)
    buttons = (row(*items) for items in rows)
    return page(*spaced(blocks), *buttons, board.foot, mood=board.mood, files=files)


def notice(text: str, buttons: Items = ()) -> Page:
    """A message of text, and perhaps of buttons."""
    return Page([text, row(*buttons)])


def row(*items: ui.Item[Any]) -> ui.ActionRow[Any]:
    """Buttons beside each other, or one list."""
    return ui.ActionRow[Any](*items)


def beside(text: str, item: ui.Item[Any]) -> ui.Section[Any]:
    """A text with a button or a picture to its right."""
    return ui.Section[Any](text, accessory=item)


def with_face(text: str, face: Face | None) -> Block:
    """A text, with a face to its right if there is one.

    It takes a third of a phone's width, so rows of tiles have no room there.
    """
    return text if face is None else beside(text, ui.Thumbnail[Any](avatar_url(face, THUMBNAIL)))


def button(
    custom_id: str,
    label: str | None,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    *,
    emoji: str | None = None,
    disabled: bool = False,
) -> ui.Button[Any]:
    """A button that leads where its id says."""
    return ui.Button[Any](
        label=label, style=style, custom_id=custom_id, emoji=emoji, disabled=disabled
    )


def new_id(drawn: int) -> int:
    """An id for a list within its message.

    A client goes on showing what was chosen in a list with the same ids, even if it was refused.

    Args:
        drawn: anything that differs each time the list is drawn; it belongs into the other id, too.
    """
    return drawn % _LARGEST_ID + 1


def picture(file: discord.File) -> ui.MediaGallery[Any]:
    """A picture, which the page has among its files."""
    gallery = ui.MediaGallery[Any]()
    gallery.add_item(media=file, description=file.description)
    return gallery


def line() -> ui.Separator[Any]:
    """A line between two blocks."""
    return ui.Separator[Any]()


def gap() -> ui.Separator[Any]:
    """Some space between two blocks."""
    return ui.Separator[Any](visible=False)


def spaced(blocks: Iterable[Block]) -> Iterator[Block]:
    """Blocks with space between them; empty texts are left out."""
    for number, block in enumerate(
        block for block in blocks if not isinstance(block, str) or block
    ):
        if number:
            yield gap()
        yield block


def _items(blocks: Iterable[Block]) -> Iterator[ui.Item[Any]]:
    for block in blocks:
        if isinstance(block, str):
            if block:
                yield ui.TextDisplay[Any](block)
        elif not isinstance(block, ui.ActionRow) or block.children:
            yield block
