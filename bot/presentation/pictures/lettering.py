"""Letters in pictures, of the font that matplotlib ships, whatever this machine has."""

import unicodedata
from functools import cache
from pathlib import Path
from typing import Final

import matplotlib as mpl
from matplotlib.ft2font import FT2Font
from PIL import ImageFont

from bot.presentation.base.names import letters, visible

_FILE: Final = Path(mpl.get_data_path(), "fonts", "ttf", "DejaVuSans-Bold.ttf")
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """The font, so many pixels high."""
    return ImageFont.truetype(_FILE, size, layout_engine=ImageFont.Layout.BASIC)


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
        if letter[0].isalnum() and ord(letter[0]) in _known():
            capital = letter[0].upper()
            return capital if len(capital) == 1 and ord(capital) in _known() else letter[0]
    return ""


def _is_drawable(c: str) -> bool:
    return ord(c) in _known() and unicodedata.bidirectional(c) not in _RIGHT_TO_LEFT


@cache
def _known() -> frozenset[int]:
    """The characters that the font has."""
    return frozenset(FT2Font(str(_FILE)).get_charmap())
