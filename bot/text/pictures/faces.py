"""Faces in pictures: discs with an avatar or, without one, with an initial.

A disc's colour follows from its player's id. It stands out on the dark ground of our pictures, and
white letters stand out on it.
"""

from functools import cache
from io import BytesIO
from typing import Final
from zlib import crc32

from PIL import Image, ImageDraw

from bot.text.pictures.drawing import png
from bot.text.pictures.lettering import font, initial
from bot.text.pictures.palette import GROUND

COLOURS: Final = (
    "#d43643",
    "#b6581a",
    "#89710f",
    "#2c8342",
    "#17807d",
    "#2a74c8",
    "#6666d3",
    "#9e51c5",
    "#cc338c",
)
INK: Final = "#ffffff"

AVATAR: Final = 64
"""How wide an avatar is asked for and kept, in pixels."""
Avatar = bytes
"""The pixels of one: red, green, blue, row by row."""

# A file that says it is larger would take memory and time before anybody sees that it is none.
_WIDEST: Final = 2 * AVATAR
# Drawn larger, then reduced: Pillow has no smooth borders.
_OVERSAMPLING: Final = 4
_LETTER: Final = 0.56
"""The height of an initial's font, in widths of its disc."""


def colour_of(player_id: int) -> str:
    """The colour of a player's disc; of ids that follow each other, any."""
    return COLOURS[crc32(str(player_id).encode()) % len(COLOURS)]


def draw_disc(player_id: int, name: str, size: int) -> Image.Image:
    """A player's disc with their initial; with a silhouette if it cannot be drawn.

    Args:
        player_id: whose.
        name: what they are called.
        size: its width and height in pixels.
    """
    large = size * _OVERSAMPLING
    disc = Image.new("RGB", (large, large), colour_of(player_id))
    drawing = ImageDraw.Draw(disc)
    if letter := initial(name):
        type_ = font(round(large * _LETTER))
        left, top, right, bottom = type_.getbbox(letter)
        place = (large - left - right) / 2, (large - top - bottom) / 2
        drawing.text(place, letter, fill=INK, font=type_)
    else:
        _draw_silhouette(drawing, large)
    return rounded(disc, size)


def disc_file(player_id: int, name: str, size: int) -> bytes:
    """A player's disc as a PNG."""
    return png(draw_disc(player_id, name, size))


def draw_face(avatar: Avatar | None, player_id: int, name: str, size: int) -> Image.Image:
    """A player's avatar as a disc; their initial without one."""
    if avatar is None:
        return draw_disc(player_id, name, size)
    return rounded(Image.frombytes("RGB", (AVATAR, AVATAR), avatar), size)


def decode_avatar(file: bytes) -> Avatar | None:
    """An avatar on our pictures' ground; None if the file is no small picture in the format PNG."""
    try:
        with Image.open(BytesIO(file), formats=["PNG"]) as picture:
            if max(picture.size) > _WIDEST:
                return None
            seen = picture.convert("RGBA")
    except Exception:  # noqa: BLE001 - whatever is wrong with it, it is no picture
        return None
    ground = Image.new("RGBA", seen.size, GROUND)
    ground.alpha_composite(seen)
    fitting = ground.convert("RGB").resize((AVATAR, AVATAR), Image.Resampling.BICUBIC)
    return fitting.tobytes()


def rounded(picture: Image.Image, size: int) -> Image.Image:
    """A square picture as a disc of another size."""
    found = picture.convert("RGBA").resize((size, size), Image.Resampling.LANCZOS)
    ground = Image.new("RGBA", (size, size))
    ground.paste(found, (0, 0), _mask(size))
    return ground


@cache
def _mask(size: int) -> Image.Image:
    large = size * _OVERSAMPLING
    mask = Image.new("L", (large, large))
    ImageDraw.Draw(mask).ellipse((0, 0, large - 1, large - 1), fill=255)
    return mask.reduce(_OVERSAMPLING)


def _draw_silhouette(drawing: ImageDraw.ImageDraw, size: int) -> None:
    """A head above shoulders, which the disc cuts off."""
    middle = size / 2
    head, shoulders = 0.19 * size, 0.34 * size
    drawing.ellipse((middle - head, 0.2 * size, middle + head, 0.2 * size + 2 * head), fill=INK)
    top = 0.64 * size
    drawing.ellipse((middle - shoulders, top, middle + shoulders, top + 2 * shoulders), fill=INK)
