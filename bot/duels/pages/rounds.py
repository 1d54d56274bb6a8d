"""The rounds of a duel: digits as tiles with bulls and cows as pegs, or two columns of letters.

Tiles that would go beyond Discord's limit of characters stand above the others as letters.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

from bot.duels.model.duel import DuelGame
from bot.duels.pages.rows import block, player, score_in_letters
from bot.text.language import gettext as _
from bot.text.markup import small
from bot.text.pegs import Pegs
from bot.text.tiles import Palette, State, Tiles
from engine import Code, Score, Turn

BOARD_LENGTH: Final = 2200
"""How many characters the tiles of a board may take, of the 4,000 that it may have."""
SHORTER_LENGTH: Final = 2000
"""The same where more is said: on a player's own page, and at the end."""

_BULL: Final = Score(1, 0)
_COW: Final = Score(0, 1)
_NOTHING: Final = Score(0, 0)
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

    def turn(self, turn: Turn[Score]) -> str:
        """A guess and its score: green where the number is found.

        None is grey, which in a FoCdle means that a symbol is out.
        """
        is_found = turn.feedback.bulls == len(turn.guess)
        digits = self._digits(turn.guess, State.CORRECT if is_found else State.UNKNOWN)
        return f"{digits}{self.pegs.key(turn.feedback)}"

    def guess(self, guess: Code) -> str:
        """A guess that waits for its score."""
        return self._digits(guess, State.UNKNOWN)

    def nothing(self, digits: int) -> str:
        """In place of a guess that was not made."""
        return self.tiles.blank * (digits + 1)

    def _digits(self, guess: Code, state: State) -> str:
        return "".join(self.tiles.symbol(digit, state, Palette.STANDARD) for digit in guess)


@dataclass(frozen=True, slots=True)
class Rounds:
    """What both players have guessed.

    Attributes:
        digits: how many a number has.
        ids: the players, who moved first on the left; None for the bot.
        turns: their guesses and scores.
    """

    digits: int
    ids: tuple[int | None, int | None]
    turns: tuple[Turns, Turns]

    @classmethod
    def of(cls, game: DuelGame) -> Self:
        """Those of a duel, as far as everybody may see them."""
        left, right = game.seats
        ids, turns = (left.player_id, right.player_id), (left.turns, right.turns)
        return cls(game.rules.digits, ids, turns)

    @property
    def is_side_by_side(self) -> bool:
        """Whether a phone's line has room for the guesses of both."""
        return self.digits <= _MOST_DIGITS_SIDE_BY_SIDE


def columns(rounds: Rounds, look: DuelTiles | None = None) -> str:
    """Both players' guesses beside each other, the first mover's on the left; empty at first.

    Numbers of more than four digits have no room beside each other: their tiles stand below
    each other, the first mover's above.
    """
    if not any(rounds.turns):
        return ""
    left, right = (player(player_id) for player_id in rounds.ids)
    head = f"← {left} · {right} →"
    count = max(map(len, rounds.turns))
    if look is None:
        return "\n".join(filter(None, (head, _letters(rounds, range(count)))))
    drawn = _fitting([_length(rounds, row, look) for row in range(count)], look.most)
    shown = range(count - drawn, count)
    earlier = _letters(rounds, range(count - drawn)) if drawn < count else ""
    if rounds.is_side_by_side:
        parts = [head, earlier, *_side_by_side(rounds, shown, look)]
    else:
        parts = [head if earlier else "", earlier, *_below_each_other(rounds, shown, look)]
    return "\n".join(filter(None, parts))


def column(turns: Turns, look: DuelTiles | None = None, *, asked: Code | None = None) -> str:
    """One player's guesses; empty without any.

    Args:
        turns: the guesses and their scores.
        look: the emojis to draw them with; letters without them.
        asked: a guess below them whose score is not known yet, if there is one.
    """
    if look is None:
        written = [written_turn(turns, row) for row in range(len(turns))]
        if asked is not None:
            written.append(f"{len(turns) + 1:2} {asked} ?")
        return block(written) if written else ""
    lengths = [len(numbered(turns, row, look)) for row in range(len(turns))]
    earlier = len(turns) - _fitting(lengths, look.most)
    parts = [block(written_turn(turns, row) for row in range(earlier))] if earlier else []
    shown = range(earlier, len(turns))
    parts += [numbered(turns, row, look) for row in shown]
    if asked is not None:
        parts.append(f"{_row_number(len(turns))}{look.guess(asked)}")
    return "\n".join(parts)


def legend(look: DuelTiles | None, *turns: Turn[Score]) -> str:
    """What the marks mean, for who has never played.

    Args:
        look: the emojis that scores are drawn with; letters without them.
        turns: what is seen beside it; the mark for nothing is explained once it is there.
    """
    if look is None:
        return small(_("B: in place · C: elsewhere"))
    words = _("{bull} in place · {cow} elsewhere")
    lines = [words.format(bull=look.pegs.key(_BULL), cow=look.pegs.key(_COW))]
    if any(turn.feedback == _NOTHING for turn in turns):
        lines.append(_("{none} none").format(none=look.pegs.key(_NOTHING)))
    return small(" · ".join(lines))


def _fitting(lengths: Sequence[int], left: int) -> int:
    """How many of the last rounds, of so many characters each, fit into what is left."""
    drawn = 0
    for length in reversed(lengths):
        left -= length + 1
        if left < 0:
            break
        drawn += 1
    return drawn


def _length(rounds: Rounds, row: int, look: DuelTiles) -> int:
    if rounds.is_side_by_side:
        return len(next(_side_by_side(rounds, [row], look)))
    # And the line break between the two.
    return sum(len(numbered(turns, row, look)) for turns in rounds.turns) + 1


def _side_by_side(rounds: Rounds, rows: Iterable[int], look: DuelTiles) -> Iterator[str]:
    for row in rows:
        left, right = (_cell(rounds, seat, row, look) for seat in (0, 1))
        yield f"{left or look.nothing(rounds.digits)}{_GAP}{right}" if right else left


def _below_each_other(rounds: Rounds, rows: Sequence[int], look: DuelTiles) -> Iterator[str]:
    for seat, turns in enumerate(rounds.turns):
        yield _("**{player}**").format(player=player(rounds.ids[seat], begins=True))
        for row in rows:
            yield numbered(turns, row, look)


def _cell(rounds: Rounds, seat: int, row: int, look: DuelTiles) -> str:
    turns = rounds.turns[seat]
    if row >= len(turns):
        return ""
    return look.turn(turns[row])


def numbered(turns: Turns, row: int, look: DuelTiles) -> str:
    """A guess in tiles behind its number; empty where it was not made."""
    if row >= len(turns):
        return ""
    return f"{_row_number(row)}{look.turn(turns[row])}"


def written_turn(turns: Turns, row: int) -> str:
    """A guess in letters behind its number."""
    return f"{row + 1:2} {_turn(turns, row)}"


def _row_number(row: int) -> str:
    return f"`{row + 1:2}`{_GAP}"


def _letters(rounds: Rounds, rows: Iterable[int]) -> str:
    """Rounds in two columns of letters."""
    left, right = rounds.turns
    width = rounds.digits + len(score_in_letters(Score(0, 0))) + 1
    gap = "  " if rounds.digits <= _MOST_NUMBERED_DIGITS else " "
    lines = (
        f"{_number(rounds, row)}{_turn(left, row):{width}}{gap}{_turn(right, row)}" for row in rows
    )
    return block(line.rstrip() for line in lines)


def _number(rounds: Rounds, row: int) -> str:
    return f"{row + 1:2} " if rounds.digits <= _MOST_NUMBERED_DIGITS else ""


def _turn(turns: Turns, row: int) -> str:
    if row >= len(turns):
        return ""
    return f"{turns[row].guess} {score_in_letters(turns[row].feedback)}"
