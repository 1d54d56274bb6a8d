"""Letters in pictures, of the font that matplotlib ships, whatever this machine has."""

import unicodedata
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.text.names import letters, visible

_LIBRARY: Final = "matplotlib"
_FONT: Final = ("mpl-data", "fonts", "ttf", "DejaVuSans-Bold.ttf")
# Characters are compared at this size, with one that is none.
_SMALL: Final = 12
_NONE: Final = "\uffff"
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """The font, so many pixels high."""
    return ImageFont.truetype(_file(), size, layout_engine=ImageFont.Layout.BASIC)


def drawable(name: str) -> str:
    """What of a name can be drawn; of scripts that run to the left or that the font lacks, nothing.

    >>> drawable("Ann 安"), drawable("安娜")
    ('Ann', '')
    """
    found = (c for c in unicodedata.normalize("NFC", visible(name)) if _is_drawable(c))
    return visible("".join(found))


def initial(name: str) -> str:
    """The first letter or digit of a name that can be drawn; empty if there is none.

    >>> initial("_zoë"), initial("安 9"), initial("🎈")
    ('Z', '9', '')
    """
    for letter in letters(unicodedata.normalize("NFC", visible(name))):
        if letter[0].isalnum() and _is_known(letter[0]):
            capital = letter[0].upper()
            return capital if len(capital) == 1 and _is_known(capital) else letter[0]
    return ""


def fitting(text: str, width: int, size: int) -> str:
    """A text cut to so many pixels at a size of type, with an ellipsis if it was cut."""
    shown, kept = text, list(letters(text))
    while kept and font(size).getlength(shown) > width:
        kept.pop()
        shown = "".join(kept).rstrip() + "…"
    return shown


def _is_drawable(c: str) -> bool:
    return _is_known(c) and unicodedata.bidirectional(c) not in _RIGHT_TO_LEFT


def _is_known(c: str) -> bool:
    """Whether the font has a character: all that it lacks look alike."""
    return _look(c) != _look(_NONE)


@lru_cache(1_000)
def _look(c: str) -> tuple[bytes, float]:
    picture = Image.new("L", (2 * _SMALL, 2 * _SMALL))
    ImageDraw.Draw(picture).text((0, 0), c, fill=255, font=font(_SMALL))
    return picture.tobytes(), font(_SMALL).getlength(c)


@cache
def _file() -> Path:
    """Where the font is; the library is looked for, not loaded, as that takes time and memory."""
    library = find_spec(_LIBRARY)
    if library is None or library.origin is None:
        raise ModuleNotFoundError(name=_LIBRARY)
    return Path(library.origin).with_name(_FONT[0]).joinpath(*_FONT[1:])
