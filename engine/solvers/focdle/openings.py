"""The first guesses of FoCdle, which are always the same."""

from functools import cache
from importlib.resources import files

from engine.solvers.choice import Allowed

_FILE = "openings.txt"


def opening(length: int, allowed: Allowed) -> str:
    """The first guess that promises most, of those that are allowed."""
    # Before anything is known, what is true can be the secret, and the other way round.
    return _openings()[length, Allowed.TRUE if allowed is Allowed.HARD else allowed]


@cache
def _openings() -> dict[tuple[int, Allowed], str]:
    text = files("engine.solvers").joinpath("data", _FILE).read_text(encoding="ascii")
    rows = (line.split() for line in text.splitlines() if not line.startswith("#"))
    return {(int(length), Allowed(allowed)): guess for length, allowed, guess, _bits in rows}
