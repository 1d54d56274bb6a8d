"""A server's settings in words."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from bot.refused import written
from bot.settings.game import ChannelUse, GuildSettings, Lack, Trouble
from bot.text import counts
from bot.text.labels import change_lines, permission_names, zone_text
from bot.text.language import N_, _, listing, long_date, ngettext, number, pgettext, say
from bot.text.markup import exact_time, heading, mention, relative_time, small

#: Looks whether the bot may do what is set; at most 80 characters.
CHECK_BUTTON: Final = N_("Check permissions")
#: Looks once more, after something was mended; at most 80 characters.
CHECK_AGAIN_BUTTON: Final = N_("Check again")

# More would not fit into one message of Discord's.
_MOST_SHOWN: Final = 8

_USES: Final = {
    #: What a channel or a permission is for, as {uses}; two or three may be listed.
    ChannelUse.POST: N_("the daily post"),
    ChannelUse.CARD: N_("today's card"),
    ChannelUse.THREADS: N_("finishers' threads"),
}
_WISHED: Final = {
    #: Why a permission is needed, as {why}: the end of a sentence, behind a comma.
    "read_message_history": N_("so that I never post twice"),
    #: The same, perhaps behind another such reason and a comma.
    "attach_files": N_("for the card's picture"),
}


_TROUBLES: Final[Mapping[Trouble, str]] = {
    Trouble.TIMED_OUT: N_("I'm timed out in this server and can't write anywhere."),
    Trouble.GONE: N_("The channel for {uses} has been deleted."),
    Trouble.LACKS: N_("{channel}: I need **{permissions}** for {uses}."),
    Trouble.NO_THREADS: N_("{channel} can't have private threads."),
    Trouble.STOPPED: N_("The daily post has been stopped: Discord refused it three times."),
    Trouble.ROLE_CLOSED: N_("I can't mention {role}, so the daily post mentions nobody."),
}
_MENDED_BY: Final[Mapping[Trouble, str]] = {
    Trouble.TIMED_OUT: N_(
        "{owner}, or somebody with *Timeout Members*, can end my timeout with "
        "*Remove Timeout* in my menu."
    ),
    Trouble.GONE: N_("Choose another in `/settings`."),
    Trouble.NO_THREADS: N_("Choose a text channel in `/settings`, or turn the threads off."),
    Trouble.STOPPED: N_(
        "Fix this, then press *Try again* in `/settings` under *Change daily post*."
    ),
    Trouble.ROLE_GONE: N_(
        "Choose one, or *Mention nobody*, in `/settings` under *Change daily post*."
    ),
    Trouble.CHAMPION: N_("Change it, or choose another in `/settings` under *Champion's role*."),
}


def report(lacks: Sequence[Lack], owner_id: int, link: str) -> list[str]:
    """Write what the bot lacks, block by block; `link` invites it again, with all permissions."""
    worse = [lack for lack in lacks if lack.trouble is not Trouble.SERVER_LACKS]
    blocks = [heading(_("Check"))]
    if not worse:
        blocks.append(_("✅ I have every permission I need."))
    for lack in worse[:_MOST_SHOWN]:
        sign = "💡" if lack.trouble is Trouble.LACKS_A_LITTLE else "⚠️"
        blocks.append(f"{sign} {_describe(lack)}\n{small(_mend(lack, owner_id))}")
    if more := len(worse[_MOST_SHOWN:]):
        blocks.append(ngettext("And {n} thing more.", "And {n} things more.", more).format(n=more))
    words = _(
        "In other channels, I lack **{permissions}**: boards and pictures may fail. "
        "[This link]({link}) gives me just that."
    )
    for lack in lacks:
        if lack.trouble is Trouble.SERVER_LACKS:
            text = words.format(permissions=permission_names(lack.missing), link=link)
            blocks.append(small(text))
    return blocks


def _describe(lack: Lack) -> str:
    facts = {
        "channel": f"<#{lack.channel_id}>",
        "role": f"<@&{lack.role_id}>",
        "uses": listing(_(_USES[use]) for use in lack.uses),
        "permissions": permission_names(lack.missing),
    }
    if lack.trouble is Trouble.LACKS_A_LITTLE:
        why = ", ".join(_(_WISHED[name]) for name in lack.missing)
        return _("{channel}: I also need **{permissions}**, {why}.").format(why=why, **facts)
    if lack.why is not None:
        return lack.why.told() or say(lack.why.sentence, **written(lack.why))
    return say(_TROUBLES[lack.trouble], **facts)


def _mend(lack: Lack, owner_id: int) -> str:
    owner = mention(owner_id)
    if lack.trouble in {Trouble.LACKS, Trouble.LACKS_A_LITTLE}:
        if lack.is_askers:
            return _(
                "In the channel's settings, under *Permissions*, add me and switch on "
                "what's missing."
            )
        return _(
            "Ask {owner}, or somebody with *Manage Permissions* in that channel, to "
            "add me under *Permissions* in its settings, and switch on what's "
            "missing."
        ).format(owner=owner)
    if lack.trouble is Trouble.ROLE_CLOSED:
        how = _(
            "In Server Settings, *Roles*, switch on *Allow anyone to @mention this role*, or "
            "choose another role in `/settings` under *Change daily post*."
        )
        if lack.is_askers:
            return how
        words = _("Ask {owner}, or somebody with *Manage Roles*. {how}")
        return words.format(owner=owner, how=how)
    return say(_MENDED_BY[lack.trouble], owner=owner)


#: What the list of channels says before one is chosen; at most 150 characters.
CHANNEL_PLACEHOLDER: Final = N_("Choose a channel")
#: Stops posting in the chosen channel.
LEAVE_CHANNEL_BUTTON: Final = N_("Post nowhere")
#: Above the list of zones that a text may name.
ZONES_OFFERED: Final = N_("Which clock is right?")


def title() -> str:
    remark = _("For members with **Manage Server**.")
    return f"{heading(_('Settings of this server'))}\n{small(remark)}"


def channel(settings: GuildSettings, *, is_gone: bool = False, is_used: bool = True) -> str:
    """Describe the channel for the bot's own posts.

    Args:
        is_gone: whether the chosen channel is deleted.
        is_used: whether the daily post is on.
    """
    if is_gone:
        state = _("**Channel: gone**")
        meaning = _("Choose another.")
    elif settings.channel_id is None:
        state = _("**Channel: none**")
        meaning = _("The channel for my own posts.")
    else:
        state = _("**Channel:** {channel}").format(channel=f"<#{settings.channel_id}>")
        meaning = _("Each day's puzzle is posted there.")
        if not is_used:
            meaning = _("Nothing is posted there: the daily post is off.")
    return f"{state}\n{small(meaning)}"


def zone(settings: GuildSettings, now: datetime) -> str:
    meaning = _("The puzzle changes at midnight there.")
    lines = [zone_text(settings.zone, settings.next_zone, meaning, now)]
    if settings.zone_again_at is not None:
        again_at = relative_time(settings.zone_again_at)
        lines.append(small(_("Next change: {when}.").format(when=again_at)))
    elif settings.correctable_until is not None and settings.next_zone is None:
        words = _("Is it wrong? You can correct it once, until {when}.")
        lines.append(small(words.format(when=exact_time(settings.correctable_until))))
    return "\n".join(lines)


def length(settings: GuildSettings) -> str:
    state = _("**Length: {symbols}**").format(symbols=counts.symbols(settings.length))
    meaning = _("For the day's equation. Longer is harder.")
    lines = [state, small(meaning)]
    if settings.next_length is not None:
        follows, day = settings.next_length
        change = _("**{symbols}** from {day}").format(
            symbols=counts.symbols(follows), day=long_date(day)
        )
        lines += change_lines(change)
    return "\n".join(lines)


# Each choice, and the label of the button that changes it.


def equations(settings: GuildSettings) -> tuple[str, str]:
    state, change = _("**Members' equations: off**"), _("Turn on")
    if settings.takes_equations:
        state, change = _("**Members' equations: on**"), _("Turn off")
    meaning = _("Members can post puzzles of their own with `/equation`.")
    return f"{state}\n{small(meaning)}", change


#: Shows the bot's host how it is; at most 80 characters.
HOST_BUTTON: Final = N_("Host")


def host(
    version: str, servers: int, active: int, backed_up_at: datetime | None, wrong: Sequence[str]
) -> list[str]:
    """Tell the host how the bot is; `wrong` are the doctor's sentences."""
    backup = pgettext("no backup yet", "none")
    if backed_up_at is not None:
        backup = relative_time(backed_up_at)
    facts = _(
        "**Version:** {version}\n**Servers:** {servers}\n**Active today:** {active}\n"
        "**Last backup:** {backup}"
    ).format(
        version=version,
        servers=number(servers),
        active=number(active),
        backup=backup,
    )
    found = [f"⚠️ {each}" for each in wrong[:_MOST_SHOWN]]
    return [heading(say(HOST_BUTTON)), facts, *(found or [_("✅ The doctor found nothing wrong.")])]


def unchanged() -> str:
    """Say, below the reason for a refusal, that no setting has changed."""
    return small(_("Nothing was changed."))
