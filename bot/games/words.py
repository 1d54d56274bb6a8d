"""Texts that boards of several games share: hints, sentences."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from bot.games.model import Contradiction, Hint
from bot.text.language import N_, _, ngettext, number, say
from bot.text.markup import code, relative_time, small
from bot.text.tiles import colour_name
from engine import CodeGame, Mark, Score, Shown, Turn

#: Leads from the correction of an answer back to the game; at most 80 characters.
BACK_BUTTON: Final = N_("Back to the game")
#: What the list of a player's answers says before one is chosen; at most 150 characters.
CORRECT_PLACEHOLDER: Final = N_("Which one was wrong?")
#: Beside an answer that is corrected, if it is not the last one.
DROPPED: Final = N_("Later guesses are dropped.")
#: Above the secret of a game that is lost.
OUT_OF_GUESSES: Final = N_("**Out of guesses.**")
#: In the help on games between members.
COUNTS_NOWHERE: Final = N_("It won't count for streaks, points or ratings.")

#: Said above the text that is to be copied.
COPY_THIS: Final = N_("To paste anywhere:")

REPAIR: Final = "✏️"
"""The mark of an answer that may be a mistake."""

#: Shows a symbol in its place, where that costs nothing.
HINT_BUTTON: Final = N_("Hint")
#: Shows a symbol in its place, where that costs a point.
POINT_BUTTON: Final = N_("Hint: −1 point")
#: Shows a peg in its place, where that counts as a guess.
HINT_FOR_GUESS_BUTTON: Final = N_("Hint: counts as a guess")

BULB: Final = "💡"
_UNKNOWN: Final = "·"
TURNS_WITH_LEGEND: Final = 4


def shown_row(shown: Iterable[Shown], length: int) -> str:
    """Write the symbols that hints have shown, each in its place of an otherwise empty row."""
    symbols = {each.place: each.symbol for each in shown}
    return code("".join(symbols.get(place, _UNKNOWN) for place in range(length)))


def latest_hint(hint: Hint, symbol: str) -> str:
    """Say what a hint has shown; `symbol` is written for the game's players."""
    words = _("{symbol} is in place {place}.")
    return f"{BULB} {words.format(symbol=symbol, place=hint.place + 1)}"


def taken(hints: tuple[Hint, ...]) -> str:
    """The number of hints taken, in words; empty for none."""
    if not hints:
        return ""
    #: The end of a line about a result, or beside other facts of a game.
    words = ngettext("with {n} hint", "with {n} hints", len(hints))
    return words.format(n=number(len(hints)))


def to_copy(plain: str) -> str:
    """A result for its player to paste where the bot did not post it."""
    return f"{say(COPY_THIS)}\n```\n{plain}\n```"


def advice(contradiction: Contradiction) -> str:
    if not contradiction.repairs:
        return _("You've made at least two slips. Choose one to correct.")
    if not contradiction.suspects:
        return ""
    return _("If you made just one slip, it's marked {pencil}.").format(pencil=REPAIR)


def unspent(sentence: str) -> str:
    """Why a guess was refused, and that it cost nothing."""
    return f"{sentence}\n{small(_('No guess was spent.'))}"


def guesses_left(n: int) -> str:
    return ngettext("**Last guess.**", "{left} guesses left.", n).format(left=number(n))


def praise(place: int, *, is_last: bool) -> str:
    """Praise for finding a secret; `place` is the number of guesses that is as good at FoCdle."""
    if is_last:
        return _("Phew, with the last guess!")
    words = {2: _("Astonishing!"), 3: _("Brilliant!"), 4: _("Well done!"), 5: _("Got it!")}
    return words.get(max(place, 2), _("There it is!"))


SIGNS: Final = {Mark.CORRECT: "g", Mark.PRESENT: "y", Mark.ABSENT: "x"}
"""What the web page calls marks."""


def code_data(
    rules: CodeGame, turns: Sequence[Turn[Score]], shown: Iterable[Shown] = ()
) -> dict[str, object]:
    """The board of a codebreaker as data for the web page, without what is said beside it."""
    places = {each.place: each.symbol for each in shown}
    marks = rules.sure(turns) | dict.fromkeys(places.values(), Mark.CORRECT)
    return {
        "length": rules.length,
        "most": rules.max_guesses,
        "symbols": rules.alphabet,
        "colours": {letter: colour_name(letter) for letter in rules.alphabet if letter.isalpha()},
        "rows": [score_data(turn) for turn in turns],
        "shown": places,
        "keys": {symbol: SIGNS[mark] for symbol, mark in marks.items()},
        "legend": 0 < len(turns) < TURNS_WITH_LEGEND,
    }


def score_data(turn: Turn[Score]) -> dict[str, object]:
    bulls, cows = turn.feedback
    spoken = _("{guess}: {correct} in place, {present} elsewhere").format(
        guess=" ".join(colour_name(s) if s.isalpha() else s for s in turn.guess),
        correct=bulls,
        present=cows,
    )
    return {"symbols": turn.guess, "score": [bulls, cows], "spoken": spoken}


GOOD: Final = "✅"
BAD: Final = "❌"
WON: Final = "🏆"


def finished_line(
    sign: str, name: str, result: str, finished_at: datetime, details: Iterable[str]
) -> str:
    """Write a finished game's entry in a list."""
    parts = (result, relative_time(finished_at), *details)
    return f"{sign} **{name}**\n{small(' · '.join(parts))}"


def solved(guesses: int, most: int) -> str:
    words = ngettext("solved at once", "solved in {guesses} of {most}", guesses)
    return words.format(guesses=guesses, most=most)
