"""A FoCdle board in words and squares."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from bot.presentation.language import gettext as _
from bot.presentation.language import long_date, ngettext
from bot.presentation.markup import code, heading, mention, relative_time, small
from bot.presentation.tiles import SQUARES, row
from bot.services.play import Play
from engine import SYMBOLS, Mark, Outcome, best_marks

# A true equation of each length, to show what one looks like.
EXAMPLES: Final = {
    7: "1+2+3=6",
    8: "12+3-6=9",
    9: "12+3-5=10",
    10: "12+34-5=41",
    11: "12+34-15=31",
    12: "12+34+56=102",
    13: "98+66*37=2540",
    14: "32*69*26=57408",
    15: "99*99*99=970299",
}


class Mood(Enum):
    """What the frame of a board says at a glance."""

    PLAYING = "playing"
    SOLVED = "solved"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Board:
    """The texts of a board, top to bottom; empty ones are left out."""

    mood: Mood
    title: str
    rows: str
    keyboard: str
    status: str

    @property
    def is_over(self) -> bool:
        """Whether there is nothing left to guess."""
        return self.mood is not Mood.PLAYING


def board(play: Play) -> Board:
    """The private board of a play."""
    game = play.game
    moods = {None: Mood.PLAYING, Outcome.SOLVED: Mood.SOLVED, Outcome.LOST: Mood.LOST}
    return Board(
        mood=moods[game.outcome],
        title=f"{heading(_name(play))}\n{small(_subtitle(play))}",
        rows=_rows(play),
        keyboard="" if game.outcome else _keyboard(play),
        status=_status(play),
    )


def form_title(play: Play) -> str:
    """The title of the form that asks for a guess; at most 45 characters."""
    return _("FoCdle #{number} · guess {turn} of {guesses}").format(
        number=play.puzzle.number,
        turn=len(play.game.turns) + 1,
        guesses=play.rules.max_guesses,
    )


def form_label() -> str:
    """The label of the form's one field; at most 45 characters."""
    return _("Your equation")


def form_description(play: Play) -> str:
    """What to type there; at most 100 characters."""
    return _(
        "{length} symbols: three numbers from 1 to 99, two of + - * %, then = and a result."
    ).format(length=play.rules.length)


def form_reminder(play: Play) -> str:
    """The guesses so far, to be read while the form covers the board; empty at first."""
    if not play.game.turns:
        return ""
    return f"{_rows(play)}\n{_keyboard(play)}"


def example(length: int) -> str:
    """A true equation of a length."""
    return EXAMPLES[length]


def share(play: Play) -> str:
    """A finished play for everybody's eyes: colours only."""
    game = play.game
    line = _("{player} solved {name} in {turns} of {guesses}")
    if game.outcome is not Outcome.SOLVED:
        line = _("{player} did not solve {name} in {guesses}")
    headline = line.format(
        player=mention(play.player_id),
        name=f"**{_name(play)}**",
        turns=len(game.turns),
        guesses=play.rules.max_guesses,
    )
    grid = "\n".join(row(turn.feedback) for turn in game.turns)
    return f"{headline}\n{grid}"


def _name(play: Play) -> str:
    return _("FoCdle #{number}").format(number=play.puzzle.number)


def _subtitle(play: Play) -> str:
    parts = [
        long_date(play.puzzle.day),
        _("{length} symbols").format(length=play.puzzle.length),
    ]
    if not play.is_today:
        parts.append(_("from the archive"))
    return " · ".join(parts)


def _rows(play: Play) -> str:
    return "\n".join(f"{row(turn.feedback)} {code(turn.guess)}" for turn in play.game.turns)


def _keyboard(play: Play) -> str:
    """What is known of each of the fifteen symbols."""
    best = best_marks(play.game.turns)
    groups: tuple[tuple[Mark | None, str], ...] = (
        (Mark.CORRECT, _("in place")),
        (Mark.PRESENT, _("elsewhere")),
        (Mark.ABSENT, _("not in it")),
        (None, _("untried")),
    )
    lines: list[str] = []
    for group, label in groups:
        symbols = [symbol for symbol in SYMBOLS if best.get(symbol) is group]
        if symbols:
            square = "▫️" if group is None else SQUARES[group]
            lines.append(f"{square} {code(' '.join(symbols))} {label}")
    return "\n".join(lines)


def _status(play: Play) -> str:
    game = play.game
    if game.outcome is None:
        return _status_while_playing(play)
    if game.outcome is Outcome.SOLVED:
        line = ngettext(
            "**Solved with the first guess!**",
            "**Solved in {turns} of {guesses}.**",
            len(game.turns),
        )
    else:
        line = _("**Not this time.** The equation was {secret}.")
    line = line.format(
        turns=len(game.turns), guesses=play.rules.max_guesses, secret=code(game.secret)
    )
    next_puzzle = _("Next puzzle {when}").format(when=relative_time(play.next_puzzle_at))
    return f"{line}\n{small(next_puzzle)}"


def _status_while_playing(play: Play) -> str:
    left = play.game.guesses_left
    if not play.game.turns:
        return _("Find the hidden equation in {guesses} guesses. It looks like {example}.").format(
            guesses=left, example=code(example(play.rules.length))
        )
    return ngettext("**Last guess.**", "{left} guesses left.", left).format(left=left)
