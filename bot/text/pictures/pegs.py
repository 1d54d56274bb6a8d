"""The pictures of Mastermind's pegs: a letter on a disc, and small discs for the key pegs.

Discord shows them 22 pixels high, on grounds from white to nearly black. The colours differ in
lightness as well as in hue, and every peg has its letter, for who cannot tell hues apart. An edge
stands out on the ground that its fill comes near to.
"""

from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import Final

from PIL import Image, ImageChops

from bot.text.pegs import EMPTY_NAME, every_key, every_name, key_name, peg_name
from bot.text.pictures.drawing import MIDDLE, SIZE, Line, Pen, Point, arc, disc, png, strokes
from engine import Score

_RADIUS: Final = 62
_EDGE: Final = 7
_LETTER_SCALE: Final = 0.92
# A shine at the upper left, so that a peg looks round.
_SHINE: Final = 0.22
_SHINE_RADIUS: Final = 46

_BRIGHT: Final = "#ffffff"
_DARK: Final = "#1b1b1f"
_GREY: Final = "#7d8590"


@dataclass(frozen=True, slots=True)
class _Look:
    """A peg's colours: of its fill, its edge and its letter."""

    fill: str
    edge: str
    ink: str


_LOOKS: Final = {
    "R": _Look("#d92332", "#ff8f8f", _BRIGHT),
    "O": _Look("#ff8c1a", "#9a4a00", _DARK),
    "Y": _Look("#ffe04a", "#8a6d00", _DARK),
    "G": _Look("#12803a", "#6fdc97", _BRIGHT),
    "B": _Look("#1f5fd6", "#93bcff", _BRIGHT),
    "P": _Look("#6d28b0", "#cfa3ff", _BRIGHT),
    "C": _Look("#37cdea", "#0d6678", _DARK),
    "K": _Look("#ff9ed2", "#a8306f", _DARK),
    "N": _Look("#6f4420", "#d9ad7c", _BRIGHT),
    "W": _Look("#f7f8fa", "#6b7280", _DARK),
}

# The middles of the strokes; letters stand between 30 and 98.
_LETTERS: Final[dict[str, tuple[Line, ...]]] = {
    "R": (
        ((46, 98), (46, 30), (62, 30), *arc((64, 48), (20, 18), -90, 90), (46, 66)),
        ((66, 66), (86, 98)),
    ),
    "O": (arc((64, 64), (25, 34), 0, 360),),
    "Y": (((41, 30), (64, 64), (87, 30)), ((64, 64), (64, 98))),
    "G": ((*arc((65, 64), (25, 34), -50, -360), (66, 64)),),
    "B": (
        ((46, 30), (62, 30), *arc((63, 46.5), (18, 16.5), -90, 90), (46, 63)),
        ((62, 63), *arc((64, 80.5), (21, 17.5), -90, 90), (46, 98), (46, 30)),
    ),
    "P": (((46, 98), (46, 30), (62, 30), *arc((64, 49), (21, 19), -90, 90), (46, 68)),),
    "C": (arc((66, 64), (25, 34), -50, -310),),
    "K": (((46, 30), (46, 98)), ((86, 30), (48, 68)), ((59, 58), (87, 98))),
    "N": (((43, 98), (43, 30), (85, 98), (85, 30)),),
    "W": (((36, 30), (49, 98), (64, 48), (79, 98), (92, 30)),),
}

# Key pegs on a plate that both kinds stand out on: where up to one, two, four and six stand, and
# their radius. Few are larger, so that they can be counted on a phone.
_PLACES: Final[tuple[tuple[tuple[Point, ...], int], ...]] = (
    (((64, 64),), 38),
    (((35, 64), (93, 64)), 26),
    (((37, 37), (91, 37), (37, 91), (91, 91)), 23),
    (((25, 40), (64, 40), (103, 40), (25, 88), (64, 88), (103, 88)), 16),
)
_DASH: Final[Line] = ((40, 64), (88, 64))
_DASH_WIDTH: Final = 14
_DASH_COLOUR: Final = "#2b2f36"
_PLATE: Final = "#858c98"
_PLATE_MARGIN: Final = 2
_PLATE_ROUNDING: Final = 26
_BLACK_PEG: Final = "#0c0c0f"
_WHITE_PEG: Final = "#ffffff"


def names() -> tuple[str, ...]:
    """The names of all pictures."""
    return every_name()


def draw(name: str) -> bytes:
    """The picture with this name, as a PNG file: the same bytes from the same Pillow.

    Raises:
        KeyError: there is none.
    """
    if name in _KEYS:
        return png(_key(_KEYS[name]))
    if name == EMPTY_NAME:
        return png(_empty())
    return png(_peg(_PEGS[name]))


@cache
def peg_picture(name: str, size: int) -> Image.Image:
    """The picture with this name so many pixels wide, for part of another; not to be changed.

    Raises:
        KeyError: there is none.
    """
    with Image.open(BytesIO(draw(name))) as picture:
        return picture.convert("RGBA").resize((size, size), Image.Resampling.LANCZOS)


def _peg(letter: str) -> Image.Image:
    look = _LOOKS[letter]
    picture = Image.new("RGB", (SIZE, SIZE), look.edge)
    picture.paste(look.fill, mask=disc(_RADIUS - _EDGE))
    shine = _shine().point([round(v * _SHINE) for v in range(256)])
    picture.paste(_BRIGHT, mask=shine)
    picture.paste(look.ink, mask=strokes(_LETTERS[letter], _LETTER_SCALE))
    picture.putalpha(disc(_RADIUS))
    return picture


def _shine() -> Image.Image:
    pen = Pen()
    pen.line(arc((MIDDLE, MIDDLE), (_SHINE_RADIUS, _SHINE_RADIUS), 190, 290), 9)
    return pen.mask()


def _empty() -> Image.Image:
    picture = Image.new("RGB", (SIZE, SIZE), _GREY)
    picture.putalpha(ImageChops.subtract(disc(_RADIUS - 8), disc(_RADIUS - 18)))
    return picture


def _key(score: Score) -> Image.Image:
    picture = Image.new("RGB", (SIZE, SIZE), _PLATE)
    pegs = [_BLACK_PEG] * score.bulls + [_WHITE_PEG] * score.cows
    places, radius = next(fit for fit in _PLACES if len(pegs) <= len(fit[0]))
    for colour, place in zip(pegs, places, strict=False):
        pen = Pen()
        pen.disc(*place, radius)
        picture.paste(colour, mask=pen.mask())
    if not pegs:  # a plate without anything would look like a place that waits for an answer
        dash = Pen()
        dash.line(_DASH, _DASH_WIDTH)
        picture.paste(_DASH_COLOUR, mask=dash.mask())
    plate = Pen()
    plate.rounded_square(_PLATE_MARGIN, _PLATE_ROUNDING)
    picture.putalpha(plate.mask())
    return picture


_PEGS: Final = {peg_name(letter): letter for letter in _LOOKS}
_KEYS: Final = {key_name(score): score for score in every_key()}
