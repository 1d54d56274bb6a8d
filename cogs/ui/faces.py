"""Players' faces: their avatars, as Discord serves them."""

from typing import Final

from bot.people.model.faces import Face

CDN: Final = "https://cdn.discordapp.com"
"""Where Discord keeps pictures."""
THUMBNAIL: Final = 128
"""How wide a face is asked for beside a text; a phone's screen has about as many pixels for it."""


def avatar_url(face: Face, size: int, base: str = CDN) -> str:
    """The address of an avatar; of one that moves, of its first picture.

    Args:
        face: whose.
        size: its width and height in pixels, a power of two.
        base: where pictures are kept.
    """
    return f"{base}/avatars/{face.player_id}/{face.avatar}.png?size={size}"
