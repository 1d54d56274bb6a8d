"""Refusals about a server's posts and threads, in words that say what to do."""

from typing import Final

from bot.people.game.places import ZONE_REST
from bot.posts.model import errors
from bot.refused import NotAllowedError
from bot.text import counts
from bot.text.language import N_
from bot.text.language import gettext as _
from bot.text.permissions import permission_names
from bot.text.refusals import Sentences, written


def _channel_unusable(error: errors.ChannelUnusableError) -> str:
    if not error.missing:
        return _("That channel is gone. Choose another one.")
    return _("I can't post in {channel}: I lack **{permissions}** there.").format(
        permissions=permission_names(error.missing), **written(error)
    )


def _role_unusable(error: errors.RoleUnusableError) -> str:
    if error.is_everyone:
        return _("I don't mention everyone. Choose a role.")
    return _(
        "I may not mention {role}. Switch on its **Allow anyone to @mention this role**, then "
        "choose it again."
    ).format(**written(error))


def _threads_unusable(error: errors.ThreadsUnusableError) -> str:
    if error.channel_id is None:
        return _("Choose a channel for the daily post first.")
    if not error.missing:
        return _("{channel} cannot have private threads. Choose a text channel.").format(
            **written(error)
        )
    return _("For threads I lack **{permissions}** in {channel}.").format(
        permissions=permission_names(error.missing), **written(error)
    )


def _server_zone_too_soon(error: errors.ServerZoneTooSoonError) -> str:
    return _("A server's time zone can change once in {days}: again {again_at}.").format(
        days=counts.days(ZONE_REST.days), **written(error)
    )


SENTENCES: Final[Sentences] = {
    NotAllowedError: N_("Settings need the permission Manage Server."),
    errors.ServerElsewhereError: N_(
        "This works in the server only: `/games` opens the game there."
    ),
    errors.ServerUnseenError: N_(
        "I'm not back in that server yet. Nothing was lost; try again in a minute."
    ),
    errors.ChannelUnusableError: _channel_unusable,
    errors.RoleUnusableError: _role_unusable,
    errors.RoleForbiddenError: N_("You may not mention {role} yourself."),
    errors.ThreadsUnusableError: _threads_unusable,
    errors.RunningUnpostableError: N_("I could not post here."),
    errors.RunningDeletedError: N_("Today's card was taken down here, so nothing was posted."),
    errors.RunningClosedError: N_(
        "This card is not open. Press **Share** on your board of #{number}."
    ),
    errors.ServerZoneTooSoonError: _server_zone_too_soon,
    errors.ThreadNotForYouError: N_("The thread has spoilers. Finish #{number}, and you are in."),
    errors.ThreadClosedError: N_("The thread for #{number} is closed."),
}
