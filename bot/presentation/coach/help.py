"""What the coach's words and figures mean; and what par is and hints cost, another topic."""

from typing import Final

from bot.model.hints import MOST_HINTS, HintKind
from bot.presentation.base import counts
from bot.presentation.base.language import N_, say
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import bullets, code, heading, small
from bot.presentation.coach.worth import GRADE_NAMES
from bot.services.coach.pars import RUNS
from engine.skill import Grade

# What a mark stands for, beside its name; the figures are those of `engine.skill`.
_MEANINGS: Final = {
    Grade.BRILLIANT: N_("it could not be right, but told more than all that could"),
    Grade.GOOD: N_("costs 0.05 guesses at most"),
    Grade.DOUBTFUL: N_("costs 0.15 guesses or more"),
    Grade.BAD: N_("0.35 or more"),
    Grade.BLUNDER: N_("0.7 or more, or 0.35 if it went against the clues"),
}


def coach_help() -> list[str]:
    """What stands on the coach's page, in blocks."""
    title = _("What the coach says")
    about = _(
        "*Coach* looks at a finished game with you alone: what it came to, the guess that decided "
        "it, then each guess. *Replay* shows it step by step."
    )
    return [f"{heading(title)}\n{about}", _marks(), bullets(_figures())]


def hints_help() -> list[str]:
    """What par is, and what hints cost, in blocks."""
    par = _(
        "**Par** of a day's puzzle: how many guesses the solver takes by a player's rules, the "
        "mean of {games}, each begun with another equation."
    ).format(games=counts.games(RUNS))
    hints = _(
        "**Hints** are for who is stuck: how many are possible, {times} a game, and a best "
        "guess, once. *Hint* tells the price first. In the day's FoCdle it is a point; a solve "
        "then begins or keeps a streak and lengthens none. Against par and in Mastermind a hint "
        "counts as a guess. In practice and for earlier puzzles it is free, and in duels there "
        "is none."
    ).format(times=counts.times(MOST_HINTS[HintKind.COUNT]))
    return [heading(_("Par and hints")), par, hints]


def _marks() -> str:
    words = _("{mark} **{name}**: {meaning}")
    lines = [
        words.format(mark=code(grade), name=say(GRADE_NAMES[grade]), meaning=say(meaning))
        for grade, meaning in _MEANINGS.items()
    ]
    below = _(
        "No mark: in between, or nothing else to do. Finding the answer gets no bad mark, though a "
        "lucky hit may lower skill."
    )
    return "\n".join((f"**{_('Marks, as in chess')}**", *lines, small(below)))


def _figures() -> tuple[str, ...]:
    return (
        _(
            "**Cost**: how much longer a guess makes the game on average, beside the solver's. ≈ "
            "is an estimate. Where no guess can follow, what could be right costs nothing, all "
            "else the chance that it gave away."
        ),
        _(
            "**Skill**, 0 to 99: the cost of all guesses together. 99 is to lose nothing; 50 is "
            "to guess blindly among what fits all clues."
        ),
        _(
            "**Luck**, 0 to 99: how often the same guess would have left more. 50 is neither good "
            "nor bad luck."
        ),
        _("**14 possible → 3**: so many fitted all clues before the guess, and so many after it."),
        _("**Usually leaves**: what typically stays possible after such a guess."),
    )
