"""Today's card as a picture: a face, a name and the marks of each player, in the look of the card.

Discord shows it at most 550 pixels wide, on a phone 235: a face is then 20 of them wide.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from bot.text import counts
from bot.text.names import LONGEST, clip, visible
from bot.text.pictures.card import LOST, PADDING, ROUNDING, SOLVED
from bot.text.pictures.drawing import png
from bot.text.pictures.faces import Avatar, draw_face, rounded
from bot.text.pictures.lettering import drawable, fitting, font
from bot.text.pictures.palette import GROUND, INK
from bot.text.pictures.tiles import draw_marks
from engine import Marks

MOST: Final = 24
"""How many players a picture has room for."""


@dataclass(frozen=True, slots=True)
class _Cell:
    """A player's part of a picture, in pixels: its width, the face, and the letters beside."""

    width: int
    face: int = 62
    name: int = 27
    score: int = 25


_CELLS: Final = {1: _Cell(400), 2: _Cell(316), 3: _Cell(206), 4: _Cell(150, 50, 23, 23)}
"""By the number of columns."""
_PAIRS: Final = 4
_SMALL: Final = 6
_MEDIUM: Final = 9
_BETWEEN: Final = 23
_ROWS_APART: Final = 30
_BESIDE_FACE: Final = 12
_BELOW_FACE: Final = 14
_WIDEST_TILE: Final = 36
_TILE_GAP: Final = 2
_RING: Final = "#f0b429"
_RING_WIDTH: Final = 4


@dataclass(frozen=True, slots=True)
class Portrait:
    """A player in a group picture.

    Attributes:
        player_id: who it is.
        name: what they are called in the server.
        turns: the marks of each guess; at least one.
        max_guesses: how many there might have been.
        is_solved: whether the last one was right.
        is_hard: whether it was played in hard mode, which has its star.
        is_best: whether nobody was better, once that is sure: there is a ring around the face.
        avatar: their avatar; a disc with the initial without one.
    """

    player_id: int
    name: str
    turns: Sequence[Marks]
    max_guesses: int
    is_solved: bool
    is_hard: bool
    is_best: bool = False
    avatar: Avatar | None = None

    @property
    def score(self) -> str:
        """Guesses of all there were, as the card has them."""
        made, most = len(self.turns), self.max_guesses
        return counts.score(made, most, is_solved=self.is_solved, is_hard=self.is_hard)


def draw_group(portraits: Sequence[Portrait]) -> bytes:
    """The picture as a PNG, its players row by row; to be drawn in a worker thread.

    Args:
        portraits: at least one; of more than there is room for, the first.
    """
    shown = portraits[:MOST]
    columns = _columns(len(shown))
    cells = [_cell(portrait, _CELLS[columns]) for portrait in shown]
    rows = [cells[n : n + columns] for n in range(0, len(cells), columns)]
    heights = [max(cell.height for cell in row) for row in rows]
    width = columns * _CELLS[columns].width + (columns - 1) * _BETWEEN + 2 * PADDING
    height = sum(heights) + (len(rows) - 1) * _ROWS_APART + 2 * PADDING
    picture = Image.new("RGBA", (width, height))
    ground = ImageDraw.Draw(picture)
    ground.rounded_rectangle((0, 0, width - 1, height - 1), ROUNDING, fill=GROUND)
    top = PADDING
    for row, tallest in zip(rows, heights, strict=True):
        for column, cell in enumerate(row):
            place = PADDING + column * (_CELLS[columns].width + _BETWEEN), top
            picture.alpha_composite(cell, place)
        top += tallest + _ROWS_APART
    return png(picture)


def described(portraits: Sequence[Portrait]) -> str:
    """The picture for who cannot see it: who is in it, and how many guesses each took."""
    shown = portraits[:MOST]
    return " · ".join(f"{clip(visible(p.name), LONGEST)} {p.score}".strip() for p in shown)


def _columns(players: int) -> int:
    """How many stand side by side: the more there are, the more; four are two pairs."""
    if players == _PAIRS:
        return 2
    if players <= _SMALL or players == _MEDIUM:
        return min(players, 3)
    return max(_CELLS)


def _cell(portrait: Portrait, look: _Cell) -> Image.Image:
    """A face with name and score to its right, above the marks."""
    size = min(_WIDEST_TILE, look.width // len(portrait.turns[0]) - _TILE_GAP)
    grid = draw_marks(portrait.turns, size, _TILE_GAP)
    top = look.face + _BELOW_FACE
    cell = Image.new("RGBA", (look.width, top + grid.height))
    _draw_portrait(cell, portrait, look.face)
    drawing = ImageDraw.Draw(cell)
    left, middle = look.face + _BESIDE_FACE, look.face / 2
    colour = SOLVED if portrait.is_solved else LOST
    name = fitting(drawable(portrait.name), look.width - left, look.name)
    if name:
        drawing.text((left, middle - 3), name, fill=INK, font=font(look.name), anchor="ls")
    # Whose name cannot be drawn has the score in the middle.
    below = middle + (look.score if name else look.score / 2 - 3)
    drawing.text((left, below), portrait.score, fill=colour, font=font(look.score), anchor="ls")
    cell.alpha_composite(grid, (0, top))
    return cell


def _draw_portrait(cell: Image.Image, portrait: Portrait, size: int) -> None:
    inset = 0
    if portrait.is_best:
        inset = 2 * _RING_WIDTH
        for color, margin in ((_RING, 0), (GROUND, _RING_WIDTH)):
            disc = rounded(Image.new("RGB", (size, size), color), size - 2 * margin)
            cell.alpha_composite(disc, (margin, margin))
    name, avatar = portrait.name, portrait.avatar
    face = draw_face(avatar, portrait.player_id, name, size - 2 * inset)
    cell.alpha_composite(face, (inset, inset))
