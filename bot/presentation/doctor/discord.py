"""Findings about what Discord says, in words."""

from typing import Final

from bot.presentation import console
from bot.presentation.base.language import N_, ngettext, say
from bot.presentation.base.language import gettext as _
from bot.presentation.base.permissions import permission_names
from bot.presentation.doctor.machine import Sentences
from bot.services.doctor import of_discord as findings

_PORTAL: Final = "https://discord.com/developers/applications"

# As Discord's own page calls them.
_INTENTS: Final = {
    "gateway_presence": N_("Presence Intent"),
    "gateway_guild_members": N_("Server Members Intent"),
    "gateway_message_content": N_("Message Content Intent"),
}

#: Discord does not answer as it should.
_UNREACHABLE: Final = N_(
    "Discord cannot be reached for {what} ({reason}). Check the network, and "
    "https://discordstatus.com."
)


def _unreachable(finding: findings.Unreachable) -> str:
    return say(_UNREACHABLE, what=finding.what, reason=finding.reason)


def _clock_off(finding: findings.ClockOff) -> str:
    seconds = abs(finding.seconds)
    said = _("This machine's clock is {seconds} s behind Discord's.")
    if finding.seconds > 0:
        said = _("This machine's clock is {seconds} s ahead of Discord's.")
    return (
        said.format(seconds=f"{seconds:,}")
        + " "
        + _(
            "Puzzles change and duels end by it. Let it be set over the network, on Linux with: "
            "sudo timedatectl set-ntp true"
        )
    )


def _servers(finding: findings.ServersFound) -> str:
    return ngettext(
        "It is in {n} server.", "It is in {n} servers, as Discord counts them.", finding.servers
    ).format(n=finding.servers)


def _needless(finding: findings.IntentsNeedless) -> str:
    names = ", ".join(_(_INTENTS[name]) for name in finding.names)
    return _(
        "Privileged intents are on, and the bot needs none: {names}. Switch them off on the page "
        "Bot of {portal}."
    ).format(names=names, portal=_PORTAL)


def _logins(finding: findings.LoginsLeft) -> str:
    return _("{left} of {total} logins are left for today; a start takes {shards}.").format(
        left=finding.left, total=finding.total, shards=finding.shards
    )


def _logins_few(finding: findings.LoginsFew) -> str:
    again = _("All are back in {minutes} min. Find out why the bot starts so often.").format(
        minutes=finding.minutes
    )
    return f"{_logins(finding)} {again}"


def _logins_spent(finding: findings.LoginsSpent) -> str:
    wait = _(
        "Do not start the bot before all are back, in {minutes} min: Discord would reset the "
        "token. Find out why it starts so often."
    ).format(minutes=finding.minutes)
    return f"{_logins(finding)} {wait}"


def _commands_other(finding: findings.CommandsOther) -> str:
    parts = [_("Discord does not have the commands of this version.")]
    if finding.missing:
        parts.append(_("Missing: {names}.").format(names=finding.missing))
    if finding.needless:
        parts.append(_("Of another version: {names}.").format(names=finding.needless))
    parts.append(_("Start the bot anew: it tells Discord."))
    return " ".join(parts)


def _install_lacks(finding: findings.InstallLacks) -> str:
    lacks = [finding.scopes] if finding.scopes else []
    if finding.permissions:
        lacks.append(permission_names(finding.permissions))
    return _(
        "The install link that Discord offers by itself lacks for servers: {lacks}. Add that on "
        "the page Installation of {portal}."
    ).format(lacks=", ".join(lacks), portal=_PORTAL)


SENTENCES: Final[Sentences] = {
    findings.Unreachable: _unreachable,
    findings.TooSlow: N_(
        "Discord has not answered for {what} within {seconds} s. Check the network, and "
        "https://discordstatus.com."
    ),
    findings.BadToken: lambda _finding: say(console.BAD_TOKEN),
    findings.TokenGood: N_("The token is that of {name}, application {application}."),
    findings.ClockRight: N_("This machine's clock agrees with Discord's."),
    findings.ClockOff: _clock_off,
    findings.ClockWrong: _clock_off,
    findings.OtherApplication: lambda finding: say(
        console.OTHER_APPLICATION, owner=finding.owner, now=finding.now
    ),
    findings.ServersFound: _servers,
    findings.IntentsNone: N_("No privileged intent is on, and none is needed."),
    findings.IntentsNeedless: _needless,
    findings.InteractionsElsewhere: lambda _finding: _(
        "Discord sends commands and clicks to an address of the web, so the bot hears none. Empty "
        "the field Interactions Endpoint URL on the page General Information of {portal}."
    ).format(portal=_PORTAL),
    findings.CodeGrantRequired: lambda _finding: _(
        "Nobody can add the bot by a link. Switch off Requires OAuth2 Code Grant on the page Bot "
        "of {portal}."
    ).format(portal=_PORTAL),
    findings.NotPublic: lambda _finding: _(
        "Only the application's owner can add the bot. If others shall, switch on Public Bot on "
        "the page Bot of {portal}."
    ).format(portal=_PORTAL),
    findings.LoginsLeft: _logins,
    findings.LoginsFew: _logins_few,
    findings.LoginsSpent: _logins_spent,
    findings.CommandsRegistered: N_("All {commands} commands are registered."),
    findings.CommandsToCome: N_("No commands are registered yet: the first start does that."),
    findings.CommandsOther: _commands_other,
    findings.EmojisThere: N_("All {emojis} pictures of tiles and pegs are uploaded."),
    findings.EmojisToCome: N_(
        "{emojis} pictures of tiles and pegs are to come: the first start uploads them, within "
        "minutes."
    ),
    findings.EmojisMissing: N_(
        "{missing} of {emojis} pictures of tiles and pegs are missing or older: boards show "
        "squares until a running bot has uploaded them. If that takes more than some minutes, "
        "start it anew and read its log."
    ),
    findings.InstallLink: N_("Add it to a server (permissions {permissions}): {link}"),
    findings.InstallLacks: _install_lacks,
}
