"""How Mastermind is played, with a worked example."""

from typing import Final

from bot.mastermind.game.transactions import SOLO_PATIENCE
from bot.text import counts
from bot.text.language import N_, say
from bot.text.language import gettext as _
from bot.text.markup import bullets, heading
from bot.text.pegs import PLAIN, score_in_words
from engine import score

HIDDEN: Final = "GRBG"
GUESSES: Final = ("RRGG", "GRYG", "GRBG")

#: The rules of Mastermind, above their example.
_RULES: Final = N_(
    "Guess the hidden code of coloured pegs. Every guess gets key pegs:\n"
    "- **black**: right colour, right place\n"
    "- **white**: right colour, wrong place\n"
    "They do not say for which pegs."
)


def mastermind_help() -> list[str]:
    """How a code is broken, in blocks."""
    return [
        heading(_("How Mastermind is played")),
        say(_RULES),
        _example(),
        _("You have 12 guesses, and no clock runs."),
    ]


def mastermind_rules_help() -> list[str]:
    """All ways to play, and the finer points, in blocks."""
    return [heading(_("Mastermind: good to know")), bullets(_details())]


def _example() -> str:
    rows = "\n".join(
        f"{PLAIN.row(guess)} {score_in_words(score(guess, HIDDEN))}" for guess in GUESSES
    )
    explanation = _(
        "The code is {code}. The first guess has a red and a green in place: 2 black. Its other "
        "green belongs elsewhere: 1 white. The code has no second red."
    ).format(code=PLAIN.row(HIDDEN))
    return f"{rows}\n{explanation}"


def _details() -> tuple[str, ...]:
    return (
        _(
            "`/mastermind defend`: the bot breaks your code, and you give the key pegs. Or enter "
            "it first: the bot scores itself, blindly."
        ),
        _("`/mastermind challenge`: a member breaks your code, and everybody can watch."),
        _("`/mastermind watch`: the bot breaks one."),
        _("Choose 3 to 6 pegs, 4 to 10 colours, repeats or none, 6 to 13 guesses."),
        _("Type a guess as letters (`rygb`), names or emoji. A mistake costs nothing."),
        _(
            "**Ranked** is `/mastermind play` as it comes: two games at once. One left alone for "
            "{days} counts as lost. Meanwhile the bot breaks no code like it for you."
        ).format(days=counts.days(SOLO_PATIENCE.days)),
    )
