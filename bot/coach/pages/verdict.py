"""What a game came to, in a sentence."""

from typing import Final

from bot.coach.game.verdict import Manner, is_too_short, manner_of
from bot.coach.model.insight import Review, Role
from bot.text import counts
from bot.text.language import N_, say
from bot.text.language import gettext as _

# How a game was played, as the first words of the coach.
_MANNERS: Final = {
    Manner.FLAWLESS: N_("**Flawless.** No guess could have been better."),
    Manner.SHARP: N_("**Sharp play.** Hardly anything was given away."),
    Manner.GOOD: N_("**Well played**, with a little left to find."),
    Manner.MIXED: N_("**Ups and downs**: some guesses told a lot, others little."),
    Manner.BUMPY: N_("**A bumpy ride**: there was more to find."),
}


def verdict_line(review: Review) -> str:
    """The coach's first words."""
    analysis = review.analysis
    if review.role is Role.BOT:
        words = _("**{guesses} of the bot's.**")
        return words.format(guesses=counts.guesses(len(analysis.turns)))
    if is_too_short(analysis):
        return _("**Too short a game to judge.**")
    if analysis.is_solved and len(analysis.turns) < len(analysis.line):
        return _("🎉 **Faster than the coach!**")
    return say(_MANNERS[manner_of(review)])
