"""The rounds of a duel: digits as tiles with bulls and cows as pegs, or two columns of letters.

Tiles that would go beyond Discord's limit of characters stand above the others as letters.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import small
from bot.presentation.base.pegs import Pegs
from bot.presentation.base.tiles import Palette, State, Tiles
from bot.presentation.duels.rows import block, name, score_in_letters
from bot.services.duels.model import DuelGame
from engine import BullsAndCows, Mode, Score, Turn

BOARD_LENGTH: Final = 2200
"""How many characters the tiles of a board may take, of the 4,000 that it may have."""
SHORTER_LENGTH: Final = 2000
"""The same where more is said: on a player's own page, and at the end."""

_BULL: Final = Score(1, 0)
_COW: Final = Score(0, 1)
# A line of more than 23 characters would not fit a phone: longer numbers leave no room for more.
_MOST_NUMBERED_DIGITS: Final = 4
# Within a frame, a line of a phone 360 pixels wide has 235, and a tile 22.
_MOST_DIGITS_SIDE_BY_SIDE: Final = 4
_GAP: Final = "\u2002"

Turns = Sequence[Turn[Score]]


@dataclass(frozen=True, slots=True)
class DuelTiles:
    """The emojis that rounds are drawn with.

    Attributes:
        tiles: for digits.
        pegs: for bulls, which are black, and cows, which are white.
        most: how many characters they may take.
    """

    tiles: Tiles
    pegs: Pegs
    most: int = BOARD_LENGTH

    @classmethod
    def of(cls, tiles: Tiles | None, pegs: Pegs) -> Self | None:
        """What Discord has, if it has all of it."""
        return cls(tiles, pegs) if tiles is not None and pegs.has_letters else None

    def shorter(self) -> Self:
        """The same, for where more is said."""
        return replace(self, most=SHORTER_LENGTH)

    def turn(self, turn: Turn[Score], *, is_last: bool = False) -> str:
        """A guess and its score: green where the number is found, bright where it is the last."""
        state = State.UNKNOWN if is_last else State.ABSENT
        if turn.feedback.bulls == len(turn.guess):
            state = State.CORRECT
        digits = (self.tiles.symbol(digit, state, Palette.STANDARD) for digit in turn.guess)
        return "".join((*digits, self.pegs.key(turn.feedback)))

    def nothing(self, digits: int) -> str:
        """In place of a guess that was not made."""
        return self.tiles.blank * (digits + 1)


def columns(game: DuelGame, look: DuelTiles | None = None) -> str:
    """Both players' guesses beside each other, the first mover's on the left; empty at first.

    Numbers of more than four digits have no room beside each other: their tiles stand below
    each other, the first mover's above.
    """
    left, right = game.seats
    if not left.turns and not right.turns:
        return ""
    head = _("Left: {left}'s guesses · right: {right}'s").format(left=name(left), right=name(right))
    rounds = max(len(left.turns), len(right.turns))
    if look is None:
        return "\n".join(filter(None, (head, _letters(game, range(rounds)), _last_line(game))))
    drawn = _fitting([_length(game, row, look) for row in range(rounds)], look.most)
    shown = range(rounds - drawn, rounds)
    earlier = _letters(game, range(rounds - drawn)) if drawn < rounds else ""
    if game.rules.digits <= _MOST_DIGITS_SIDE_BY_SIDE:
        parts = [head, earlier, *_side_by_side(game, shown, look)]
    else:
        parts = [head if earlier else "", earlier, *_below_each_other(game, shown, look)]
    return "\n".join(filter(None, parts))


def column(turns: Turns, look: DuelTiles | None = None) -> str:
    """One player's guesses; empty without any."""
    drawn = 0
    if look is not None:
        lengths = [len(_numbered(turns, row, look)) for row in range(len(turns))]
        drawn = _fitting(lengths, look.most)
    written = [f"{row + 1:2} {_turn(turns, row)}" for row in range(len(turns) - drawn)]
    parts = [block(written)] if written else []
    if look is not None:
        last = len(turns) - 1
        shown = range(len(turns) - drawn, len(turns))
        parts += [_numbered(turns, row, look, is_last=row == last) for row in shown]
    return "\n".join(parts)


def legend(look: DuelTiles | None = None) -> str:
    """What the marks mean, for who has never played."""
    if look is None:
        return small(_("B: right digit, right place · C: right digit, wrong place"))
    return "\n".join(
        (
            small(_("{bull} B: right digit, right place").format(bull=look.pegs.key(_BULL))),
            small(_("{cow} C: right digit, wrong place").format(cow=look.pegs.key(_COW))),
        )
    )


def last_mover(game: DuelGame) -> int | None:
    """The seat of whose guess is the last of all; None for nobody's, and in a race."""
    left, right = game.seats
    if game.mode is Mode.RACE or not left.turns:
        return None
    return 0 if len(left.turns) > len(right.turns) else 1


def _last_line(game: DuelGame) -> str:
    """Whose guess was the last, where no tile marks it."""
    seat = last_mover(game)
    if seat is None:
        return ""
    last = game.seats[seat]
    words = _("Last guess: {player} in round {round}")
    return small(words.format(player=name(last), round=len(last.turns)))


def _fitting(lengths: Sequence[int], left: int) -> int:
    """How many of the last rounds, of so many characters each, fit into what is left."""
    drawn = 0
    for length in reversed(lengths):
        left -= length + 1
        if left < 0:
            break
        drawn += 1
    return drawn


def _length(game: DuelGame, row: int, look: DuelTiles) -> int:
    if game.rules.digits <= _MOST_DIGITS_SIDE_BY_SIDE:
        return len(next(_side_by_side(game, [row], look)))
    # And the line break between the two.
    return sum(len(_numbered(seat.turns, row, look)) for seat in game.seats) + 1


def _side_by_side(game: DuelGame, rows: Iterable[int], look: DuelTiles) -> Iterator[str]:
    for row in rows:
        left, right = (_cell(game, seat, row, look) for seat in (0, 1))
        yield f"{left or look.nothing(game.rules.digits)}{_GAP}{right}" if right else left


def _below_each_other(game: DuelGame, rows: Sequence[int], look: DuelTiles) -> Iterator[str]:
    last = last_mover(game)
    for seat, side in enumerate(game.seats):
        yield _("**{player}**").format(player=name(side, begins=True))
        for row in rows:
            is_last = seat == last and row == len(side.turns) - 1
            yield _numbered(side.turns, row, look, is_last=is_last)


def _cell(game: DuelGame, seat: int, row: int, look: DuelTiles) -> str:
    turns = game.seats[seat].turns
    if row >= len(turns):
        return ""
    return look.turn(turns[row], is_last=last_mover(game) == seat and row == len(turns) - 1)


def _numbered(turns: Turns, row: int, look: DuelTiles, *, is_last: bool = False) -> str:
    if row >= len(turns):
        return ""
    return f"`{row + 1:2}`{_GAP}{look.turn(turns[row], is_last=is_last)}"


def _letters(game: DuelGame, rows: Iterable[int]) -> str:
    """Rounds in two columns of letters."""
    left, right = game.seats
    width = game.rules.digits + len(score_in_letters(Score(0, 0))) + 1
    gap = "  " if game.rules.digits <= _MOST_NUMBERED_DIGITS else " "
    lines = (
        f"{_number(game.rules, row)}{_turn(left.turns, row):{width}}{gap}{_turn(right.turns, row)}"
        for row in rows
    )
    return block(line.rstrip() for line in lines)


def _number(rules: BullsAndCows, row: int) -> str:
    return f"{row + 1:2} " if rules.digits <= _MOST_NUMBERED_DIGITS else ""


def _turn(turns: Turns, row: int) -> str:
    if row >= len(turns):
        return ""
    return f"{turns[row].guess} {score_in_letters(turns[row].feedback)}"
