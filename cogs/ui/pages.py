"""Pages: messages built of blocks, with avatars and emojis in them.

A block is a text or an item of Discord's. Empty texts, and rows without items, are left out:

    page(heading, gap(), beside(line, button), line(), row(first, second), mood=Mood.PLAYING)
"""

import logging
import secrets
from collections.abc import (
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from functools import lru_cache
from typing import Any, Final, TypeVar

import discord
from discord import ui

from bot.people.album import avatar_url
from bot.people.model import Face
from bot.text.markup import letters
from bot.text.tiles import Mood, TextBoard, letter_of, without_emojis
from cogs.ui.host import Host

T = TypeVar("T")


THUMBNAIL: Final = 128
"""The size in which an avatar beside a text is fetched, in pixels: sharp on a phone."""


log = logging.getLogger(__name__)

ACCENTS: Final = {
    Mood.PLAYING: 0x5865F2,
    Mood.WAITING: 0xF0B429,
    Mood.SOLVED: 0x3BA55D,
    Mood.LOST: 0x99AAB5,
    Mood.CALM: 0x5865F2,
    Mood.ALARM: 0xED4245,
}
"""The colour of a page's frame in each mood."""

_LARGEST_ID: Final = 2**31 - 1
"""The largest number that Discord takes as an item's `id`."""

Block = str | ui.Item[Any]
Items = Iterable[ui.Item[Any]]
"""The items of a row."""


class Page(ui.LayoutView):
    """A message whose buttons and lists are handled by their ids, also after a restart.

    It stops listening as soon as it is built: otherwise discord.py would keep it in memory, with a
    timer of fifteen minutes for a private message.
    """

    def __init__(self, blocks: Iterable[Block] = (), files: Sequence[discord.File] = ()) -> None:
        super().__init__(timeout=None)
        self.files = list(files)
        for item in _items(blocks):
            self.add_item(item)
        fit(self.walk_children())
        for file in self.files:
            _fit(file, "description", _MOST_DESCRIBED)
        self.stop()


# The most characters that Discord takes; it refuses a message or form with more in any place.
_MOST_TEXT: Final = 4000
"""In all texts of a message or form together."""
_MOST_DESCRIBED: Final = 1024
"""In the description of a picture."""
_MOST: Final[tuple[tuple[type, Mapping[str, int]], ...]] = (
    (ui.Button, {"label": 80}),
    (ui.Select, {"placeholder": 150}),
    (ui.TextInput, {"placeholder": 100}),
    (ui.Label, {"text": 45, "description": 100}),
    (discord.SelectOption, {"label": 100, "description": 100}),
    (discord.RadioGroupOption, {"label": 100, "description": 100}),
    (discord.MediaGalleryItem, {"description": _MOST_DESCRIBED}),
)
MOST_NAMED: Final = 100
"""In the name of a choice or thread."""


def fit(items: Iterable[ui.Item[Any]]) -> None:
    """Cut what is longer than Discord takes: a longer language keeps no page from opening."""
    texts: list[ui.TextDisplay[Any]] = []
    for item in items:
        if isinstance(item, ui.TextDisplay):
            texts.append(item)
        inside = [*getattr(item, "options", ()), *getattr(item, "items", ())]
        for each in (item, *inside):
            for kind, limits in _MOST:
                if isinstance(each, kind):
                    for name, most in limits.items():
                        _fit(each, name, most)
    while (over := sum(len(text.content) for text in texts) - _MOST_TEXT) > 0:
        longest = max(texts, key=lambda text: len(text.content))
        _fit(longest, "content", max(1, len(longest.content) - over))


def _fit(place: Any, name: str, most: int) -> None:
    text = getattr(place, name)
    if text and len(text) > most:
        setattr(place, name, fitted(text, most, f"{type(place).__name__}.{name}"))


def fitted(text: str, most: int, where: str) -> str:
    """Cut a text to `most` characters, between visible letters and with an ellipsis."""
    if len(text) <= most:
        return text
    _tell_of_cut(where, len(text), most)
    kept = ""
    for letter in letters(text):
        if len(kept) + len(letter) >= most:
            break
        kept += letter
    return f"{kept.rstrip()}…"


@lru_cache(maxsize=64)
def _tell_of_cut(where: str, found: int, most: int) -> None:
    """Log a cut, without the text, which may be a secret; the same one only once."""
    log.warning("%s has %d characters, and Discord takes %d: the rest is cut", where, found, most)


def page(*blocks: Block, mood: Mood | None = None, files: Sequence[discord.File] = ()) -> Page:
    """Build a message of blocks in a frame, in the colour of a mood if there is one."""
    return Page([framed(*blocks, mood=mood)], files)


def framed(*blocks: Block, mood: Mood | None = None) -> ui.Container[Any]:
    """Put blocks into a frame, in the colour of a mood if there is one."""
    return ui.Container[Any](*_items(blocks), accent_colour=mood and ACCENTS[mood])


def text_page(
    board: TextBoard,
    rows: Iterable[Items],
    note: str = "",
    face: Face | None = None,
    drawn: discord.File | None = None,
) -> Page:
    """Build a board's page: its texts, the text `note`, then rows of buttons and lists.

    The picture `drawn` goes below the first text. The avatar of `face` goes beside the text with
    the index `board.face_at`.
    """
    blocks: list[Block] = [*board.texts, note]
    blocks[board.face_at] = with_face(board.texts[board.face_at], face)
    files = [] if drawn is None else [drawn]
    blocks[1:1] = map(picture, files)
    buttons = (row(*items) for items in rows)
    return page(*spaced(blocks), *buttons, mood=board.mood, files=files)


def notice(text: str, buttons: Items = ()) -> Page:
    return Page([text, row(*buttons)])


def row(*items: ui.Item[Any]) -> ui.ActionRow[Any]:
    return ui.ActionRow[Any](*items)


def beside(text: str, item: ui.Item[Any]) -> ui.Section[Any]:
    return ui.Section[Any](text, accessory=item)


def with_face(text: str, face: Face | None) -> Block:
    """Put the avatar of `face` beside a text; without a face, return the text.

    The avatar takes a third of a phone's width, so rows of tiles have no room beside it.
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
    return ui.Button[Any](
        label=label, style=style, custom_id=custom_id, emoji=emoji, disabled=disabled
    )


def new_id() -> int:
    """Draw an `id` for a list, which belongs into its `custom_id`, too.

    Discord's clients go on showing the last choice, even a refused one, in a list whose `id` and
    `custom_id` stay the same.
    """
    return secrets.randbelow(_LARGEST_ID) + 1


def picture(file: discord.File) -> ui.MediaGallery[Any]:
    """Build the block that shows a picture; the page needs the same file among its files."""
    gallery = ui.MediaGallery[Any]()
    gallery.add_item(media=file, description=file.description)
    return gallery


def line() -> ui.Separator[Any]:
    return ui.Separator[Any]()


def gap() -> ui.Separator[Any]:
    return ui.Separator[Any](visible=False)


def spaced(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield blocks with gaps between them, but no empty texts."""
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


INVALID_FORM: Final = 50035
"""Discord's code of an error: a message is wrong, which is the bot's own fault."""
_NAMED_IN_IT: Final = "emoji"


async def sent(client: Host, page: Page, send: Callable[[], Awaitable[T]]) -> T:
    """Send a page by `send`, and return what that returns.

    Discord refuses a message with a button whose emoji was deleted. Then our emojis in the page are
    replaced by Unicode, and `send` is called again. From then on the bot uses no emojis of its own
    until Discord has all of them.
    """
    try:
        return await send()
    except discord.HTTPException as error:
        is_of_emoji = error.code == INVALID_FORM and _NAMED_IN_IT in error.text.lower()
        if not is_of_emoji or not _become_plain(page):
            raise
    client.lose_emojis()
    for file in page.files:
        file.reset()
    return await send()


def _become_plain(page: Page) -> bool:
    """Replace our emojis in a page by Unicode and words; return true if a button had one."""
    is_changed = False
    for item in page.walk_children():
        if isinstance(item, ui.TextDisplay):
            item.content = without_emojis(item.content)
        elif isinstance(item, ui.Button) and item.emoji is not None and item.emoji.id:
            item.label = item.label or letter_of(item.emoji.name)
            item.emoji = without_emojis(str(item.emoji))
            is_changed = True
    return is_changed
