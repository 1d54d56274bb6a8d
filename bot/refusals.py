"""Sentences for all errors that players can meet."""

from collections.abc import Mapping
from typing import Final

from bot import refused as errors
from bot.duels import pages as duels
from bot.equations import pages as equations
from bot.errors import (
    ClosingError,
    LostDatabaseError,
    StorageBusyError,
    StorageError,
    UnusableDatabaseError,
)
from bot.focdle import pages as focdle
from bot.gauges import gauges_here
from bot.mastermind import pages as mastermind
from bot.people.game import MOST_ASKED, MOST_MADE
from bot.races import pages as races
from bot.refused import Sentence, Sentences, written
from bot.text import counts
from bot.text.labels import contact_line
from bot.text.language import N_, ngettext, say
from bot.text.language import gettext as _
from bot.text.markup import code, printable


def refusal(error: Exception) -> str | None:
    """Write a refusal for the player, and count it; None for errors that are ours."""
    said = _worded(error)
    if said is not None:
        gauges_here().refused(type(error))
    return said


def _worded(error: Exception) -> str | None:
    sentence: Sentence | None = SENTENCES.get(type(error))
    if isinstance(error, errors.Refused) and sentence is None:
        return error.told() or say(error.sentence, **written(error))
    if isinstance(sentence, str):
        return say(sentence, **written(error))
    return None if sentence is None else sentence(error)


def not_done(error: StorageError, text: str) -> str:
    """Write a refusal above *Try again*.

    `text` is what the player had typed; empty for nothing that may be shown.
    """
    sentence = _worded(error) or ""
    if not text:
        return sentence
    kept = _("{text} is kept: press **Try again**.").format(text=code(text))
    return f"{sentence}\n{kept}"


def breakdown(reference: str, contact: str = "") -> str:
    """Write the apology for an error of ours; the log has the same reference."""
    words = _(
        "Something broke here. Your game is safe: try again in a minute. If it happens again, tell "
        "who runs this bot: {reference}."
    ).format(reference=code(reference))
    return "\n".join(filter(None, (words, contact_line(contact))))


def unheard() -> str:
    return _("Discord lost my answer. Your guess is kept: see `/games`.")


def unknown_command() -> str:
    return _("Unknown command. Try `/help`.")


def _unknown_zone(error: errors.UnknownZoneError) -> str:
    if not printable(error.text):
        return _("Pick a zone from the list, or type a large city.")
    if not error.proposals:
        message = N_(
            "No time zone is called {text}. Try a country, a large city or an offset: `Tokyo`, "
            "`UTC+2`."
        )
        return say(message, **written(error))
    return ngettext(
        "No time zone is called {text}. Did you mean this?",
        "No time zone is called {text}. Did you mean one of these?",
        len(error.proposals),
    ).format(**written(error))


def _asked_too_soon(error: errors.AskedTooSoonError) -> str:
    reason = N_("{player} has had {challenges} of yours this hour.")
    if error.has_declined:
        reason = N_("{player} has declined a challenge of yours.")
    again = N_("Ask again {again_at}.")
    facts = written(error) | {"challenges": counts.challenges(MOST_ASKED)}
    return f"{say(reason, **facts)} {say(again, **facts)}"


def _asked_too_often(error: errors.AskedTooOftenError) -> str:
    message = N_("{challenges} this hour, none accepted. Your next one: {again_at}.")
    return say(message, challenges=counts.challenges(MOST_MADE), **written(error))


def _may_not_speak(error: errors.MayNotSpeakError) -> str:
    reason = N_("You may not write in {channel}, so I can't for you.")
    places = _(" or ").join(f"<#{channel_id}>" for channel_id in error.elsewhere)
    place = places or _("a channel where you may write")
    return f"{say(reason, **written(error))} {say(_ELSEWHERE[error.speech], place=place)}"


_ELSEWHERE: Final[Mapping[errors.Speech, str]] = {
    errors.Speech.RESULT: N_(
        "Open it in {place} to share it: `/focdle`, or `/games` for an old one."
    ),
    errors.Speech.GAME: N_("To share it, type `/games` in {place}."),
    errors.Speech.CHALLENGE: N_("Challenge them in {place}."),
    errors.Speech.EQUATION: N_("Set it in {place}."),
    errors.Speech.RACE: N_("Open it in {place}."),
    errors.Speech.REMATCH: N_("Type `/duel` in {place}, or let them ask."),
    errors.Speech.BOARD: N_("`/games` opens the game without a board."),
    errors.Speech.STATISTICS: N_("To show it, type `/stats` in {place}."),
    errors.Speech.LEADERBOARD: N_("To show it, type `/leaderboard` in {place}."),
}

SENTENCES: Final[Sentences] = {
    **focdle.SENTENCES,
    **mastermind.SENTENCES,
    **duels.SENTENCES,
    **equations.SENTENCES,
    **races.SENTENCES,
    errors.UnknownZoneError: _unknown_zone,
    errors.MayNotSpeakError: _may_not_speak,
    errors.AskedTooSoonError: _asked_too_soon,
    errors.AskedTooOftenError: _asked_too_often,
    StorageBusyError: N_("I'm very busy. Nothing was lost; try again in a moment."),
    ClosingError: N_("I'm restarting. Nothing was lost; try again in a minute."),
    LostDatabaseError: N_(
        "I can't reach my database. What was saved is kept; try again in a minute."
    ),
    UnusableDatabaseError: N_(
        "I can't save anything right now. What was saved is kept, and `/games` shows it; try "
        "again later."
    ),
}
