"""Checks the setting that a player chooses before a game, and the code where there is one."""

from dataclasses import asdict, dataclass, replace
from typing import Final, Self

from bot.mastermind.model.errors import CodeRefusedError, PegsBeyondColoursError, WrongSettingError
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


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody wants a setting to be; None for whatever it was the last time."""

    pegs: int | None = None
    colours: int | None = None
    repeats: bool | None = None
    guesses: int | None = None

    def after(self, last: Setting) -> Setting:
        """The setting, where `last` is the one of the last time.

        What was left out never makes an impossible setting of what was asked for: then it is the
        usual one's.
        """
        wished = {name: wish for name, wish in asdict(self).items() if wish is not None}
        setting = replace(last, **wished)
        is_possible = setting.repeats or setting.pegs <= setting.colours
        return setting if is_possible else replace(Setting(), **wished)


def parse_code(rules: Mastermind, text: str) -> Code:
    """The code that a player sets by typing it.

    Raises:
        CodeRefusedError: the text is none.
    """
    try:
        return rules.parse(text)
    except NotationError as error:
        raise CodeRefusedError(rules=rules, text=text, cause=error) from error
