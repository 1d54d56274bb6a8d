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
        return _("That channel is gone, so the bot cannot post there. Choose another one.")
    return ngettext(
        "The bot cannot post in {channel}: it lacks the permission **{permissions}** there. "
        "Switch it on in that channel's settings, or choose another channel.",
        "The bot cannot post in {channel}: it lacks the permissions **{permissions}** there. "
        "Switch them on in that channel's settings, or choose another channel.",
        len(error.missing),
    ).format(permissions=permission_names(error.missing), **written(error))


def _running_unpostable(error: errors.RunningUnpostableError) -> str:
    if not error.missing:
        return _(
            "Discord did not let the bot post in {channel}. You are on the list all the same: it "
            "is posted with the next result."
        ).format(**written(error))
    return ngettext(
        "The bot may not post in {channel}: it lacks the permission **{permissions}** there. Who "
        "manages this server can switch it on; then press **Share** again.",
        "The bot may not post in {channel}: it lacks the permissions **{permissions}** there. Who "
        "manages this server can switch them on; then press **Share** again.",
        len(error.missing),
    ).format(permissions=permission_names(error.missing), **written(error))


def _role_unusable(error: errors.RoleUnusableError) -> str:
    if error.is_everyone:
        return _(
            "The post does not mention everyone. Choose a role that members can take or leave."
        )
    return _(
        "The bot may not mention {role}. In Server Settings, Roles, switch on **Allow anyone to "
        "@mention this role** for it, or give the bot the permission **Mention @everyone, @here, "
        "and All Roles**; then choose it again."
    ).format(**written(error))


def _threads_unusable(error: errors.ThreadsUnusableError) -> str:
    if error.channel_id is None:
        return _(
            "Finishers' threads live in the channel of the daily post. Choose a channel first."
        )
    if not error.missing:
        return _(
            "{channel} cannot have private threads: only text channels can. Choose another channel."
        ).format(**written(error))
    return ngettext(
        "For finishers' threads the bot lacks the permission **{permissions}** in {channel}. "
        "Switch it on in that channel's settings.",
        "For finishers' threads the bot lacks the permissions **{permissions}** in {channel}. "
        "Switch them on in that channel's settings.",
        len(error.missing),
    ).format(permissions=permission_names(error.missing), **written(error))


def _server_zone_too_soon(error: errors.ServerZoneTooSoonError) -> str:
    return _(
        "A server's time zone can change once in {days}, so that no date is skipped or played "
        "twice at will. It can be changed again {again_at}."
    ).format(days=counts.days(ZONE_REST.days), **written(error))


SENTENCES: Final[Sentences] = {
    NotAllowedError: N_(
        "Only members with the permission Manage Server can see and change its settings."
    ),
    errors.ServerElsewhereError: N_(
        "This works in the server itself only, not from here. Open the game there with `/games`."
    ),
    errors.ServerUnseenError: N_(
        "The bot is not back in that server yet. Nothing was lost; try again in a minute."
    ),
    errors.ChannelUnusableError: _channel_unusable,
    errors.RoleUnusableError: _role_unusable,
    errors.RoleForbiddenError: N_(
        "You may not mention {role} yourself, so you cannot have the post do it. Choose a role "
        "that anyone may mention, or ask somebody with the permission **Mention @everyone, @here, "
        "and All Roles**."
    ),
    errors.ThreadsUnusableError: _threads_unusable,
    errors.RunningUnpostableError: _running_unpostable,
    errors.RunningClosedError: N_(
        "This list of #{number} is closed. To show your result, open your finished board and press "
        "**Share**."
    ),
    errors.ServerZoneTooSoonError: _server_zone_too_soon,
    errors.ThreadNotForYouError: N_(
        "The finishers' thread is free of spoilers because only those are in it who have finished "
        "#{number}. Finish it, and you are added."
    ),
    errors.ThreadClosedError: N_("There is no open finishers' thread for #{number} any more."),
}
