"""Pages about what is stored of a player, and about deletions of players' and servers' data."""

from datetime import timedelta
from typing import Final

from bot.page.model import SESSION_LASTS
from bot.people.game import AFTER_DELETION
from bot.privacy.model import LONGEST_NAME
from bot.privacy.players import Summary
from bot.privacy.servers import KEPT_FOR
from bot.text import counts
from bot.text.language import N_, _, ngettext
from bot.text.markup import bullets, code, heading, small

#: Opens the page that says what the deletion of a server's data means; at most 80 characters.
DELETE_SERVER_BUTTON: Final = N_("Delete this server's data")
#: Opens the form in which a deletion is confirmed, of one's own data or of a server's.
CONFIRM_BUTTON: Final = N_("Delete …")
#: Goes back from the page that says what the deletion of a server's data means.
KEEP_SERVER_BUTTON: Final = N_("Keep everything")
#: The title of the form that confirms the deletion; at most 45 characters.
SERVER_FORM_TITLE: Final = N_("Delete this server's data?")
#: The label of the one field of that form; at most 45 characters.
SERVER_FORM_LABEL: Final = N_("Type the server's name to confirm")
#: What a deletion means, in the form that confirms it; at most 100 characters.
FORM_DESCRIPTION: Final = N_("This can't be undone.")


def server_question(name: str) -> list[str]:
    """List what a server's deletion removes, and what stays."""
    goes = _(
        "**This can't be undone.** I'll forget {server}'s settings, posts, members and "
        "leaderboards, and the daily post will end."
    ).format(server=code(name, longest=LONGEST_NAME))
    stays = [
        _("Players keep their finished games, without this server's id."),
        _("The time zone and the puzzle's length."),
        _("My messages in channels, unless you delete them in Discord."),
    ]
    instead = _("If you remove me instead, all this will be deleted {days} later.")
    return [
        f"{heading(_('Delete everything about this server?'))}\n{goes}",
        f"{_('**What stays**')}\n{bullets(stays)}",
        small(instead.format(days=counts.days(KEPT_FOR.days))),
    ]


def server_deleted() -> str:
    return _("**I've deleted everything about this server.**\n`/settings` starts afresh.")


#: Sends the file with the player's data.
EXPORT_BUTTON: Final = N_("Export my data")
#: Opens the page that says what a deletion means.
DELETE_BUTTON: Final = N_("Delete everything")
#: Goes back from the page that says what a deletion means.
KEEP_BUTTON: Final = N_("Keep my data")
#: The title of the form that confirms a deletion; at most 45 characters.
FORM_TITLE: Final = N_("Delete everything?")
#: The label of the one field of that form; at most 45 characters.
FORM_LABEL: Final = N_("Type {word} to confirm")


def title() -> str:
    return f"{heading(_('Your data'))}\n{small(_('Only you can see this page.'))}"


def blocks(summary: Summary, forget_after: timedelta | None, *, has_page: bool) -> list[str]:
    """Say what is stored about a player, for how long, and who can see it.

    `forget_after` is how long the data of absent players are kept; None if that is for ever. With
    `has_page`, the text also names the web page's sessions.
    """
    until = _("Until you delete your data.")
    if forget_after is not None:
        until = _("Until you delete your data, or stay away for {days}.").format(
            days=counts.of_days(forget_after.days)
        )
    who = (
        _("You: all your data, with *Export my data*."),
        _(
            "Members of your servers: your duels, challenges and shared results; also "
            "leaderboards, daily posts and `/stats`, unless you press *Hide me* in "
            "`/preferences`."
        ),
        _("The people who run this bot: all your data, in the bot's database."),
    )
    return [
        _what(summary, has_page=has_page),
        f"{_('**For how long**')}\n{until}",
        f"{_('**Who can see it**')}\n{bullets(who)}",
    ]


def _what(summary: Summary, *, has_page: bool) -> str:
    if summary.is_empty:
        nothing = _(
            "Nothing yet. When you play, I store your games under your Discord id, with your "
            "name, streak, rating and places on leaderboards."
        )
        return f"{_('**What is stored**')}\n{nothing}"
    lines: list[str] = []
    if played := games(summary):
        lines.append(_("{games}: your guesses and when you made them").format(games=played))
        lines.append(_("your streak, rating and places on leaderboards"))
    if summary.counts.servers:
        lines.append(
            ngettext(
                "your Discord id, your name as seen in {n} server and, unless you're "
                "hidden, your avatar",
                "your Discord id, your name as seen in {n} server and, unless you're "
                "hidden, your avatars",
                summary.counts.servers,
            ).format(n=summary.counts.servers)
        )
    else:
        lines.append(
            _("your Discord id, your name as last seen and, unless you're hidden, your avatar")
        )
    lines.append(_("your choices in `/preferences`, and any reminders"))
    if has_page:
        hours = SESSION_LASTS // timedelta(hours=1)
        lines.append(_("for {n} hours, which browsers opened your *Keypad*").format(n=hours))
    lines.append(_("no messages: I know only what you type into my commands and forms"))
    return f"{_('**What is stored**')}\n{bullets(lines)}"


def games(summary: Summary) -> str:
    """Say how many games of each kind a player has; empty without any.

    Undated puzzles are practices and set equations.
    """
    stored, found = summary.counts, list[str]()
    if n := stored.dailies:
        found.append(ngettext("{n} daily puzzle", "{n} daily puzzles", n).format(n=n))
    if n := stored.practices:
        found.append(ngettext("{n} undated puzzle", "{n} undated puzzles", n).format(n=n))
    if n := stored.masterminds:
        found.append(ngettext("{n} Mastermind", "{n} Masterminds", n).format(n=n))
    if n := stored.duels:
        found.append(counts.duels(n))
    if n := stored.challenges:
        found.append(counts.challenges(n))
    return ", ".join(found)


def question(paper: str) -> list[str]:
    """Say what a player's deletion removes and what stays; `paper` is the address of the rest.

    The address is empty where the host has none: the rest is said in short.
    """
    goes = _(
        "**This can't be undone.** I'll delete your games, streak, rating and choices, "
        "and resign your duels. In games with others, you become “deleted player”."
    )
    stays = _(
        "New games won't count for {days}. Until then, I keep a code made from your id."
    ).format(days=counts.days(AFTER_DELETION.days))
    rest = _("Messages in channels stay, as do others' blocks on you.")
    if paper:
        rest = _("[What else is kept, and why]({link})").format(link=paper)
    return [heading(_("Delete everything?")), goes, stays, rest]


def deleted(before: Summary) -> str:
    """Confirm a player's deletion, or say that nothing was stored."""
    if before.is_empty:
        return _("Nothing is stored about you.")
    done = _("**I've deleted your games, streak and rating.**")
    follow = _("Games with others will soon say “deleted player”.")
    rest = _("New games count again in {days}. Thank you for playing!").format(
        days=counts.of_days(AFTER_DELETION.days)
    )
    return "\n".join([done, *([follow] if before.counts.shared else []), rest])


def exported(*, is_packed: bool) -> str:
    text = _("**Everything stored about you**, as a JSON file for any text editor.")
    if is_packed:
        text = _("**Everything stored about you**, as a JSON file in a ZIP file.")
    remark = _("Only secrets still in play are left out.")
    return f"{text}\n{small(remark)}"
