"""How the games that the coach looks at are written: equations, pegs and digits."""

from collections.abc import Iterable
from typing import Final

from bot.coach.model.insight import Review
from bot.coach.pages.sentences import Spelling
from bot.dailies import PuzzleName
from bot.duels.pages.rounds import DuelTiles
from bot.games.model.games import Source
from bot.text.language import gettext as _
from bot.text.language import ngettext
from bot.text.markup import code, small
from bot.text.pegs import Pegs, colour_name
from bot.text.tiles import Palette, Tiles, row
from engine import Code, Mark, Score, Turn

_WIDEST: Final = 10
"""How many squares fit on a line of a phone."""
_SPACE: Final = "\u2007"  # as wide as a digit; Discord drops others at the ends


class GameSpelling(Spelling):
    """Equations.

    Args:
        tiles: the emojis to draw with; squares above the symbols without them.
        palette: the tiles that who looks wants.
    """

    def __init__(self, tiles: Tiles | None = None, palette: Palette = Palette.STANDARD) -> None:
        self._tiles = tiles
        self._palette = palette

    def symbol(self, symbol: str) -> str:
        """In code style, where it means nothing to Discord."""
        return code(symbol)

    def code(self, code: str) -> str:
        """Likewise."""
        return self.symbol(code)

    def things(self) -> str:
        """What is looked for, in the plural."""
        return _("equations")

    def brief(self, code: str) -> str:
        """A code where many stand below each other, so that a page has room for them."""
        return self.code(code)

    def turn(self, guess: str, feedback: Iterable[int]) -> str:
        """A guess and what it was answered."""
        marks = tuple(Mark(mark) for mark in feedback)
        if self._tiles is None or len(guess) > _WIDEST:
            return self._below(row(marks), guess)
        return self._tiles.row(guess, marks, self._palette)

    def nothing(self, length: int) -> str:
        """In place of a guess of a replay that is not made yet."""
        return self.code(_SPACE * length)

    def _below(self, squares: str, symbols: str) -> str:
        """Symbols below their squares, which are small where they would wrap."""
        above = small(squares) if len(symbols) > _WIDEST else squares
        return f"{above}\n{self.code(symbols)}"


class _DigitSpelling(GameSpelling):
    def __init__(self, look: DuelTiles | None) -> None:
        super().__init__()
        self._look = look

    def things(self) -> str:
        return _("numbers")

    def turn(self, guess: str, feedback: Iterable[int]) -> str:
        score = Score(*feedback)
        if self._look is not None:
            return self._look.turn(Turn(Code(guess), score))
        words = ", ".join(
            (
                ngettext("{count} bull", "{count} bulls", score.bulls).format(count=score.bulls),
                ngettext("{count} cow", "{count} cows", score.cows).format(count=score.cows),
            )
        )
        return f"{self.code(guess)} · {words}"

    def nothing(self, length: int) -> str:
        return super().nothing(length) if self._look is None else self._look.nothing(length)


class _PegSpelling(GameSpelling):
    def __init__(self, pegs: Pegs) -> None:
        super().__init__()
        self._pegs = pegs

    def symbol(self, symbol: str) -> str:
        return f"{self._pegs.peg(symbol)} {colour_name(symbol)}"

    def code(self, code: str) -> str:
        return self._pegs.lettered_row(code)

    def things(self) -> str:
        return _("codes")

    def brief(self, code: str) -> str:
        return super().symbol(code) if self._pegs.has_letters else self.code(code)

    def turn(self, guess: str, feedback: Iterable[int]) -> str:
        return f"{self._pegs.lettered_row(guess)} {self._pegs.key(Score(*feedback))}"

    def nothing(self, length: int) -> str:
        return self._pegs.row("", length)


def spelling_of(review: Review, pegs: Pegs, tiles: Tiles | None = None) -> GameSpelling:
    """How the game of a review is written."""
    return spelling_for(review.game.source, pegs, tiles, Palette(review.palette))


def spelling_for(
    source: Source, pegs: Pegs, tiles: Tiles | None, palette: Palette = Palette.STANDARD
) -> GameSpelling:
    """How games of a kind are written."""
    if source is Source.PLAY:
        return GameSpelling(tiles, palette)
    if source is Source.MASTERMIND:
        return _PegSpelling(pegs)
    return _DigitSpelling(DuelTiles.of(tiles, pegs))


def game_name(source: Source, puzzle: PuzzleName | None = None) -> str:
    """What a game is called."""
    if puzzle is not None:
        return _("FoCdle #{number}").format(number=puzzle.number)
    names = {
        Source.PLAY: _("FoCdle practice"),
        Source.MASTERMIND: _("Mastermind"),
        Source.DUEL: _("Bulls and Cows duel"),
    }
    return names[source]
