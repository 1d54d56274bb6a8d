"""Which guess to make where only candidates may be guessed, as in hard mode: each is played out.

The candidate that makes the most parts often leaves families in one of them: equations that
differ in one digit. Where only candidates may be guessed, a family is asked one by one, and its
last members take more guesses than a game has. So the best candidates by their parts are played
out against all others, from there on by the most parts, and each guess too many counts more.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.solvers.focdle.signatures import Signatures
from engine.solvers.space import Columns

MOST: Final = 300
"""More candidates are not played out: it would take long, and their parts tell enough."""

_MOST_TRIED: Final = 32
# Few candidates are played out faster, which leaves time for more of them.
_BUDGET: Final = 2_000
_TOO_LATE: Final = 3
"""How many guesses one counts for in addition that a game does not have."""

_Indices = NDArray[np.intp]


def safest_guess(columns: Columns, left: int) -> _Indices:
    """The candidate that takes the fewest guesses, all in all, if the rest is played out.

    Args:
        columns: the candidates, at most `MOST`, shape (length, n).
        left: how many guesses the game still has.

    Returns:
        The guess as symbol numbers, shape (length,). Always the same for the same arguments.
    """
    return columns[:, PlayingOut(columns, left).best()].astype(np.intp)


class PlayingOut:
    """Plays candidates out against each other.

    Args:
        columns: the candidates, shape (length, n).
        left: how many guesses the game still has.
    """

    def __init__(self, columns: Columns, left: int) -> None:
        guesses = np.ascontiguousarray(columns.T).astype(np.intp)
        # Row g: what each candidate would give to candidate g as a guess.
        self._signatures = Signatures(columns).of(guesses)
        self._left = left

    def best(self) -> int:
        """Which candidate to guess; the first of those that are equally good."""
        count = len(self._signatures)
        parts = _parts(self._signatures)
        tried = np.argsort(-parts, kind="stable")[: min(_MOST_TRIED, _BUDGET // count)]
        if parts[tried[0]] == count:
            return int(tried[0])
        every = np.arange(count)
        return int(min(tried, key=lambda guess: self._after(guess, every, 1)))

    def _cost(self, candidates: _Indices, turn: int) -> int:
        """What candidates take if their guess with the most parts is made now, and so on.

        Args:
            candidates: which ones are left.
            turn: how many guesses will have been made with this one.
        """
        if len(candidates) == 1:
            return self._guess(turn)
        among = self._signatures[np.ix_(candidates, candidates)]
        return self._after(candidates[_parts(among).argmax()], candidates, turn)

    def _after(self, guess: np.intp, candidates: _Indices, turn: int) -> int:
        """What candidates take if this one of them is guessed now."""
        signatures = self._signatures[guess, candidates]
        order = np.argsort(signatures, kind="stable")
        ordered = signatures[order]
        starts = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
        cost = self._guess(turn)
        for part in np.split(candidates[order], starts):
            if part[0] != guess:  # who gives what it gives to itself is alone
                cost += self._cost(part, turn + 1)
        return cost

    def _guess(self, turn: int) -> int:
        """What a candidate takes that is found with this guess."""
        return turn + _TOO_LATE * max(0, turn - self._left)


def _parts(signatures: NDArray[np.int32]) -> NDArray[np.intp]:
    """How many parts each guess makes of the candidates, by its row of signatures."""
    ordered = np.sort(signatures, axis=1)
    return 1 + np.count_nonzero(ordered[:, 1:] != ordered[:, :-1], axis=1)
