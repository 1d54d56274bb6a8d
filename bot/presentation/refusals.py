"""Every typed error as one precise sentence that says what to do."""

from collections.abc import Mapping
from typing import Final

from bot.errors import (
    ClosingError,
    LostDatabaseError,
    StorageBusyError,
    StorageError,
    UnusableDatabaseError,
)
from bot.gauges import gauges_here
from bot.presentation.base import counts
from bot.presentation.base.contact import contact_line
from bot.presentation.base.language import N_, ngettext, say
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import code, printable
from bot.presentation.base.refusals import Sentences, written
from bot.presentation.coach import refusals as coach
from bot.presentation.duels import refusals as duels
from bot.presentation.focdle import refusals as focdle
from bot.presentation.mastermind import refusals as mastermind
from bot.presentation.privacy import refusals as privacy
from bot.presentation.server import refusals as server
from bot.services.base import errors
from bot.services.base.errors import StatsHiddenError, StatsOfStrangerError
from bot.services.base.invitations import MOST_ASKED, MOST_MADE


def refusal(error: Exception) -> str | None:
    """What to tell the player, which is counted; None for errors that are no mistake but ours."""
    said = _worded(error)
    if said is not None:
        gauges_here().refused(type(error))
    return said


def _worded(error: Exception) -> str | None:
    sentence = SENTENCES.get(type(error))
    if isinstance(sentence, str):
        return say(sentence, **written(error))
    return None if sentence is None else sentence(error)


def not_done(error: StorageError, text: str) -> str:
    """What to tell the player where *Try again* does what could not be done.

    Args:
        error: why it could not.
        text: what the player had typed; empty for nothing that may be shown.
    """
    sentence = _worded(error) or ""
    if not text:
        return sentence
    kept = _("{text} is kept: **Try again** sends it.").format(text=code(text))
    return f"{sentence}\n{kept}"


def breakdown(reference: str, contact: str = "") -> str:
    """What to tell the player when something of ours broke.

    Args:
        reference: which the log has, too.
        contact: where the people who run the bot are reached, if they say so.
    """
    words = _(
        "Something went wrong on our side; your game is safe. If it happens again, "
        "tell the people who run this bot: reference {reference}."
    ).format(reference=code(reference))
    return "\n".join(filter(None, (words, contact_line(contact))))


def unheard() -> str:
    """What to tell the player when an answer did not come through."""
    return _(
        "Discord did not take the bot's answer. A guess that you have sent is kept: `/games` shows "
        "your games as they stand."
    )


def unknown_command() -> str:
    """What to tell who uses a command that this program has not made."""
    return _("This bot does not know that command. Type `/help` to see what it can do.")


def _unknown_zone(error: errors.UnknownZoneError) -> str:
    if not printable(error.text):
        return _("Nothing was typed. Choose a time zone from the list, or type a large city.")
    if not error.proposals:
        message = N_(
            "No time zone is called {text}. Type a country, a larger city such as `Tokyo`, or an "
            "offset such as `UTC+2`. A time zone looks like `Europe/Berlin`."
        )
        return say(message, **written(error))
    return ngettext(
        "No time zone is called {text}. Did you mean this one?",
        "No time zone is called {text}. Did you mean one of these?",
        len(error.proposals),
    ).format(**written(error))


def _asked_too_soon(error: errors.AskedTooSoonError) -> str:
    reason = N_("{player} has had {challenges} of yours within an hour, and has accepted none.")
    if error.has_declined:
        reason = N_("{player} has declined a challenge of yours.")
    again = N_("You can ask again {again_at}; {player} can challenge you at any time.")
    facts = written(error) | {"challenges": counts.challenges(MOST_ASKED)}
    return f"{say(reason, **facts)} {say(again, **facts)}"


def _asked_too_often(error: errors.AskedTooOftenError) -> str:
    message = N_(
        "That's {challenges} of yours within an hour that nobody has accepted. You can make the "
        "next one {again_at}."
    )
    return say(message, challenges=counts.challenges(MOST_MADE), **written(error))


def _may_not_speak(error: errors.MayNotSpeakError) -> str:
    reason = N_("You may not write in {channel}, so the bot does not do it for you.")
    places = _(" or ").join(f"<#{channel_id}>" for channel_id in error.elsewhere)
    place = places or _("a channel in which you may write")
    return f"{say(reason, **written(error))} {say(_ELSEWHERE[error.speech], place=place)}"


_ELSEWHERE: Final[Mapping[errors.Speech, str]] = {
    errors.Speech.RESULT: N_(
        "To share this result, open it in {place}: type `/focdle` there, or `/games` for an older "
        "one."
    ),
    errors.Speech.GAME: N_("To share this game, open it in {place}: type `/games` there."),
    errors.Speech.CHALLENGE: N_("Challenge them in {place}."),
    errors.Speech.REMATCH: N_("Type `/duel` in {place}; or let the other one ask, and accept."),
    errors.Speech.BOARD: N_(
        "You need no board to play on: `/games` opens the game. Whoever may write there can post "
        "the board."
    ),
    errors.Speech.STATISTICS: N_("To show your statistics, type `/stats` in {place}."),
    errors.Speech.LEADERBOARD: N_(
        "Only you see this board. To show it to everybody, type `/leaderboard` in {place}."
    ),
}

SENTENCES: Final[Sentences] = {
    **focdle.SENTENCES,
    **mastermind.SENTENCES,
    **duels.SENTENCES,
    **coach.SENTENCES,
    **server.SENTENCES,
    **privacy.SENTENCES,
    errors.UnknownZoneError: _unknown_zone,
    errors.ZoneTooSoonError: N_(
        "Your time zone can change once a week, so that everybody's days are alike. "
        "You can change it again {again_at}."
    ),
    errors.OutdatedError: N_(
        "That is from an older version of this bot. Type `/games` for your open games, or "
        "`/focdle` for today's."
    ),
    errors.NotYoursError: N_("That belongs to somebody else. Type `/play` for a game of your own."),
    errors.NothingChosenError: N_("Nothing was chosen, so nothing has changed."),
    errors.TooFastError: N_(
        "That was a lot at once, and others are playing, too. Wait a few seconds, then go on; "
        "nothing was lost."
    ),
    errors.WorkshopFullError: N_(
        "Many charts are being drawn right now. Ask for yours again in a minute; it costs nothing."
    ),
    errors.AlreadyDrawingError: N_(
        "Your last chart is still being drawn. When it is here, ask for this one again."
    ),
    errors.ForgottenMeanwhileError: N_(
        "What was to be drawn has changed a moment ago. Ask again to see how it is now."
    ),
    errors.WorkshopFailedError: N_(
        "That did not work out this time. Nothing was lost; please try again in a minute."
    ),
    errors.MayNotSpeakError: _may_not_speak,
    errors.NoServerError: N_(
        "Challenges are played in front of others: type this in a channel of a server that has "
        "added this bot. Here you can play the bot: `/duel` or `/mastermind play`."
    ),
    errors.NotAMemberError: N_(
        "{player} is not a member of this server. Challenge somebody who is, or challenge them on "
        "a server that you share."
    ),
    errors.CannotSeeChannelError: N_(
        "{player} cannot see {channel}. Challenge them in a channel that you both can see."
    ),
    errors.NotWantedError: N_(
        "{player} takes no challenges at present. Challenge somebody else, or type `/duel` without "
        "an opponent to play the bot."
    ),
    errors.AskedTooSoonError: _asked_too_soon,
    errors.AskedTooOftenError: _asked_too_often,
    errors.EnoughGamesError: N_(
        "That's {games} today that count for nothing. You can begin the next one {again_at}; what "
        "you have begun, and what counts, goes on."
    ),
    errors.NeverSealedError: N_(
        "This game has no seal: it is from before there were any, or only you knew the code."
    ),
    errors.NotFinishedError: N_("You can share your result when the game is over."),
    errors.AlreadySharedError: N_("You have shared this result in this channel already."),
    errors.BeingSharedError: N_(
        "You have just shared this result in this channel. If it has not appeared, press **Share** "
        "again {again_at}."
    ),
    errors.SharedTooOftenError: N_(
        "That's three shared games within an hour. You can share this one {again_at}; today's "
        "puzzle goes at any time."
    ),
    StatsHiddenError: N_("This player keeps their statistics to themselves."),
    StatsOfStrangerError: N_(
        "Statistics are for members of the same server. Type `/stats member` in a server where "
        "both of you are."
    ),
    StorageBusyError: N_("The bot is very busy. Nothing was lost; please try again in a moment."),
    ClosingError: N_("The bot is restarting. Nothing was lost; please try again in a minute."),
    LostDatabaseError: N_(
        "For a moment, the bot cannot reach its database. What it had saved is kept; please try "
        "again in a minute."
    ),
    UnusableDatabaseError: N_(
        "The bot cannot save anything at the moment. What it had saved is kept: `/games` shows "
        "your games as they stand. Please try again later."
    ),
}
