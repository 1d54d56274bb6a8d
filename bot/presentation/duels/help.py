"""How duels are played, with a worked example; and challenges and ratings, another topic."""

from typing import Final

from bot.presentation.base import counts
from bot.presentation.base.language import N_, say
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import bullets, code, heading, small
from bot.presentation.duels.ratings import DETAILS_BUTTON, rank_rules
from bot.presentation.duels.rows import block, score_in_letters
from bot.presentation.invitations import invitations_help
from bot.services.duels.model import REMEMBERED_FOR
from bot.services.duels.rating import FEWEST_GUESSES
from engine import score

HIDDEN: Final = "4325"
GUESSES: Final = ("4312", "4358", "4325")

#: The rules of duels, above their example.
_RULES: Final = N_(
    "You each set a secret number, and guess the other's. Every guess is scored:\n"
    "- **bull** (B): right digit, right place\n"
    "- **cow** (C): right digit, wrong place"
)


def duel_help() -> list[str]:
    """How a duel is played, in blocks: what players need at once."""
    return [
        heading(_("How Bulls and Cows duels are played")),
        say(_RULES),
        _example(),
        _(
            "The first to find it **wins**; who moves second may still draw.\n**Time**: 2 minutes "
            "a guess (live) or 24 hours (relaxed). Whoever is too late loses."
        ),
        small(_("More: *Duels: all the rules* in the list below.")),
    ]


def duel_rules_help() -> list[str]:
    """Modes, options and the finer points, in blocks."""
    return [heading(_("Duels: all the rules")), _modes(), _course()]


def ratings_help() -> list[str]:
    """Who may be challenged, and what ratings are, in blocks."""
    return [
        heading(_("Duels: challenges and ratings")),
        _ratings(),
        rank_rules(),
        invitations_help(),
    ]


def _example() -> str:
    rows = block(f"{guess}  {score_in_letters(score(guess, HIDDEN))}" for guess in GUESSES)
    explanation = _(
        "The number is {number}. In the first guess `4` and `3` are in place: 2 bulls. `2` belongs "
        "elsewhere: 1 cow."
    ).format(number=code(HIDDEN))
    return f"{rows}\n{explanation}"


def _modes() -> str:
    return bullets(
        (
            _(
                "**Equal turns**: you guess in turn; a random pick says who begins. If the first "
                "mover finds the number, the other may still answer; both in one round is a draw."
            ),
            _("**Classic**: the first to find the number wins at once. Never rated."),
        )
    )


def _course() -> str:
    return bullets(
        (
            _(
                "`/duel opponent:@member` challenges somebody, with the options of your last duel "
                "unless you choose others; `/duel` alone plays the bot, also in direct messages: "
                "`casual`, `sharp` or `perfect`."
            ),
            _(
                "Numbers have 3 to 6 digits, 4 unless you choose otherwise, all different unless "
                "repeats are on. The first digit may be 0."
            ),
            _(
                "**Live** is 2 minutes a turn and 10 to set your number, **relaxed** 24 hours "
                "each. Whoever is too late loses. Time in which the bot was down is given back."
            ),
            _(
                "The **Notebook** is yours alone: your guesses, the digits that cannot be in the "
                "number, and how many numbers are still possible."
            ),
            _(
                "`/duel defend:True` turns the tables: you think of a number, the bot guesses, and "
                "you say how many bulls and cows there are. Where your answers cannot all be true, "
                "it shows which ones. Such a game counts for nothing, and is kept on its message "
                "only."
            ),
            _(
                "Beside a rated duel the bot breaks no number or code like yours for you, only "
                "what it draws itself; what it was breaking in `/mastermind defend` ends."
            ),
            _(
                "Nobody has found it after 30 rounds: a draw. You can resign, or offer a draw, "
                "which pings once a turn."
            ),
            _("If a board or its channel is gone, `/games` opens your duels all the same."),
        )
    )


def _ratings() -> str:
    days = counts.days(REMEMBERED_FOR.days)
    return bullets(
        (
            _(
                "**Rated** duels move both ratings, which start at 1500; most lie between 1400 and "
                "1600. Whoever is 100 above you scores about 64 of 100, a draw as half. The "
                "second rated duel of the same two within {days} counts "
                "half, the third a third. Whoever wins before the other has made {guesses} gains a "
                "third. Duels with the bot are never rated."
            ).format(days=days, guesses=counts.guesses(FEWEST_GUESSES)),
            _(
                "**New** is a rating of which too little is known for a rank in `/leaderboard`. "
                "*{details}* in `/stats` says how sure yours is, and what is missing. "
                "Accounts that play each other, or lose to other members as well, may get there, "
                "too: the bot cannot tell them from friends."
            ).format(details=say(DETAILS_BUTTON)),
            _(
                "Whoever **deletes their data** loses the duels that go on, from which the winners "
                "gain no rating, and has the old rating again when they come back within {days}. "
                "All who have deleted theirs are one opponent."
            ).format(days=days),
        )
    )
