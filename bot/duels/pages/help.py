"""How duels are played, with a worked example; and ratings, another topic."""

from typing import Final

from bot.duels.game.rating import FEWEST_GUESSES
from bot.duels.model.duel import REMEMBERED_FOR
from bot.duels.pages.rounds import DuelTiles
from bot.duels.pages.rows import block, score_in_letters
from bot.leaderboards.pages.ratings import DETAILS_BUTTON, rank_rules
from bot.text import counts
from bot.text.language import N_, say
from bot.text.language import gettext as _
from bot.text.markup import bullets, code, heading
from engine import Code, Score, Turn, score

HIDDEN: Final = "4325"
GUESSES: Final = ("4312", "4358", "4325")

#: The rules of duels, above their example.
_RULES: Final = N_(
    "You each set a secret number, and guess the other's. Every guess is scored:\n"
    "- **bull** ({bull}): right digit, right place\n"
    "- **cow** ({cow}): right digit, wrong place"
)


def duel_help(look: DuelTiles | None = None) -> list[str]:
    """How a duel is played, in blocks: what players need at once."""
    bull, cow = ("B", "C") if look is None else map(look.pegs.key, (Score(1, 0), Score(0, 1)))
    return [
        heading(_("How duels are played")),
        say(_RULES, bull=bull, cow=cow),
        _example(look),
        _(
            "The first to find it **wins**; the second player gets one last guess, for a draw.\n"
            "**Time**: 2 minutes a guess, or a day: who accepts chooses. Run out, and you lose."
        ),
    ]


def duel_rules_help() -> list[str]:
    """Modes, options and the finer points, in blocks."""
    return [heading(_("Duels: good to know")), bullets(_details())]


def ratings_help() -> list[str]:
    """What ratings are, and what a rank takes, in blocks."""
    return [heading(_("Duels: ratings and ranks")), bullets(_ratings()), rank_rules()]


def _example(look: DuelTiles | None) -> str:
    turns = [Turn(Code(guess), score(guess, HIDDEN)) for guess in GUESSES]
    if look is None:
        rows = block(f"{turn.guess}  {score_in_letters(turn.feedback)}" for turn in turns)
    else:
        rows = "\n".join(map(look.turn, turns))
    explanation = _(
        "The number is {number}. In the first guess `4` and `3` are in place: 2 bulls. `2` belongs "
        "elsewhere: 1 cow."
    ).format(number=code(HIDDEN))
    return f"{rows}\n{explanation}"


def _details() -> tuple[str, ...]:
    return (
        _("**Equal turns**: both get as many guesses; who finds it in the same round draws."),
        _("**Classic**: the first to find it wins at once. Never rated."),
        _("Numbers have 3 to 6 digits, all different unless repeats are on. The first may be 0."),
        _("After 30 rounds it is a draw. You can resign, or offer a draw."),
        _("*Change* sets digits, mode and rating, until somebody accepts."),
        _("Before the first guess, either of you can call it off for nothing."),
        _("`/duel` alone plays the bot; in `/play`, *Duel*, it hunts for your number."),
        _("During a rated duel the bot breaks no number like yours for you."),
        _("*No challenges* in `/preferences` keeps all of them away."),
    )


def _ratings() -> tuple[str, ...]:
    return (
        _(
            "Ratings start at 1500. Somebody who is 100 above you scores about 64 of 100. Duels "
            "with the bot are never rated."
        ),
        _(
            "The second rated duel of the same two within {days} counts half, the third a third. "
            "A win before the loser has made {guesses} gains a third."
        ).format(days=counts.days(REMEMBERED_FOR.days), guesses=counts.guesses(FEWEST_GUESSES)),
        _("*{details}* in `/stats` says what you lack for a rank.").format(
            details=say(DETAILS_BUTTON)
        ),
    )
