"""Sentences for all errors that players can meet."""

from typing import Final

from bot.errors import (
    ClosingError,
    LostDatabaseError,
    StorageBusyError,
    StorageError,
    UnusableDatabaseError,
)
from bot.features import FEATURES
from bot.gauges import gauges_here
from bot.refused import Refused, Sentence, Sentences, written
from bot.text.labels import contact_line
from bot.text.language import N_, _, say
from bot.text.markup import code


def refusal(error: Exception) -> str | None:
    """Write the refusal that a player reads, and count it; None for errors of the bot's own."""
    said = _worded(error)
    if said is not None:
        gauges_here().refused(type(error))
    return said


def _worded(error: Exception) -> str | None:
    sentence: Sentence | None = SENTENCES.get(type(error))
    if isinstance(error, Refused) and sentence is None:
        return error.told() or say(error.sentence, **written(error))
    if isinstance(sentence, str):
        return say(sentence, **written(error))
    return None if sentence is None else sentence(error)


def not_done(error: StorageError, text: str) -> str:
    """Write what a player reads above *Try again* when the database is busy or broken.

    `text` is what the player had typed. It is empty if they typed nothing, or if their text may not
    be shown.
    """
    sentence = _worded(error) or ""
    if not text:
        return sentence
    kept = _("{text} is kept: press **Try again**.").format(text=code(text))
    return f"{sentence}\n{kept}"


def breakdown(reference: str, contact: str) -> str:
    """Write the apology for an error of ours; the log has it under the same reference.

    `contact` is the host's; empty for none.
    """
    words = _(
        "Something broke. Your game is safe: try again in a minute. "
        "If it happens again, tell my host: {reference}."
    ).format(reference=code(reference))
    return "\n".join(filter(None, (words, contact_line(contact))))


def unheard() -> str:
    return _("Discord lost my answer. Your guess is kept: see `/play`.")


def unknown_command() -> str:
    return _("Unknown command. Try `/help`.")


SENTENCES: Final[Sentences] = {
    **{error: said for feature in FEATURES for error, said in feature.sentences.items()},
    StorageBusyError: N_("I'm very busy. Nothing was lost. Try again in a moment."),
    ClosingError: N_("I'm restarting. Nothing was lost. Try again in a minute."),
    LostDatabaseError: N_(
        "I can't reach my database. Everything saved so far is safe. Try again in a minute."
    ),
    UnusableDatabaseError: N_(
        "I can't save anything right now. Everything saved so far is safe. Try again later."
    ),
}
