"""How Mastermind is played, with a worked example."""

from typing import Final

from bot.presentation.base import counts
from bot.presentation.base.language import N_, say
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import bullets, heading, small
from bot.presentation.base.pegs import PLAIN, score_in_words
from bot.presentation.invitations import invitations_help
from bot.services.mastermind.transactions import SOLO_PATIENCE
from bot.services.privacy.cleaning import FLEETING_FOR
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
        small(_("More: *Mastermind: all the rules* in the list below.")),
    ]


def mastermind_rules_help() -> list[str]:
    """All ways to play, and the finer points, in blocks."""
    return [heading(_("Mastermind: all the rules")), _ways(), _details()]


def _example() -> str:
    rows = "\n".join(
        f"{PLAIN.row(guess)} {score_in_words(score(guess, HIDDEN))}" for guess in GUESSES
    )
    explanation = _(
        "The code is {code}. The first guess has a red and a green in place: 2 black. Its other "
        "green belongs elsewhere: 1 white. The code has no second red."
    ).format(code=PLAIN.row(HIDDEN))
    return f"{rows}\n{explanation}"


def _ways() -> str:
    return bullets(
        (
            _("`/mastermind play`: you break the bot's code, in private."),
            _(
                "`/mastermind defend`: you think of a code, the bot breaks it and you give the key "
                "pegs. If your answers contradict each other, it shows which ones do, and you "
                "correct one. Or enter the code first: then the bot scores itself, blindly."
            ),
            _(
                "`/mastermind challenge`: you set a code for a member, who breaks it in front of "
                "everybody. A challenge lapses when nobody guesses for a day."
            ),
            _(
                "`/mastermind watch`: the bot breaks a code it drew, and says why it guesses so. "
                "Such a game is kept for {days}."
            ).format(days=counts.days(FLEETING_FOR.days)),
        )
    )


def _details() -> str:
    return bullets(
        (
            _("Each peg of the code counts once."),
            _(
                "4 pegs, 6 colours, repeats and 12 guesses, unless you choose otherwise: 3 to 6 "
                "pegs, 4 to 10 colours, no repeats; where a player guesses, also 6 to 13 guesses."
            ),
            _(
                "Press colours and **Submit**, or type a guess: letters such as `rygb`, English "
                "names, or emoji. A guess that cannot be played costs nothing and is explained."
            ),
            _(
                "Ranked is `/mastermind play` with just these. While such a game goes on, the bot "
                "breaks no code or number like its for you; and a game that you open while it "
                "breaks one of yours in `/mastermind defend` is not ranked. That is settled before "
                "your first guess. A second account may still ask the bot; nobody can prevent that."
            ),
            _(
                "Two ranked games may go on at once. One left for {days} after a guess counts as "
                "lost."
            ).format(days=counts.days(SOLO_PATIENCE.days)),
            invitations_help(),
            _("Without repeats no colour is twice in the code, nor in a guess."),
        )
    )
