"""A FoCdle board in words and squares."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from bot.focdle.model.play import Play
from bot.focdle.pages.endings import ended
from bot.focdle.pages.streaks import summary
from bot.focdle.pages.warm_up import guidance, is_warm_up
from bot.games.game.hints import shown_by
from bot.games.pages.hints import BULB, shown_row, taken, told_before
from bot.text import counts
from bot.text.language import N_, long_date, ngettext, say
from bot.text.language import gettext as _
from bot.text.markup import code, heading, small
from bot.text.pictures.ending import Flame
from bot.text.text_board import Mood
from bot.text.tiles import SQUARES, Palette, State, Tiles, row, samples
from engine import SYMBOLS, Mark, Marks, Outcome, Turn, best_marks, is_same_symbols

DIGITS: Final = "0123456789"
LONGEST_DESCRIPTION: Final = 1024
# Within a frame, a line of a phone 360 pixels wide has 235. An emoji is 1.375 times as wide as its
# type is high: 22 pixels.
WIDEST_ROW: Final = 10
"""Tiles that fit on one line of a phone, with some pixels to spare."""

# A true equation of each length, to show what one looks like; up to 13, a fair first guess.
EXAMPLES: Final = {
    7: "5+1-2=4",
    8: "8-12+7=3",
    9: "24-9+3=18",
    10: "41-3+27=65",
    11: "48-36+17=29",
    12: "12+34+56=102",
    13: "98+66*37=2540",
    14: "32*69*26=57408",
    15: "97*84*62=505176",
}

#: The label of the field for a guess at FoCdle; at most 45 characters.
FORM_LABEL: Final = N_("Your equation")
#: What the three kinds of tiles mean, in one line below a board.
LEGEND: Final = N_("{correct} in place, {present} elsewhere, {absent} out")


@dataclass(frozen=True, slots=True)
class Board:
    """The texts of a board, top to bottom; empty ones are left out.

    Attributes:
        mood: what its frame says.
        title: what is played.
        rows: the guesses and their marks; empty where they are drawn as a picture.
        keyboard: what is known of each symbol.
        status: how it stands, and what came of it.
    """

    mood: Mood
    title: str
    rows: str
    keyboard: str
    status: str


def board(play: Play, tiles: Tiles | None = None, *, drawn: bool = False) -> Board:
    """The private board of a play.

    Args:
        play: the play.
        tiles: the emojis to draw with; squares without them.
        drawn: whether the rows are shown as a picture instead.
    """
    game = play.game
    moods = {None: Mood.PLAYING, Outcome.SOLVED: Mood.SOLVED, Outcome.LOST: Mood.LOST}
    return Board(
        mood=moods[game.outcome],
        title=f"{heading(name(play))}\n{small(_subtitle(play))}",
        rows=_remarks(play) if drawn else _all_rows(play, tiles),
        keyboard="" if game.outcome else _keyboard(play, tiles),
        status=_status(play, tiles, drawn=drawn),
    )


def is_drawn(play: Play, tiles: Tiles | None = None) -> bool:
    """Whether the rows of a board are a picture.

    While a game runs it is one only where tiles would wrap on a phone; its end is one wherever
    there are tiles.
    """
    is_over = tiles is not None and play.game.outcome is not None
    return is_over or play.rules.length > WIDEST_ROW


def picture_description(play: Play) -> str:
    """A board and its streak for who cannot see the picture; at most 1,024 characters."""
    if not play.game.turns:
        return _("An empty board")
    lines = [
        _("{guess}: {marks}").format(guess=turn.guess, marks=_spoken(turn.feedback))
        for turn in play.game.turns
    ]
    if play.game.outcome is None:
        words = _("hint: {symbol} in place {place}")
        shown = shown_by(play.hints)
        lines += [words.format(symbol=each.symbol, place=each.place + 1) for each in shown]
    if flame(play) is not None and play.streak is not None:
        lines.insert(0, summary(play.streak).replace("**", ""))
    return "\n".join(lines)[:LONGEST_DESCRIPTION]


def flame(play: Play) -> Flame | None:
    """The streak beside a daily that was finished on its date, as its picture shows it."""
    if play.streak is None or not (play.on_date and play.streak.length):
        return None
    return Flame(play.streak.length, play.streak.freezes)


def form_title(play: Play) -> str:
    """The title of the form that asks for a guess; at most 45 characters."""
    return _("{name} · guess {turn} of {guesses}").format(
        name=name(play),
        turn=len(play.game.turns) + 1,
        guesses=play.rules.max_guesses,
    )


def form_description(play: Play) -> str:
    """What to type there; at most 100 characters."""
    return _("{symbols}: three numbers from 1 to 99, two of + - * %, then = and a result.").format(
        symbols=counts.symbols(play.rules.length)
    )


def form_reminder(play: Play, tiles: Tiles | None = None) -> str:
    """The guesses so far, to be read while the form covers the board; empty at first."""
    if not play.game.turns:
        return ""
    rows = filter(None, (_rows(play, tiles), _hint_row(play, tiles), _keyboard(play, tiles)))
    return "\n".join(rows)


def guessed_unseen(play: Play) -> str:
    """Once after a first guess that was made before there was a board: its seal was not seen."""
    if play.commitment is None or len(play.game.turns) > 1:
        return ""
    return small(_("You guessed before you saw the seal. `/help fairness` has tomorrow's."))


def example(length: int) -> str:
    """A true equation of a length."""
    return EXAMPLES[length]


def name(play: Play) -> str:
    """What is played."""
    if play.puzzle is None:
        return _("FoCdle practice")
    return _("FoCdle #{number}").format(number=play.puzzle.number)


def _subtitle(play: Play) -> str:
    parts = [counts.symbols(play.rules.length)]
    if play.puzzle is not None:
        parts.insert(0, long_date(play.puzzle.day))
        if not play.is_today and not play.on_date:
            parts.append(_("from the archive"))
    if play.rules.hard:
        parts.append(_("hard mode"))
    if play.hints:
        parts.append(taken(play.hints))
    return " · ".join(parts)


def _rows(play: Play, tiles: Tiles | None) -> str:
    return "\n".join(_row(turn, play, tiles) for turn in play.game.turns)


def _row(turn: Turn[Marks], play: Play, tiles: Tiles | None) -> str:
    if tiles is None or play.rules.length > WIDEST_ROW:
        line = f"{row(turn.feedback)} {code(turn.guess)}"
    else:
        line = tiles.row(turn.guess, turn.feedback, Palette(play.palette))
    if is_same_symbols(turn.feedback):
        remark = _("same symbols, other order")
        line += f"\n{small(remark)}"
    return line


def _all_rows(play: Play, tiles: Tiles | None) -> str:
    shown, empty = _hint_row(play, tiles), _empty_rows(play, tiles)
    following = [shown, *empty[1:]] if shown else empty
    return "\n".join([_rows(play, tiles), *following]).strip()


def _hint_row(play: Play, tiles: Tiles | None) -> str:
    """What hints have shown, each in its place: the row of the next guess; empty for nothing."""
    shown = shown_by(play.hints)
    if not shown or play.game.outcome is not None:
        return ""
    if tiles is None or play.rules.length > WIDEST_ROW:
        return f"{BULB} {shown_row(shown, play.rules.length)}"
    cells, palette = [tiles.blank] * play.rules.length, Palette(play.palette)
    for each in shown:
        cells[each.place] = tiles.symbol(each.symbol, State.CORRECT, palette)
    return "".join(cells)


def _remarks(play: Play) -> str:
    """What a picture of the rows does not say."""
    return "\n".join(
        small(_("{guess}: same symbols, other order").format(guess=code(turn.guess)))
        for turn in play.game.turns
        if is_same_symbols(turn.feedback)
    )


def _empty_rows(play: Play, tiles: Tiles | None) -> list[str]:
    """The guesses still to be made, where there are tiles to show them."""
    if tiles is None or play.game.outcome is not None:
        return []
    return [tiles.blank * play.rules.length] * play.game.guesses_left


def _keyboard(play: Play, tiles: Tiles | None) -> str:
    """What is known of each of the fifteen symbols."""
    shown = {each.symbol: Mark.CORRECT for each in shown_by(play.hints)}
    best = best_marks(play.game.turns) | shown
    if tiles is None:
        return _keyboard_in_words(best)
    palette = Palette(play.palette)
    states = {symbol: State.of(best.get(symbol)) for symbol in SYMBOLS}
    return "\n".join(
        "".join(tiles.symbol(symbol, states[symbol], palette) for symbol in line)
        for line in (DIGITS, SYMBOLS[len(DIGITS) :])
    )


def _keyboard_in_words(best: Mapping[str, Mark]) -> str:
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


def _spoken(marks: Marks) -> str:
    words = {
        Mark.CORRECT: _("in place"),
        Mark.PRESENT: _("elsewhere"),
        Mark.ABSENT: _("no"),
    }
    return ", ".join(words[mark] for mark in marks)


def _status(play: Play, tiles: Tiles | None, *, drawn: bool) -> str:
    if play.game.outcome is None:
        return _status_while_playing(play, tiles)
    return ended(play, drawn=drawn)


def _legend(play: Play, tiles: Tiles | None) -> Iterator[str]:
    """For who is learning, after the first guess: what its marks mean, and the strangest sign."""
    turns = len(play.game.turns)
    if not play.is_learning or not turns:
        return
    if tiles is not None:  # words say it, too
        yield say(LEGEND, **samples(tiles, Palette(play.palette)))
    if turns == 1:
        yield _("`%` is the remainder: `17%5` is 2.")


def _status_while_playing(play: Play, tiles: Tiles | None) -> str:
    left = play.game.guesses_left
    if not play.game.turns:
        line = _(
            "Find the hidden equation: three numbers, two operators, a result, as in {example}."
        ).format(example=code(example(play.rules.length)))
    else:
        line = ngettext("**Last guess.**", "{left} guesses left.", left).format(left=left)
    if is_warm_up(play):
        line = guidance(play, example(play.rules.length)) or line
    told = told_before(play.hints, len(play.game.turns))
    lines = (line, *map(small, _legend(play, tiles)), told)
    return "\n".join(filter(None, lines))
