"""What is refused around a player's data, in words."""

from typing import Final

from bot.presentation.base.language import N_, say
from bot.presentation.base.markup import code
from bot.presentation.base.refusals import Sentences, written
from bot.presentation.privacy.server import LONGEST_NAME
from bot.services.privacy import errors
from bot.services.privacy.players import CONFIRMATION

_MEGABYTE: Final = 1_000_000


def _not_confirmed(error: errors.NotConfirmedError) -> str:
    message = N_("Nothing was deleted: you typed {text}. To confirm, type {word}.")
    if not error.text.strip():
        message = N_("Nothing was deleted. To confirm, type {word}.")
    return say(message, word=code(CONFIRMATION), **written(error))


def _not_named(error: errors.ServerNotNamedError) -> str:
    message = N_(
        "Nothing was deleted: you typed {text}. To confirm, type the server's name: {name}."
    )
    if not error.text.strip():
        message = N_("Nothing was deleted. To confirm, type the server's name: {name}.")
    return say(message, text=code(error.text), name=code(error.name, longest=LONGEST_NAME))


def _too_large(error: errors.ExportTooLargeError) -> str:
    message = N_(
        "Your data are too large for a message on Discord, which takes {megabytes} MB. Ask the "
        "people who run this bot for them."
    )
    return say(message, megabytes=error.most // _MEGABYTE)


SENTENCES: Final[Sentences] = {
    errors.NotConfirmedError: _not_confirmed,
    errors.ServerNotNamedError: _not_named,
    errors.NotAdministratorError: N_(
        "Only the server's owner and members with the permission **Administrator** can delete what "
        "is stored about it. You can change its settings."
    ),
    errors.ExportTooLargeError: _too_large,
    errors.ExportUnderWayError: N_("Your file is being made. It comes in a message of its own."),
    errors.ExportTooSoonError: N_(
        "You were sent your data just now. You can export them again {again_at}."
    ),
    errors.DeletedMeanwhileError: N_(
        "Your data were deleted while the file was made, so there is nothing to send."
    ),
}
