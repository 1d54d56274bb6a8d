"""Players between casual and perfect, and how many guesses their games take."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from engine import BullsAndCows, Code, Score, Strength, Turn
from engine.solvers import codebreaker

RULES: Final = BullsAndCows()
"""Four different digits, as duels are proposed."""
STEPS: Final = 15
"""How many players there are between casual and sharp, and between sharp and perfect."""

Turns = Sequence[Turn[Score]]
NextGuess = Callable[[Turns], Code]


@dataclass(frozen=True, slots=True)
class Person:
    """A player who makes each guess as the better of two, or as the other.

    Attributes:
        worse: how well some guesses are made.
        better: how well the others are.
        share: how likely each guess is one of the others.
    """

    worse: Strength
    better: Strength
    share: float


def people() -> list[Person]:
    """Thirty players, from casual to perfect; those in the middle are sharp."""
    lower = [Person(Strength.CASUAL, Strength.SHARP, step / STEPS) for step in range(STEPS)]
    upper = (step / (STEPS - 1) for step in range(STEPS))
    return [*lower, *(Person(Strength.SHARP, Strength.PERFECT, share) for share in upper)]


class Table:
    """Where games are played; decisions of the perfect are remembered."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._codes = list(RULES.codes())
        self._known: dict[tuple[Turn[Score], ...], Code] = {}
        self._perfect = codebreaker(RULES)
        self._next: dict[Strength, NextGuess] = {
            Strength.CASUAL: codebreaker(RULES, Strength.CASUAL, rng=rng).next_guess,
            Strength.SHARP: codebreaker(RULES, Strength.SHARP, rng=rng).next_guess,
            Strength.PERFECT: self._best,
        }

    def lengths(self, person: Person, games: int) -> list[int]:
        """How many guesses each of so many games takes; one more than there are, if it is lost."""
        return [sum(1 for _ in self._guesses(person)) for _ in range(games)]

    def _guesses(self, person: Person) -> Iterator[Code]:
        secret = self._rng.choice(self._codes)
        turns: list[Turn[Score]] = []
        while not turns or turns[-1].guess != secret:
            strength = person.better if self._rng.random() < person.share else person.worse
            guess = self._next[strength](turns)
            turns.append(Turn(guess, RULES.feedback(guess, secret)))
            yield guess
            if len(turns) > RULES.max_guesses:
                return

    def _best(self, turns: Turns) -> Code:
        """The perfect guess. Which digit is which makes no difference, so it is looked up."""
        used = dict.fromkeys("".join(turn.guess for turn in turns))
        names = "".join(dict.fromkeys([*used, *RULES.alphabet]))
        inward, outward = (
            str.maketrans(names, RULES.alphabet),
            str.maketrans(RULES.alphabet, names),
        )
        key = tuple(Turn(Code(turn.guess.translate(inward)), turn.feedback) for turn in turns)
        if key not in self._known:
            self._known[key] = self._perfect.next_guess(key)
        return Code(self._known[key].translate(outward))
