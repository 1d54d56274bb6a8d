"""Lines that the boards of all kinds of Mastermind share."""

from collections.abc import Iterable
from typing import Final

from bot.games.game.hints import shown_by
from bot.games.pages.hints import BULB
from bot.mastermind.model.game import Ending, MastermindGame
from bot.text import counts
from bot.text.language import gettext as _
from bot.text.markup import heading, small
from bot.text.pegs import Pegs, colour_name
from engine import Code, Mastermind, Score, Turn

_GAP: Final = "\u2002"  # no wider than needed: six pegs, and what follows, must fit a phone
_BLACK: Final = Score(1, 0)
_WHITE: Final = Score(0, 1)
_NONE: Final = Score(0, 0)


def setting(rules: Mastermind, *, with_guesses: bool = True) -> str:
    """A setting in a few words."""
    parts = [
        counts.pegs(rules.pegs),
        counts.colours(rules.colours),
        _("with repeats") if rules.repeats else _("no repeats"),
    ]
    if with_guesses:
        parts.append(counts.guesses(rules.max_guesses))
    return " · ".join(parts)


def title(words: str, rules: Mastermind, note: str = "") -> str:
    """A board's heading, and its setting."""
    return f"{heading(words)}\n{small(' · '.join(filter(None, (setting(rules), note))))}"


def row(number: int, code: str, pegs: Pegs, places: int = 0, after: str = "") -> str:
    """One row: its number, its pegs, and what follows them.

    Args:
        number: 1 for the first.
        code: the pegs in it.
        pegs: how they are shown.
        places: how many pegs there will be.
        after: what follows.
    """
    line = f"`{number:2}`{_GAP}{pegs.row(code, places)}"
    return f"{line}{_GAP}{after}" if after else line


def turn_row(index: int, turn: Turn[Score], pegs: Pegs, after: str = "") -> str:
    """The row of a guess and its key pegs; the index of the first is 0."""
    key = pegs.key(turn.feedback)
    return row(index + 1, turn.guess, pegs, after=f"{key}{_GAP}{after}" if after else key)


def turn_rows(turns: Iterable[tuple[int, Turn[Score]]], pegs: Pegs) -> str:
    """Rows under each other."""
    return "\n".join(turn_row(index, turn, pegs) for index, turn in turns)


def all_rows(game: MastermindGame, pegs: Pegs) -> list[str]:
    """The rows of a game's turns."""
    return [turn_row(index, turn, pegs) for index, turn in enumerate(game.turns)]


def hint_row(game: MastermindGame, pegs: Pegs) -> list[str]:
    """What hints have shown, each peg in its place, if they have shown any."""
    shown = {each.place: pegs.peg(each.symbol) for each in shown_by(game.hints)}
    places = range(game.rules.pegs)
    row = "".join(shown.get(place, pegs.empty) for place in places)
    return [f"{BULB}{_GAP}{row}"] if shown else []


def legend(game: MastermindGame, pegs: Pegs) -> str:
    """What key pegs mean, for who has never played; and a row without any, once there is one."""
    black, white, none = _("black"), _("white"), _("none")
    if pegs.has_letters:
        black = f"{pegs.key(_BLACK)} {black}"
        white = f"{pegs.key(_WHITE)} {white}"
        none = f"{pegs.key(_NONE)} {none}"
    lines = [
        _("{black}: right colour, right place").format(black=black),
        _("{white}: right colour, wrong place").format(white=white),
    ]
    if any(turn.feedback == _NONE for turn in game.turns):
        lines.append(_("{none}: no colour is right").format(none=none))
    return "\n".join(map(small, lines))


def board_url(game: MastermindGame) -> str | None:
    """Where the public board of a challenge is, if it has one."""
    if game.message_id is None:
        return None
    return f"https://discord.com/channels/{game.guild_id}/{game.channel_id}/{game.message_id}"


def palette(rules: Mastermind, pegs: Pegs) -> str:
    """The colours in play."""
    return pegs.row(rules.alphabet)


def alphabet(rules: Mastermind) -> str:
    """The letters of the colours in play, and what they stand for."""
    return ", ".join(f"{letter} {colour_name(letter)}" for letter in rules.alphabet)


def example(rules: Mastermind) -> Code:
    """A code of these rules."""
    return Code((rules.alphabet * 2)[: rules.pegs])


def revealed(game: MastermindGame, pegs: Pegs) -> str:
    """What the code was, if it may be told and the last row does not show it already."""
    if game.secret is None or game.ending is Ending.SOLVED:
        return ""
    return _("The code was\n{code}").format(code=pegs.lettered_row(game.secret))
