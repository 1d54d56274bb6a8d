"""Every typed error as one precise sentence that says what to do."""

from collections.abc import Callable
from typing import Any, Final

from bot.errors import ClosingError, StorageBusyError, UnusableDatabaseError
from bot.presentation.base.commitments import FAIRNESS_WORDS
from bot.presentation.base.language import N_, ngettext
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import code, mention, printable, relative_time
from bot.presentation.coach.refusals import COACH_WORDS
from bot.presentation.duels.refusals import DUEL_WORDS
from bot.presentation.focdle.refusals import FOCDLE_WORDS
from bot.presentation.invitations import INVITATION_WORDS
from bot.presentation.mastermind.refusals import MASTERMIND_WORDS
from bot.presentation.privacy.data import PRIVACY_WORDS
from bot.presentation.server.refusals import SETTINGS_WORDS
from bot.presentation.statistics import stats_hidden, stats_of_stranger
from bot.services.base.errors import (
    CannotSeeChannelError,
    MayNotSpeakError,
    NoServerError,
    NotAllowedError,
    NotAMemberError,
    NothingChosenError,
    Speech,
    TooFastError,
    UnknownZoneError,
    ZoneTooSoonError,
)
from bot.services.server.errors import ServerUnseenError
from bot.services.standings.errors import StatsHiddenError, StatsOfStrangerError


def refusal(error: Exception) -> str | None:
    """What to tell the player; None for errors that are nobody's mistake but ours."""
    word = _WORDS.get(type(error))
    return None if word is None else word(error)


def breakdown(reference: str) -> str:
    """What to tell the player when something of ours broke."""
    return _(
        "Something went wrong on our side; your game is safe. If it happens again, "
        "tell the people who run this bot: reference {reference}."
    ).format(reference=code(reference))


def unheard() -> str:
    """What to tell the player when an answer did not come through."""
    return _(
        "Discord did not take the bot's answer. A guess that you have sent is kept: `/games` shows "
        "your games as they stand."
    )


def _unknown_zone(error: UnknownZoneError) -> str:
    if not printable(error.text):
        return _("Nothing was typed. Choose a time zone from the list, or type a large city.")
    if not error.proposals:
        return _(
            "No time zone is called {text}. Type a country, a larger city such as `Tokyo`, or an "
            "offset such as `UTC+2`. A time zone looks like `Europe/Berlin`."
        ).format(text=code(error.text))
    return ngettext(
        "No time zone is called {text}. Did you mean this one?",
        "No time zone is called {text}. Did you mean one of these?",
        len(error.proposals),
    ).format(text=code(error.text))


def _zone_too_soon(error: ZoneTooSoonError) -> str:
    return _(
        "Your time zone can change once a week, so that everybody's days are alike. "
        "You can change it again {when}."
    ).format(when=relative_time(error.again_at))


def _nothing_chosen(_error: NothingChosenError) -> str:
    return _("Nothing was chosen, so nothing has changed.")


def _too_fast(_error: TooFastError) -> str:
    return _(
        "That was a lot at once, and others are playing, too. Wait a few seconds, then go on; "
        "nothing was lost."
    )


def _not_allowed(_error: NotAllowedError) -> str:
    return _("Only members with the permission Manage Server can see and change its settings.")


def _no_server(_error: NoServerError) -> str:
    return _(
        "Challenges are played in front of others: type this in a channel of a server that has "
        "added this bot."
    )


def _server_unseen(_error: ServerUnseenError) -> str:
    return _("The bot is not back in that server yet. Nothing was lost; try again in a minute.")


def _not_a_member(error: NotAMemberError) -> str:
    return _(
        "{player} is not a member of this server. Challenge somebody who is, or challenge them on "
        "a server that you share."
    ).format(player=mention(error.player_id))


def _cannot_see_channel(error: CannotSeeChannelError) -> str:
    return _(
        "{player} cannot see {channel}. Challenge them in a channel that you both can see."
    ).format(player=mention(error.player_id), channel=f"<#{error.channel_id}>")


def _may_not_speak(error: MayNotSpeakError) -> str:
    reason = _("You may not write in {channel}, so the bot does not do it for you.")
    places = _(" or ").join(f"<#{channel_id}>" for channel_id in error.elsewhere)
    place = places or _("a channel in which you may write")
    return f"{reason} {_(_ELSEWHERE[error.speech])}".format(
        channel=f"<#{error.channel_id}>", place=place
    )


_ELSEWHERE: Final = {
    Speech.RESULT: N_(
        "To share this result, open it in {place}: type `/focdle` there, or `/games` for an older "
        "one."
    ),
    Speech.CHALLENGE: N_("Challenge them in {place}."),
    Speech.REMATCH: N_("Type `/duel` in {place}; or let the other one ask, and accept."),
    Speech.BOARD: N_(
        "You need no board to play on: `/games` opens the game. Whoever may write there can post "
        "the board."
    ),
    Speech.STATISTICS: N_("To show your statistics, type `/stats` in {place}."),
    Speech.LEADERBOARD: N_(
        "Only you see this board. To show it to everybody, type `/leaderboard` in {place}."
    ),
}


def _busy(_error: StorageBusyError) -> str:
    return _("The bot is very busy. Nothing was lost; please try again in a moment.")


def _closing(_error: ClosingError) -> str:
    return _("The bot is restarting. Nothing was lost; please try again in a minute.")


def _unusable(_error: UnusableDatabaseError) -> str:
    return _(
        "The bot cannot save anything at the moment. What it had saved is kept: `/games` shows "
        "your games as they stand. Please try again later."
    )


_WORDS: Final[dict[type[Exception], Callable[[Any], str]]] = {
    **FOCDLE_WORDS,
    **MASTERMIND_WORDS,
    **PRIVACY_WORDS,
    **DUEL_WORDS,
    **INVITATION_WORDS,
    **COACH_WORDS,
    **FAIRNESS_WORDS,
    **SETTINGS_WORDS,
    UnknownZoneError: _unknown_zone,
    ZoneTooSoonError: _zone_too_soon,
    NothingChosenError: _nothing_chosen,
    TooFastError: _too_fast,
    NotAllowedError: _not_allowed,
    MayNotSpeakError: _may_not_speak,
    NoServerError: _no_server,
    ServerUnseenError: _server_unseen,
    NotAMemberError: _not_a_member,
    CannotSeeChannelError: _cannot_see_channel,
    StatsHiddenError: stats_hidden,
    StatsOfStrangerError: stats_of_stranger,
    StorageBusyError: _busy,
    ClosingError: _closing,
    UnusableDatabaseError: _unusable,
}


def outdated() -> str:
    """What to tell the player about a button or form that this version does not know."""
    return _(
        "That is from an older version of this bot. Type `/games` for your open games, or "
        "`/focdle` for today's."
    )


def unknown_command() -> str:
    """What to tell who uses a command that this program has not made."""
    return _("This bot does not know that command. Type `/help` to see what it can do.")
