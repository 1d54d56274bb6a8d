"""The difficulty of a FoCdle for a person: the guesses of a player who plays what is possible.

Such a player guesses, each time, any candidate: each is equally likely. After a first guess that
people make, the expected number of guesses follows from the candidates' answers to each other.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.feedback import Turn
from engine.focdle import Focdle
from engine.levels import Difficulty
from engine.solvers.focdle.space import FocdleSpace
from engine.solvers.space import PAIR, Columns

ONE: Final = 1 << 32
"""One guess: expectations are whole numbers of this unit, so that every machine agrees."""
_MOST_TRIED: Final = 64
"""The most candidates that are tried as the next guess; of more, these are evenly spread."""
_WHOLE: Final = 1024
"""The most candidates whose answers to each other are all computed at once."""

OPENINGS: Final[dict[int, tuple[str, ...]]] = {
    7: ("1+2+3=6", "9-8+7=8", "2*3+1=7", "4+5-6=3", "3*2-5=1", "8%5+4=7", "9%4*6=6", "7-4-1=2"),
    8: (
        "12-3-4=5",
        "12+3-6=9",
        "2*3+4=10",
        "6+7-10=3",
        "3*4+5=17",
        "56%9+1=3",
        "5*7-6=29",
        "48%7+2=8",
    ),
    9: (
        "12+3+4=19",
        "21-3-8=10",
        "3*4+56=68",
        "9*8-57=15",
        "45%7+9=12",
        "18+5-9=14",
        "24-5+7=26",
        "45+6*7=87",
    ),
    10: (
        "12+34-5=41",
        "98-76+5=27",
        "10+20+3=33",
        "60*2-43=77",
        "25+4*12=73",
        "50+30-6=74",
        "89%7+10=15",
        "12*3+45=81",
    ),
    11: (
        "12+34-15=31",
        "98-76+54=76",
        "60*2+34=154",
        "25+43-10=58",
        "80-34-25=21",
        "50+67%48=69",
        "9*12+56=164",
        "12*34-5=403",
    ),
    12: (
        "12+34+56=102",
        "98+76+54=228",
        "60*25-9=1491",
        "45+67+89=201",
        "10*20+30=230",
        "12*34+56=464",
        "21*43-75=828",
        "19*87*6=9918",
    ),
    13: (
        "89%50*47=1833",
        "25*40+13=1013",
        "45*67-89=2926",
        "12+34*56=1916",
        "60*50*4=12000",
        "98*76*5=37240",
        "45*67+89=3104",
        "12*98+45=1221",
    ),
    14: (
        "10*25*48=12000",
        "12*34*56=22848",
        "25*40*63=63000",
        "98*76*13=96824",
        "45*67*20=60300",
        "31*64*35=69440",
        "19*85*42=67830",
        "71*29*38=78242",
    ),
    15: (
        "98*76*54=402192",
        "45*67*89=268335",
        "60*50*40=120000",
        "31*64*72=142848",
        "19*85*64=103360",
        "71*82*93=541446",
        "90*80*70=504000",
        "48*57*62=169632",
    ),
}
"""First guesses of people, by length. They stay: another one would change every figure."""


def difficulty(rules: Focdle, secret: str) -> Difficulty:
    """Estimate how many guesses a player who guesses at random among the candidates takes.

    It is the mean over the openings that people use. The secret is left out of these.

    Raises:
        ForeignGuessError: the secret is not of this length.
    """
    found = after_openings(rules, secret)
    return Difficulty(rules.length, sum(found) * 100 // (len(found) * ONE))


def after_openings(rules: Focdle, secret: str) -> tuple[int, ...]:
    """For each opening, the expected number of guesses. The opening counts as one.

    The unit is 1 / `ONE`. If the secret is an opening, it is left out.

    Raises:
        ForeignGuessError: the secret is not of this length.
    """
    space = FocdleSpace(rules)
    column = space.read_secret(secret)
    openings = [opening for opening in OPENINGS[rules.length] if opening != secret]
    turns = [Turn(opening, rules.feedback(opening, secret)) for opening in openings]
    steps = [step for turn in turns for step in space.history([turn])]
    return tuple(
        ONE + _expected(space.explaining(step, space.everything()), column) for step in steps
    )


def _expected(columns: Columns, secret: Columns) -> int:
    """The expected further guesses of a player whose candidates are these columns.

    `secret` is one of them.
    """
    count = columns.shape[1]
    if count <= _WHOLE:
        return _Few(columns, secret).expected()
    others = np.flatnonzero((columns != secret).any(axis=0))
    tried = others[np.arange(_MOST_TRIED) * len(others) // _MOST_TRIED]
    total = sum(
        _expected(columns.compress(alike, axis=1), secret)
        for alike in _answers_alike(columns[:, tried], columns, secret)
    )
    return ONE + total * (count - 1) // (_MOST_TRIED * count)


class _Few:
    """A few candidates, and which of them answer each guess as the secret does.

    A set of candidates is an integer with a bit for each.
    """

    def __init__(self, columns: Columns, secret: Columns) -> None:
        self._count = columns.shape[1]
        alike = np.packbits(_answers_alike(columns, columns, secret), axis=1, bitorder="little")
        self._cells = [int.from_bytes(row.tobytes(), "little") for row in alike]
        self._secret = 1 << int((columns == secret).all(axis=0).argmax())
        self._known: dict[int, int] = {}

    def expected(self) -> int:
        return self._expected((1 << self._count) - 1)

    def _expected(self, among: int) -> int:
        count = among.bit_count()
        if count <= PAIR:  # just the secret, or one other, which is as likely to be guessed first
            return ONE if count == 1 else ONE + ONE // 2
        known = self._known.get(among)
        if known is None:
            tried = _members(among ^ self._secret)
            if len(tried) > _MOST_TRIED:
                tried = [tried[n * len(tried) // _MOST_TRIED] for n in range(_MOST_TRIED)]
            total = sum(self._expected(among & self._cells[guess]) for guess in tried)
            known = self._known[among] = ONE + total * (count - 1) // (len(tried) * count)
        return known


def _members(among: int) -> list[int]:
    found: list[int] = []
    while among:
        lowest = among & -among
        found.append(lowest.bit_length() - 1)
        among ^= lowest
    return found


def _answers_alike(guesses: Columns, columns: Columns, secret: Columns) -> NDArray[np.bool_]:
    """Whether each column answers each guess as the secret does, shape (guesses, columns).

    A column does if the guess is right in the same places, and if it has as many copies of each
    symbol of the guess as the secret. Copies beyond those in the guess are not counted.
    """
    alike = np.ones((guesses.shape[1], columns.shape[1]), np.bool_)
    for mine, theirs, right in zip(guesses, columns, secret, strict=True):
        alike &= (mine[:, None] == theirs) == (mine == right)[:, None]
    for symbol in np.unique(guesses):
        copies = (guesses == symbol).sum(axis=0, dtype=np.uint8)
        asked = np.flatnonzero(copies)
        have = (columns == symbol).sum(axis=0, dtype=np.uint8)
        wanted = np.minimum(copies[asked], (secret == symbol).sum())
        alike[asked] &= np.minimum(copies[asked, None], have) == wanted[:, None]
    return alike
