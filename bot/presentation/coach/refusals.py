"""What the coach refuses, in words."""

from typing import Final

from bot.model.hints import HintKind
from bot.presentation.base.language import N_, ngettext
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import mention
from bot.presentation.base.refusals import Sentences, written
from bot.services.coach import errors


def _not_a_player(error: errors.NotAPlayerError) -> str:
    return _(
        "The coach talks about this game with {first} and {second}, who played it. Play one of "
        "your own, and press **Coach** when it is over."
    ).format(first=mention(error.player_ids[0]), second=mention(error.player_ids[-1]))


def _hints_used_up(error: errors.HintsUsedUpError) -> str:
    if error.kind is HintKind.SUGGESTION:
        return _("A game has one suggestion, and you have had it.")
    return ngettext(
        "A game has {most} count, and you have had it.",
        "A game has {most} counts, and you have had them all.",
        error.most,
    ).format(**written(error))


SENTENCES: Final[Sentences] = {
    errors.StillPlayingError: N_(
        "The coach speaks when the game is over. Finish it, then press **Coach** again."
    ),
    errors.NotAPlayerError: _not_a_player,
    errors.NobodyGuessedError: N_(
        "Nobody has guessed in this game, so there is nothing to look at."
    ),
    errors.ContradictoryAnswersError: N_(
        "The answers in this game contradict each other, so nothing can be worked out."
    ),
    errors.OneAtATimeError: N_(
        "The coach is still busy with another game of yours. Press **Coach** here when that has "
        "been answered."
    ),
    errors.CoachBusyError: N_(
        "Very many games wait for the coach. Please press the button again in a minute."
    ),
    errors.HintOverError: N_(
        "This game is over, so there are no more hints. **Coach** tells you all about it."
    ),
    errors.HintsUsedUpError: _hints_used_up,
    errors.NotForEverybodyError: N_(
        "This game stays between you and me here: a day's puzzle until its date has ended "
        "everywhere, a game with somebody else outside the server where you played it."
    ),
    errors.NothingToCountError: N_(
        "Before the first guess everything is possible. Guess once, then there is a count."
    ),
}
