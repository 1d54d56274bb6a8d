"""What the coach refuses, in words."""

from collections.abc import Callable
from typing import Any, Final

from bot.model.hints import HintKind
from bot.presentation.base.language import gettext as _
from bot.presentation.base.language import ngettext
from bot.presentation.base.markup import mention
from bot.services.coach.errors import (
    CoachBusyError,
    HintOverError,
    HintsUsedUpError,
    Lack,
    NotAPlayerError,
    NothingToCountError,
    NothingToReviewError,
    OneAtATimeError,
    StillPlayingError,
)


def _still_playing(_error: StillPlayingError) -> str:
    return _("The coach speaks when the game is over. Finish it, then press **Coach** again.")


def _nothing_to_review(error: NothingToReviewError) -> str:
    if error.lack is Lack.CONTRADICTION:
        return _("The answers in this game contradict each other, so nothing can be worked out.")
    return _("Nobody has guessed in this game, so there is nothing to look at.")


def _not_a_player(error: NotAPlayerError) -> str:
    return _(
        "The coach talks about this game with {first} and {second}, who played it. Play one of "
        "your own, and press **Coach** when it is over."
    ).format(first=mention(error.player_ids[0]), second=mention(error.player_ids[-1]))


def _one_at_a_time(_error: OneAtATimeError) -> str:
    return _(
        "The coach is still busy with another game of yours. Press **Coach** here when that has "
        "been answered."
    )


def _coach_busy(_error: CoachBusyError) -> str:
    return _("Very many games wait for the coach. Please press the button again in a minute.")


def _hint_over(_error: HintOverError) -> str:
    return _("This game is over, so there are no more hints. **Coach** tells you all about it.")


def _hints_used_up(error: HintsUsedUpError) -> str:
    if error.kind is HintKind.SUGGESTION:
        return _("A game has one suggestion, and you have had it.")
    return ngettext(
        "A game has {most} count, and you have had it.",
        "A game has {most} counts, and you have had them all.",
        error.most,
    ).format(most=error.most)


def _nothing_to_count(_error: NothingToCountError) -> str:
    return _("Before the first guess everything is possible. Guess once, then there is a count.")


COACH_WORDS: Final[dict[type[Exception], Callable[[Any], str]]] = {
    StillPlayingError: _still_playing,
    NotAPlayerError: _not_a_player,
    NothingToReviewError: _nothing_to_review,
    OneAtATimeError: _one_at_a_time,
    CoachBusyError: _coach_busy,
    HintOverError: _hint_over,
    HintsUsedUpError: _hints_used_up,
    NothingToCountError: _nothing_to_count,
}
