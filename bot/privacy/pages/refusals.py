"""What is refused around a player's data, in words."""

from typing import Final

from bot.privacy.game.players import CONFIRMATION
from bot.privacy.model import errors
from bot.privacy.pages.server import LONGEST_NAME
from bot.text.language import N_, say
from bot.text.markup import code
from bot.text.refusals import Sentences, written

_MEGABYTE: Final = 1_000_000


def _not_confirmed(error: errors.NotConfirmedError) -> str:
    message = N_("Nothing was deleted: you typed {text}. Type {word}.")
    if not error.text.strip():
        message = N_("Nothing was deleted. Type {word}.")
    return say(message, word=code(CONFIRMATION), **written(error))


def _not_named(error: errors.ServerNotNamedError) -> str:
    message = N_("Nothing was deleted: you typed {text}. Type the server's name: {name}.")
    if not error.text.strip():
        message = N_("Nothing was deleted. Type the server's name: {name}.")
    return say(message, text=code(error.text), name=code(error.name, longest=LONGEST_NAME))


def _too_large(error: errors.ExportTooLargeError) -> str:
    message = N_(
        "Your data are too large for a message ({megabytes} MB). Ask the people who run this bot "
        "for them."
    )
    return say(message, megabytes=error.most // _MEGABYTE)


SENTENCES: Final[Sentences] = {
    errors.NotConfirmedError: _not_confirmed,
    errors.ServerNotNamedError: _not_named,
    errors.NotAdministratorError: N_(
        "Only the server's owner and **Administrators** can delete its data."
    ),
    errors.ExportTooLargeError: _too_large,
    errors.ExportUnderWayError: N_("Your file is being made. It comes in its own message."),
    errors.ExportTooSoonError: N_("You just got your data. Again {again_at}."),
    errors.DeletedMeanwhileError: N_(
        "Your data were deleted meanwhile, so there is nothing to send."
    ),
}
