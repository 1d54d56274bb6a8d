"""Refusals about a server's posts and threads, in words that say what to do."""

from typing import Final

from bot.presentation.base import counts
from bot.presentation.base.language import N_, ngettext
from bot.presentation.base.language import gettext as _
from bot.presentation.base.permissions import permission_names
from bot.presentation.base.refusals import Sentences, written
from bot.services.base.errors import NotAllowedError
from bot.services.base.places import ZONE_REST
from bot.services.server import errors


def _channel_unusable(error: errors.ChannelUnusableError) -> str:
    if not error.missing:
        return _("That channel is gone. Choose another one.")
    return ngettext(
        "I cannot post in {channel}: I lack the permission **{permissions}** there.",
        "I cannot post in {channel}: I lack the permissions **{permissions}** there.",
        len(error.missing),
    ).format(permissions=permission_names(error.missing), **written(error))


def _running_unpostable(error: errors.RunningUnpostableError) -> str:
    if not error.missing:
        return _(
            "Discord did not let me post in {channel}. You are on the list all the same."
        ).format(**written(error))
    return ngettext(
        "I may not post in {channel}: I lack the permission **{permissions}** there. A manager "
        "of this server can mend that.",
        "I may not post in {channel}: I lack the permissions **{permissions}** there. A manager "
        "of this server can mend that.",
        len(error.missing),
    ).format(permissions=permission_names(error.missing), **written(error))


def _role_unusable(error: errors.RoleUnusableError) -> str:
    if error.is_everyone:
        return _("I don't mention everyone. Choose a role that members can take or leave.")
    return _(
        "I may not mention {role}. Switch on **Allow anyone to @mention this role** for it, then "
        "choose it again."
    ).format(**written(error))


def _threads_unusable(error: errors.ThreadsUnusableError) -> str:
    if error.channel_id is None:
        return _("Choose a channel for the daily post first: the threads live there.")
    if not error.missing:
        return _("{channel} cannot have private threads. Choose a text channel.").format(
            **written(error)
        )
    return ngettext(
        "For threads I lack the permission **{permissions}** in {channel}.",
        "For threads I lack the permissions **{permissions}** in {channel}.",
        len(error.missing),
    ).format(permissions=permission_names(error.missing), **written(error))


def _server_zone_too_soon(error: errors.ServerZoneTooSoonError) -> str:
    return _("A server's time zone can change once in {days}: again {again_at}.").format(
        days=counts.days(ZONE_REST.days), **written(error)
    )


SENTENCES: Final[Sentences] = {
    NotAllowedError: N_("Settings are for members who can Manage Server."),
    errors.ServerElsewhereError: N_(
        "This works in the server only. Open the game there with `/games`."
    ),
    errors.ServerUnseenError: N_(
        "I'm not back in that server yet. Nothing was lost; try again in a minute."
    ),
    errors.ChannelUnusableError: _channel_unusable,
    errors.RoleUnusableError: _role_unusable,
    errors.RoleForbiddenError: N_(
        "You may not mention {role} yourself. Choose a role that anyone may mention."
    ),
    errors.ThreadsUnusableError: _threads_unusable,
    errors.RunningUnpostableError: _running_unpostable,
    errors.RunningClosedError: N_(
        "This list of #{number} is closed. Press **Share** on your finished board."
    ),
    errors.ServerZoneTooSoonError: _server_zone_too_soon,
    errors.ThreadNotForYouError: N_(
        "Finish #{number} first, and you are added: the thread has spoilers."
    ),
    errors.ThreadClosedError: N_("The thread for #{number} is closed."),
}
