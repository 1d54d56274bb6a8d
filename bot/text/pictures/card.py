"""The card of a shared result: the marks of each guess without symbols, and how many it took.

It has its own ground, so that it looks the same in every theme, and no font: its figures are the
strokes of the tiles. Discord shows it at most 550 pixels wide, on a phone 235.
"""

from typing import Final

from PIL import Image, ImageDraw

from bot.text.counts import HARD_MARK, score
from bot.text.pictures.drawing import SIZE, png, strokes
from bot.text.pictures.palette import GROUND
from bot.text.pictures.tiles import SYMBOL_LINES, draw_marks
from engine import Focdle, Game, Marks, Outcome

_WIDTH: Final = 720
PADDING: Final = 28
ROUNDING: Final = 28
SOLVED: Final = "#5cc98a"
LOST: Final = "#9aa1ad"

_TILE: Final = 44
_GAP: Final = 4
_WIDEST_GRID: Final = 480
"""In pixels; what is left beside it has room for the figures."""

_FIGURES: Final = {
    **SYMBOL_LINES,
    "/": (((80, 30), (48, 98)),),
    "X": (((44, 30), (84, 98)), ((84, 30), (44, 98))),
}
# The figures stand in the middle of what the grid leaves, four of them side by side at most.
_FIGURE_SCALE: Final = 0.68
_STAR_SCALE: Final = 0.45
_FIGURE_WIDTH: Final = 40
_FIGURE_HEIGHT: Final = 60


def draw_card(game: Game[Marks], rules: Focdle) -> bytes:
    """The card of a finished game as a PNG.

    Args:
        game: the game.
        rules: what was played; hard mode has its star.
    """
    size = min(_TILE, _WIDEST_GRID // len(game.secret) - _GAP)
    grid = draw_marks([turn.feedback for turn in game.turns], size, _GAP)
    height = max(grid.height, _FIGURE_HEIGHT) + 2 * PADDING
    card = Image.new("RGBA", (_WIDTH, height))
    ground = ImageDraw.Draw(card)
    ground.rounded_rectangle((0, 0, _WIDTH - 1, height - 1), ROUNDING, fill=GROUND)
    card.alpha_composite(grid, (PADDING, (height - grid.height) // 2))

    is_solved = game.outcome is Outcome.SOLVED
    figures = _figures(
        score(len(game.turns), rules.max_guesses, is_solved=is_solved, is_hard=rules.hard)
    )
    left = (PADDING + grid.width + _WIDTH - figures.width) // 2
    ink = Image.new("RGB", figures.size, SOLVED if is_solved else LOST)
    card.paste(ink, (left, (height - figures.height) // 2), figures)
    return png(card)


def _figures(text: str) -> Image.Image:
    """Digits, a slash, an X and a star as a mask."""
    mask = Image.new("L", (len(text) * _FIGURE_WIDTH, _FIGURE_HEIGHT))
    left, top = (SIZE - _FIGURE_WIDTH) // 2, (SIZE - _FIGURE_HEIGHT) // 2
    for place, figure in enumerate(text):
        scale = _STAR_SCALE if figure == HARD_MARK else _FIGURE_SCALE
        drawn = strokes(_FIGURES[figure], scale)
        part = drawn.crop((left, top, SIZE - left, SIZE - top))
        mask.paste(part, (place * _FIGURE_WIDTH, 0))
    return mask
