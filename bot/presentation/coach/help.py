"""What the coach's words and figures mean, and what hints cost."""

from math import log2
from typing import Final

from bot.model.hints import MOST_HINTS, HintKind
from bot.presentation.base import counts
from bot.presentation.base.language import gettext as _
from bot.presentation.base.language import number
from bot.presentation.base.markup import bullets, code, heading
from bot.presentation.base.tiles import row
from bot.services.coach.pars import RUNS
from engine import mark
from engine.skill import Grade

_GUESS: Final = "13+12-8=17"
_HIDDEN: Final = "25+4*12=73"
# Counted; a test counts again.
_BEFORE: Final = 1_805_274
_AFTER: Final = 2_233


def coach_help() -> list[str]:
    """The topic's text, in blocks."""
    return [
        heading(_("The coach, par and hints")),
        _(
            "*Coach* stands on every finished board, and only you see what it says: what the game "
            "came to, the guess that decided it, then each guess. *Replay* shows the game step by "
            "step, for you or for everybody here. What was possible is counted, nothing is sampled."
        ),
        bullets(_figures()),
        _hints(),
    ]


def _figures() -> tuple[str, ...]:
    return (
        _(
            "**Possible**: how many secrets agreed with all answers before a guess and after it. "
            "An example: {row} {guess} as the first guess leaves {after} of {before} equations."
        ).format(
            row=row(mark(_GUESS, _HIDDEN)),
            guess=code(_GUESS),
            after=number(_AFTER),
            before=number(_BEFORE),
        ),
        _(
            "**Usually leaves**: how many could be expected to stay before the answer was known. "
            "It is an average that counts halvings (the geometric mean): the example's answer "
            "halved what was possible {bits} times."
        ).format(bits=number(log2(_BEFORE / _AFTER), 1)),
        _(
            "**Skill**, 0 to 99: what your guesses cost in all beside the solver's, which may play "
            "only what you may. 99 is to lose nothing; about 50 is what guesses come to that fit "
            "all clues and are drawn blindly. A guess that tells nothing costs a whole one. ≈ is "
            "an estimate."
        ),
        _(
            "**Marks**, as in chess: {good} good, as the solver's own; {brilliant} brilliant, one "
            "that could not win and beats all that could. On average {doubtful}, a slip, makes the "
            "game a sixth of a guess longer; {bad}, a mistake, a third; {blunder}, a blunder, most "
            "of one, or a third against the clues. No mark: in between, or nothing else to do."
        ).format(
            good=code(Grade.GOOD),
            brilliant=code(Grade.BRILLIANT),
            doubtful=code(Grade.DOUBTFUL),
            bad=code(Grade.BAD),
            blunder=code(Grade.BLUNDER),
        ),
        _(
            "**Luck**, 0 to 99: how often the same guess would have left more. 50 is neither good "
            "nor bad luck."
        ),
        _(
            "**Par** of a day's puzzle: how many guesses the solver takes by a player's rules, the "
            "mean of {games}, each begun with another equation."
        ).format(games=counts.games(RUNS)),
    )


def _hints() -> str:
    return _(
        "**Hints** are for who is stuck: how many are possible, {times} a game, and a best "
        "guess, once. *Hint* tells the price first. In the day's FoCdle it is a point; a solve "
        "then begins or keeps a streak and lengthens none. Against par and in Mastermind a hint "
        "counts as a guess. In practice and for earlier puzzles it is free, and in duels there "
        "is none."
    ).format(times=counts.times(MOST_HINTS[HintKind.COUNT]))
