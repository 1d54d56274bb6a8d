"""What the coach refuses, in words."""

from typing import Final

from bot.coach.model import errors
from bot.text.language import N_
from bot.text.language import gettext as _
from bot.text.markup import mention
from bot.text.refusals import Sentences


def _not_a_player(error: errors.NotAPlayerError) -> str:
    return _(
        "This game is for {first} and {second}. Play one of your own, then press **Coach**."
    ).format(first=mention(error.player_ids[0]), second=mention(error.player_ids[-1]))


SENTENCES: Final[Sentences] = {
    errors.StillPlayingError: N_("The coach speaks when the game is over."),
    errors.NotAPlayerError: _not_a_player,
    errors.NobodyGuessedError: N_("Nobody has guessed in this game."),
    errors.ContradictoryAnswersError: N_("The answers in this game contradict each other."),
    errors.OneAtATimeError: N_(
        "The coach is busy with another game of yours. Try again when that is answered."
    ),
    errors.CoachBusyError: N_("Many games wait for the coach. Try again in a minute."),
    errors.HintOverError: N_("This game is over. **Coach** tells you all about it."),
    errors.NotForEverybodyError: N_("This game stays between you and me here."),
}
