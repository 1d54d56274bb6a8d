"""A server's settings in words: how each is set, and what that means."""

from datetime import datetime
from typing import Final

from bot.people.game.places import ZONE_REST
from bot.settings.game.settings import GuildSettings
from bot.text import counts
from bot.text.language import N_, long_date
from bot.text.language import gettext as _
from bot.text.markup import heading, relative_time, small
from bot.text.zones import change_lines, zone_text

#: What the list of channels says before one is chosen; at most 150 characters.
CHANNEL_PLACEHOLDER: Final = N_("Choose a channel")
#: Stops posting in the chosen channel.
LEAVE_CHANNEL_BUTTON: Final = N_("Post nowhere")
#: Above the list of zones that a text may name.
ZONES_OFFERED: Final = N_("Which clock is right? Choose the time zone by its present time.")


def title() -> str:
    """The panel's heading."""
    remark = _("Members with the permission Manage Server can see and change them.")
    return f"{heading(_('Settings of this server'))}\n{small(remark)}"


def channel(settings: GuildSettings, *, is_gone: bool = False, is_used: bool = True) -> str:
    """The channel to post in.

    Args:
        settings: as they are.
        is_gone: whether the channel is; then it has no name any more.
        is_used: whether the daily post is on.
    """
    if is_gone:
        state = _("**Channel: gone**")
        meaning = _("The chosen channel is gone. Choose another.")
    elif settings.channel_id is None:
        state = _("**Channel: none**")
        meaning = _("Where I post on my own. Without one, I only answer commands.")
    else:
        state = _("**Channel:** {channel}").format(channel=f"<#{settings.channel_id}>")
        meaning = _("Each day's puzzle is posted there. *Post nowhere* ends that.")
        if not is_used:
            meaning = _("Nothing is posted there: the daily post is off.")
    return f"{state}\n{small(meaning)}"


def zone(settings: GuildSettings, now: datetime) -> str:
    """The server's zone, the one that follows, and what it is for."""
    meaning = _("The puzzle changes at midnight there. This can change once in {days}.").format(
        days=counts.days(ZONE_REST.days)
    )
    text = zone_text(settings.zone, settings.next_zone, meaning, now)
    return "\n".join([text, *_next_change(settings)])


def _next_change(settings: GuildSettings) -> list[str]:
    """When the zone can be changed again, where that is not at any time."""
    if settings.zone_again_at is not None:
        return [small(_("Next change: {when}.").format(when=relative_time(settings.zone_again_at)))]
    if settings.correctable_until is not None and settings.next_zone is None:
        until = relative_time(settings.correctable_until)
        return [
            small(_("The wrong one? You can correct it once, until {when}.").format(when=until))
        ]
    return []


def length(settings: GuildSettings) -> str:
    """The length of the day's puzzle, and the one that follows."""
    state = _("**Length: {symbols}**").format(symbols=counts.symbols(settings.length))
    meaning = _("How long the equation of the day is. Longer is harder.")
    lines = [state, small(meaning)]
    if settings.next_length is not None:
        follows, day = settings.next_length
        change = _("**{symbols}** from {day}").format(
            symbols=counts.symbols(follows), day=long_date(day)
        )
        lines += change_lines(change)
    return "\n".join(lines)


def duel_threads(settings: GuildSettings) -> str:
    """Whether duels have threads of their own."""
    state = _("**Duels in threads: off**")
    if settings.duel_threads:
        state = _("**Duels in threads: on**")
    meaning = _("Each duel gets a thread of its own.")
    return f"{state}\n{small(meaning)}"


def duel_threads_button(*, on: bool) -> str:
    """Gives duels threads, or none; at most 80 characters."""
    return _("Turn on") if on else _("Turn off")


def unchanged() -> str:
    """After the reason why a setting was refused."""
    return small(_("Nothing was changed."))
