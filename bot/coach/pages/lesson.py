"""*Find a better guess*: what is asked, and what a guess would have been worth, in a line."""

from typing import Final

from bot.coach.game.lessons import Answer, Lesson, Worth
from bot.coach.model.insight import Weighed
from bot.coach.pages.worth import probes_line, usually_left
from bot.text.language import N_, number, say
from bot.text.language import gettext as _
from bot.text.markup import code

#: Opens the board before the guess that cost most; at most 80 characters.
FIND_BUTTON: Final = N_("Find a better guess")
#: Shows the best guess to who seeks a better one.
SHOW_BUTTON: Final = N_("Show it")

# How a guess that was tried compares with the one that was made.
_WORTHS: Final = {
    Worth.BETTER: N_("{tried} is **better** than your {made}"),
    Worth.AS_GOOD: N_("{tried} is **as good** as your {made}"),
    Worth.WORSE: N_("{tried} is **not as good** as your {made}"),
}


def question(lesson: Lesson) -> str:
    """What is asked below the board."""
    words = _(
        "**What would have been a better guess {turn}?** Nothing counts here, and false equations "
        "are fine."
    )
    return words.format(turn=lesson.turn + 1)


def answer(found: Answer) -> str:
    """What was tried, beside what was made."""
    made, tried = found.made, found.tried
    if tried is None or found.worth is None:
        return _shown(made)
    if tried.guess == made.guess:
        return _("{made} is what you played. Try another.").format(made=code(made.guess))
    words = say(_WORTHS[found.worth], tried=code(tried.guess), made=code(made.guess))
    parts = [f"{words}{_reason(made, tried, found.worth)}."]
    if found.is_as_good_as_any:
        parts.insert(0, _("🎉 **Nothing beats it.**"))
    elif found.worth is not Worth.BETTER and found.is_secret:
        parts.append(_("It is the answer, but nobody could know."))
    return " ".join(parts)


def _shown(made: Weighed) -> str:
    """The solver's guess."""
    words = _("The best here is {choice}; you played {made}.")
    best, mine = (usually_left(made.before, bits) for bits in (made.choice_promised, made.promised))
    if best < mine and not made.is_last:
        words = _("The best here is {choice}: about {best} left on average, not {mine}.")
    facts = {"choice": code(made.choice), "made": code(made.guess)}
    told = words.format(best=number(best), mine=number(mine), **facts)
    return "\n".join(filter(None, (told, probes_line([made.choice]))))


def _reason(made: Weighed, tried: Weighed, worth: Worth) -> str:
    """Why it is better, or not as good; numbers where they tell it."""
    left, mine = (usually_left(made.before, each.promised) for each in (tried, made))
    if worth is Worth.AS_GOOD:
        return "" if made.is_last else _(": about {mine} left on average").format(mine=number(mine))
    if made.is_last:
        return _(": it could have been right")
    if left == mine or (left < mine) is (worth is Worth.WORSE):
        return _(", on average")
    words = _(": about {left} left on average, not {mine}")
    return words.format(left=number(left), mine=number(mine))
