"""Other names for colours and places, so that no two games of the bot begin alike.

Mastermind's rules know neither: whatever the bot does with the colours and places renamed is worth
just as much. The engine guesses as ever; what it is told is renamed before, and what it guesses
after.
"""

import random
import secrets
from dataclasses import dataclass
from typing import Final, Self

from engine import Code, Mastermind, Score, Turn

_BETWEEN: Final = "/"


@dataclass(frozen=True, slots=True)
class Relabelling:
    """What the engine's colours and places are called in one game.

    Attributes:
        colours: for each colour of the engine's, in the order of the alphabet, the game's.
        places: for each place of the game's, counted from 0, the engine's.
    """

    colours: str
    places: tuple[int, ...]

    @classmethod
    def none(cls, rules: Mastermind) -> Self:
        """Everything is called what the engine calls it."""
        return cls(rules.alphabet, tuple(range(rules.pegs)))

    @classmethod
    def draw(cls, rules: Mastermind, rng: random.Random | None = None) -> Self:
        """One of all there are, each as likely.

        Args:
            rules: the setting.
            rng: what draws; None for what nobody can foresee.
        """
        rng = rng or secrets.SystemRandom()
        colours = rng.sample(rules.alphabet, len(rules.alphabet))
        return cls("".join(colours), tuple(rng.sample(range(rules.pegs), rules.pegs)))

    @classmethod
    def decode(cls, rules: Mastermind, stored: str | None) -> Self:
        """As it was stored; None for a game that was opened before there were any."""
        if stored is None:
            return cls.none(rules)
        colours, _, places = stored.partition(_BETWEEN)
        return cls(colours, tuple(map(int, places)))

    def encode(self) -> str:
        """What is stored: colours, then places in digits; no setting has ten."""
        return f"{self.colours}{_BETWEEN}{''.join(map(str, self.places))}"

    def to_game(self, rules: Mastermind, code: Code) -> Code:
        """A code of the engine's, as the game calls it."""
        return Code("".join(self.colours[rules.alphabet.index(code[n])] for n in self.places))

    def to_engine(self, rules: Mastermind, code: Code) -> Code:
        """A code of the game's, as the engine calls it."""
        pegs = dict(zip(self.places, code, strict=True))
        named = (rules.alphabet[self.colours.index(pegs[n])] for n in range(rules.pegs))
        return Code("".join(named))

    def turn_to_engine(self, rules: Mastermind, turn: Turn[Score]) -> Turn[Score]:
        """A turn of the game's, as the engine calls it; its answer is the same."""
        return Turn(self.to_engine(rules, turn.guess), turn.feedback)
