"""Seals: hashes that prove that a secret was fixed before its game began.

While a game goes on its boards show the beginning of the SHA-256 of a text: the game, the secret
and a random salt. At the end they show the text. Changing its form would leave players with seals
that nobody can check; a golden test holds it.
"""

import hashlib
import secrets
from dataclasses import dataclass
from typing import Final

SEAL_DIGITS: Final = 40
"""So many that agree cannot be found by trial, not even by who may choose both texts: that takes
some 2**80 of them, the square root of what it takes to meet a given one."""

_SALT_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Commitment:
    """What a board shows for one secret.

    Attributes:
        digest: the SHA-256 of the text, in 64 hexadecimal digits.
        text: what was hashed, once the game is over; None before, for whomever.
    """

    digest: str
    text: str | None

    @property
    def seal(self) -> str:
        """The beginning of the digest, which boards have room for."""
        return self.digest[:SEAL_DIGITS]


def new_salt() -> str:
    """128 random bits, in hexadecimal digits; nobody may see them before the end."""
    return secrets.token_hex(_SALT_BYTES)


def sealed_text(game: str, secret: str, salt: str) -> str:
    """The text that is hashed, such as ``focdle 325/10 25+4*12=73 9f…``; all of it is ASCII."""
    return f"{game} {secret} {salt}"


def digest(text: str) -> str:
    """The SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def commitment(
    game: str, secret: str | None, salt: str | None, *, is_open: bool
) -> Commitment | None:
    """What is shown for a secret; None where there is none, or it was fixed without a salt.

    Args:
        game: what the text calls the game.
        secret: in notation.
        salt: its salt; games from before there were any have none.
        is_open: whether everybody who sees the board may know the secret.
    """
    if secret is None or salt is None:
        return None
    text = sealed_text(game, secret, salt)
    return Commitment(digest(text), text if is_open else None)
