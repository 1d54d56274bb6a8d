"""The boards on which the bot breaks a code blindly, and says what each guess left."""

from typing import Final

from bot.games.model.reasons import Reason
from bot.mastermind.model.game import Ending, Kind, MastermindGame
from bot.mastermind.pages.defend import defend_end
from bot.mastermind.pages.rows import legend, palette, revealed, title, turn_row
from bot.text.language import gettext as _
from bot.text.language import ngettext, number
from bot.text.markup import small
from bot.text.pegs import Pegs
from bot.text.text_board import Mood, TextBoard
from engine import Score

# Of a longer game, only the last guesses say what they left; else it might not fit.
_MOST_REASONS: Final = 5


def watch_board(game: MastermindGame, pegs: Pegs) -> TextBoard:
    """The private board of who watches the bot; the code may be the bot's or the watcher's."""
    is_own = game.kind is Kind.DEFEND
    words = _("Mastermind: watch the bot")
    if is_own:
        words = _("Mastermind: the bot breaks your sealed code")
    heading = title(words, game.rules)
    rows = "\n".join(_rows(game, pegs))
    if game.ending is not None:
        end = defend_end(game, pegs) if is_own else _end(game, pegs)
        is_success = game.ending is Ending.SOLVED and not is_own
        return TextBoard.of(Mood.SOLVED if is_success else Mood.LOST, heading, rows, end)
    begun = "" if game.turns else _beginning(game, pegs)
    return TextBoard.of(Mood.PLAYING, heading, rows, f"{begun}\n{legend(game, pegs)}".strip())


def _beginning(game: MastermindGame, pegs: Pegs) -> str:
    if game.kind is Kind.DEFEND:
        sentence = _("🔒 One of {count} codes is yours. The bot does not look.")
    else:
        sentence = _(
            "One of {count} codes in these colours.\n{colours}\nThe bot does not look. What would "
            "you guess?"
        )
    return sentence.format(
        count=number(game.rules.size),
        colours=palette(game.rules, pegs),
    )


def _rows(game: MastermindGame, pegs: Pegs) -> list[str]:
    rows: list[str] = []
    for index, step in enumerate(game.steps):
        rows.append(turn_row(index, step.turn, pegs))
        if index >= len(game.steps) - _MOST_REASONS:
            rows.append(small(_reason(game, step)))
    return rows


def _reason(game: MastermindGame, step: Reason[Score]) -> str:
    """What a guess promised, and what came of it."""
    if step.before == 1:
        return _("The only one left")
    if game.rules.solved(step.turn.feedback):
        return _("One of {before}, and right").format(before=number(step.before))
    return _("**{after}** of {before} codes left").format(
        before=number(step.before), after=number(step.after)
    )


def _end(game: MastermindGame, pegs: Pegs) -> str:
    sentences = {
        Ending.SOLVED: ngettext(
            "**Found with the first guess!**", "**Found in {turns} guesses.**", len(game.turns)
        ),
        Ending.LOST: _("**The bot is out of guesses.**"),
        Ending.SURRENDERED: _("**You ended this game.**"),
        Ending.CLOSED: _("**Closed**, because it was left alone for a week."),
    }
    sentence = sentences[game.ending or Ending.CLOSED].format(turns=len(game.turns))
    return f"{sentence} {revealed(game, pegs)}".strip()
