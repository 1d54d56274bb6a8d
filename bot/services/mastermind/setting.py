"""Checks the setting that a player chooses before a game, and the code where there is one."""

from dataclasses import dataclass
from typing import Final, Self

from bot.services.mastermind.errors import (
    CodeRefusedError,
    PegsBeyondColoursError,
    WrongSettingError,
)
from engine import Code, Mastermind, NotationError

PEGS: Final = (3, 6)
"""The fewest and the most."""
COLOURS: Final = (4, 10)
GUESSES: Final = (6, 13)


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting as the player asked for it; it may be impossible."""

    pegs: int = 4
    colours: int = 6
    repeats: bool = True
    guesses: int = 12

    @classmethod
    def of(cls, rules: Mastermind) -> Self:
        """The setting of these rules, to play them again."""
        return cls(rules.pegs, rules.colours, rules.repeats, rules.max_guesses)

    def rules(self) -> Mastermind:
        """The rules at this setting.

        Raises:
            WrongSettingError, PegsBeyondColoursError: there are none.
        """
        for field, found, (lowest, highest) in (
            ("pegs", self.pegs, PEGS),
            ("colours", self.colours, COLOURS),
            ("guesses", self.guesses, GUESSES),
        ):
            if not lowest <= found <= highest:
                raise WrongSettingError(field=field, found=found, lowest=lowest, highest=highest)
        if not self.repeats and self.pegs > self.colours:
            raise PegsBeyondColoursError(pegs=self.pegs, chosen=self.colours)
        return Mastermind(self.colours, self.pegs, self.repeats, self.guesses)


def parse_code(rules: Mastermind, text: str) -> Code:
    """The code that a player sets by typing it.

    Raises:
        CodeRefusedError: the text is none.
    """
    try:
        return rules.parse(text)
    except NotationError as error:
        raise CodeRefusedError(rules=rules, text=text, cause=error) from error
