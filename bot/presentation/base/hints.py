"""Hints in words: what they cost, and what they tell."""

from collections.abc import Callable
from typing import Final

from bot.model.dailies import points_for
from bot.model.hints import Hint, HintKind, hints_left
from bot.presentation.base import counts
from bot.presentation.base.language import N_, ngettext, number
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import code, small
from bot.presentation.base.pegs import Pegs
from bot.services.focdle.model import Play
from bot.services.mastermind.model import MastermindGame
from engine import Code

#: Asks which hint is meant, and says what it costs.
HINT_BUTTON: Final = N_("Hint")
#: Plays the guess that a hint suggests; at most 80 characters.
PLAY_IT_BUTTON: Final = N_("Play it")


#: Back from the question which hint is meant to the board's own buttons.
BACK_BUTTON: Final = N_("Back")

TAKE_BUTTONS: Final = {
    HintKind.COUNT: N_("How many are left?"),
    HintKind.SUGGESTION: N_("Suggest a guess"),
}
"""What takes a hint of a kind."""


def no_more_hints(hints: tuple[Hint, ...]) -> str:
    """What is said when no hint is left for this turn, or for the game."""
    if any(hints_left(hints, kind) for kind in HintKind):
        return small(_("No more hints before your next guess."))
    return small(_("These were all the hints of this game."))


def play_question(play: Play) -> str:
    """What a hint costs in a FoCdle, before one is taken."""
    if play.puzzle is None:
        price = _("This is practice: a hint costs nothing.")
    elif not play.is_today:
        price = _("This puzzle's day is over: a hint costs nothing.")
    else:
        price = _price(play)
    suggestion = _("The suggestion tells most; it need not be the answer.")
    if play.rules.hard:
        suggestion = _("The suggestion keeps to hard mode.")
    return _question(price, play.hints, len(play.game.turns), suggestion)


def mastermind_question(game: MastermindGame) -> str:
    """What a hint costs where a player breaks the bot's code."""
    price = _("There are no points to lose here.")
    if game.is_ranked:
        price = _("On the leaderboard a hint counts as a guess.")
    suggestion = _("The suggestion tells most; it need not be the answer.")
    return _question(price, game.hints, len(game.turns), suggestion)


def play_hints(play: Play) -> str:
    """What the player was told since the last guess; empty for nothing."""

    def spell(answer: str) -> str:
        if play.rules.equation(Code(answer)).is_true:
            return code(answer)
        probe = _("It is false on purpose: it is not the answer, but tells you most.")
        return f"{code(answer)}\n{small(probe)}"

    return _told(play.hints, len(play.game.turns), spell)


def mastermind_hints(game: MastermindGame, pegs: Pegs) -> str:
    """What the player was told since the last guess; empty for nothing."""

    def spell(answer: str) -> str:
        return f"\n{pegs.lettered_row(answer)}"  # within a line pegs would wrap

    return _told(game.hints, len(game.turns), spell)


def taken(hints: tuple[Hint, ...]) -> str:
    """How many hints were taken; empty for none."""
    if not hints:
        return ""
    return _("with {hints}").format(hints=counts.hints(len(hints)))


def _price(play: Play) -> str:
    turns, hints = len(play.game.turns) + 1, len(play.hints)
    now, then = (points_for(solved=True, guesses=turns, hints=n) for n in (hints, hints + 1))
    cost = _("A hint costs a point: {then} instead of {now}, if your next guess is right.")
    if hints:
        cost = _("One more costs another point: {then} instead of {now}.")
    if now == then:
        cost = _("A hint costs no point any more.")
    streak = _("With hints your streak stays, and today adds no day to it.")
    return cost.format(now=now, then=then) + ("" if hints else f" {streak}")


def _question(price: str, hints: tuple[Hint, ...], turn: int, suggestion: str) -> str:
    lines = [f"💡 {price}"]
    if not turn:
        lines.append(small(_("Before the first guess everything is possible.")))
    elif hints_left(hints, HintKind.SUGGESTION):
        lines.append(small(suggestion))
    return "\n".join(lines)


def _told(hints: tuple[Hint, ...], turn: int, spell: Callable[[str], str]) -> str:
    lines: list[str] = []
    for hint in hints:
        if hint.turn != turn:
            continue
        if hint.kind is HintKind.SUGGESTION:
            lines.append(_("💡 One of the best guesses: {code}").format(code=spell(hint.answer)))
        else:
            count = int(hint.answer)
            told = ngettext(
                "💡 Exactly **1** is left.", "💡 **{count}** are still possible.", count
            )
            lines.append(told.format(count=number(count)))
    return "\n".join(lines)
