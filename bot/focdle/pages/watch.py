"""The board on which the bot breaks an equation, and says what each guess left."""

from typing import Final

from bot.focdle.game.watching import Watched
from bot.focdle.pages.board import WIDEST_ROW
from bot.games.model.reasons import Reason
from bot.text import counts
from bot.text.language import N_, ngettext, number
from bot.text.language import gettext as _
from bot.text.markup import code, heading, small
from bot.text.text_board import Mood, TextBoard
from bot.text.tiles import Palette, Tiles, row
from engine import Marks

#: From a practice to watching the bot; at most 80 characters.
WATCH_BUTTON: Final = N_("Watch the bot")
#: Buttons beside the bot that breaks an equation: one guess, all, another equation, a practice.
WATCH_BUTTONS: Final = {
    "step": N_("Next"),
    "all": N_("All"),
    "again": N_("Watch again"),
    "play": N_("Now you"),
}


def watch_board(game: Watched, tiles: Tiles | None = None) -> TextBoard:
    """The private board of who watches.

    Args:
        game: what is watched.
        tiles: the emojis to draw with; squares without them.
    """
    title = f"{heading(_('FoCdle: watch the bot'))}\n{small(counts.symbols(game.rules.length))}"
    lines = [line for step in game.steps for line in (_row(game, step, tiles), _reason(game, step))]
    mood = Mood.PLAYING if not game.is_over else Mood.SOLVED if game.is_found else Mood.LOST
    return TextBoard.of(mood, title, "\n".join(lines), _status(game))


def _row(game: Watched, step: Reason[Marks], tiles: Tiles | None) -> str:
    if tiles is None or game.rules.length > WIDEST_ROW:
        return f"{row(step.turn.feedback)} {code(step.turn.guess)}"
    return tiles.row(step.turn.guess, step.turn.feedback, Palette(game.palette))


def _reason(game: Watched, step: Reason[Marks]) -> str:
    """What a guess promised, and what came of it."""
    if step.before == 1:
        return small(_("The only one left"))
    if step.turn.guess == game.secret:
        words = _("One of {before}, and right")
        return small(words.format(before=number(step.before)))
    sentence = _("**{after}** of {before} equations left")
    return small(sentence.format(before=number(step.before), after=number(step.after)))


def _status(game: Watched) -> str:
    if game.is_found:
        return ngettext(
            "**Found with the first guess!**", "**Found in {n}.**", len(game.steps)
        ).format(n=counts.guesses(len(game.steps)))
    if game.is_over:
        words = _("**The bot is out of guesses.** The equation was {equation}.")
        return words.format(equation=code(game.secret))
    if game.steps:
        return ""
    return _("One of {count}, and the bot does not look. What would you guess?").format(
        count=number(game.rules.secrets)
    )
