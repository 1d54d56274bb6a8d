"""The rows of a board as one picture, for lengths whose tiles would wrap on a phone."""

import io
from functools import cache
from typing import Final

from PIL import Image

from bot.presentation.base.tiles import BLANK_NAME, Palette, State, tile_name
from bot.presentation.pictures.tiles import draw
from engine import Game, Marks, Turn

TILE: Final = 64
GAP: Final = 6
# Discord rounds the corners of pictures; the tiles there must keep theirs.
MARGIN: Final = 8


def draw_rows(game: Game[Marks], palette: Palette) -> bytes:
    """A PNG with transparent ground: a row of tiles for each guess, made or still to be made."""
    rows = [_names(turn, palette) for turn in game.turns]
    if game.outcome is None:
        rows += [[BLANK_NAME] * len(game.secret)] * game.guesses_left
    step = TILE + GAP
    width, height = (n * step - GAP + 2 * MARGIN for n in (len(game.secret), len(rows)))
    picture = Image.new("RGBA", (width, height))
    for y, row in enumerate(rows):
        for x, name in enumerate(row):
            picture.paste(_tile(name), (MARGIN + x * step, MARGIN + y * step))
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG")
    return buffer.getvalue()


def _names(turn: Turn[Marks], palette: Palette) -> list[str]:
    marks = zip(turn.guess, turn.feedback, strict=True)
    return [tile_name(symbol, State.of(mark), palette) for symbol, mark in marks]


@cache
def _tile(name: str) -> Image.Image:
    with Image.open(io.BytesIO(draw(name))) as picture:
        return picture.convert("RGBA").reduce(picture.width // TILE)
