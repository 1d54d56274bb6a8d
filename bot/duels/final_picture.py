"""The picture of a finished duel.

Discord shows it at most 550 pixels wide, and 235 on a phone, where a tile is some 14 pixels wide.
"""

from typing import Final

from PIL import Image, ImageDraw

from bot.duels.board_words import FinalPicture, Side
from bot.text.pictures.boards import PADDING, ROUNDING, SOLVED, draw_face
from bot.text.pictures.drawing import FAINT, GROUND, INK, drawable, fitting, font, png
from bot.text.pictures.tile_art import code_row

_SIDE: Final = 340
_BETWEEN: Final = 24
_FACE: Final = 96
_BESIDE_FACE: Final = 14
_NAME: Final = 38
_RATING: Final = 34
_LARGEST_LINE: Final = 42
_SMALLEST_LINE: Final = 30
_LEADING: Final = 10
_WIDEST_TILE: Final = 56
_HIGHEST_ROUNDS: Final = 1080
"""The height of all rounds in pixels: Discord shrinks pictures that are much higher than wide."""
_GAP: Final = 4
_BEFORE_KEY: Final = 8
_BELOW: Final = 20


def draw_final(picture: FinalPicture) -> bytes:
    size = _LARGEST_LINE  # as large as fits
    while size > _SMALLEST_LINE and not _fit(picture, size):
        size -= 2
    lines = max(len(side.lines) for side in picture.sides) * (size + _LEADING)
    rounds = max(len(side.turns) for side in picture.sides)
    # rows fit half the picture, and all rounds its height
    across = (_SIDE - _BEFORE_KEY) // (picture.digits + 1) - _GAP
    tile = min(_WIDEST_TILE, across, _HIGHEST_ROUNDS // max(rounds, 1) - _GAP)
    top = PADDING + _FACE + _BELOW + lines + _BELOW
    height = top + rounds * (tile + _GAP) + PADDING
    if picture.line:
        height += _BELOW + size
    width = 2 * _SIDE + _BETWEEN + 2 * PADDING
    whole = Image.new("RGBA", (width, height))
    ground = ImageDraw.Draw(whole)
    ground.rounded_rectangle((0, 0, width - 1, height - 1), ROUNDING, fill=GROUND)
    for number, side in enumerate(picture.sides):
        left = PADDING + number * (_SIDE + _BETWEEN)
        _draw_head(whole, side, left, size)
        for row, turn in enumerate(side.turns):
            made = code_row(turn.guess, turn.feedback, tile)
            whole.alpha_composite(made, (left, top + row * (tile + _GAP)))
    if picture.line:
        place = width / 2, height - PADDING
        words = fitting(drawable(picture.line), width - 2 * PADDING, size)
        ground.text(place, words, fill=INK, font=font(size), anchor="ms")
    return png(whole)


def _fit(picture: FinalPicture, size: int) -> bool:
    lines = [(line, _SIDE) for side in picture.sides for line in side.lines]
    lines.append((picture.line, 2 * _SIDE + _BETWEEN))
    return all(font(size).getlength(line) <= room for line, room in lines)


def _draw_head(whole: Image.Image, side: Side, left: int, size: int) -> None:
    drawing = ImageDraw.Draw(whole)
    face = draw_face(side.avatar, side.player_id, side.name, _FACE)
    whole.alpha_composite(face, (left, PADDING))
    name = fitting(drawable(side.name), _SIDE - _FACE - _BESIDE_FACE, _NAME)
    beside, middle = left + _FACE + _BESIDE_FACE, PADDING + _FACE // 2
    colour, above = SOLVED if side.is_winner else INK, middle - bool(side.rating) * _NAME * 3 // 5
    drawing.text((beside, above), name, fill=colour, font=font(_NAME), anchor="lm")
    below = beside, middle + _RATING * 3 // 5
    drawing.text(below, side.rating, fill=FAINT, font=font(_RATING), anchor="lm")
    for number, words in enumerate(side.lines):
        baseline = PADDING + _FACE + _BELOW + number * (size + _LEADING) + size
        colour = SOLVED if side.is_winner and not number else FAINT
        shown = fitting(words, _SIDE, size)
        drawing.text((left, baseline), shown, fill=colour, font=font(size), anchor="ls")
