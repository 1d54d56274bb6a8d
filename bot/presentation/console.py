"""What the person who hosts the bot reads on the terminal."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from bot.backups.moving import (
    Content,
    DifferentContentError,
    MovingError,
    NotEmptyError,
    SameDatabaseError,
    StillRunningError,
)
from bot.duels.model.duel import REMEMBERED_FOR
from bot.errors import (
    DamagedDatabaseError,
    LostDatabaseError,
    NewerDatabaseError,
    NoDatabaseError,
    NoDriverError,
    OlderDatabaseError,
    StorageBusyError,
    StorageError,
    UnfinishedDatabaseError,
    UnfitDatabaseError,
)
from bot.privacy.game.players import Summary
from bot.privacy.pages.data import games
from bot.text import counts
from bot.text.language import N_, ngettext
from bot.text.language import gettext as _

#: Other users of the machine can read a file with secrets.
READABLE_BY_OTHERS: Final = N_(
    "Other users of this machine may be able to read {path}, in which secrets are. "
    "Type: chmod 600 {path}"
)
#: Discord does not know the token.
BAD_TOKEN: Final = N_(
    "Discord does not accept DISCORD_TOKEN. Reset it on the page Bot of "
    "https://discord.com/developers/applications and put the new one into .env."
)
#: The database is another bot's; what that means, and how it may become this one's.
OTHER_APPLICATION: Final = N_(
    "This database is that of the application {owner}, and the token that of {now}. So nobody "
    "can tell which servers have removed the bot, and the data of all are kept. Give a bot for "
    "tests a database of its own. If this application takes over for good, stop the bot and "
    "type: sqlite3 focdle.db \"DELETE FROM facts WHERE name = 'application'\""
)
#: Two processes have the same database.
ANOTHER_PROCESS: Final = N_("Another process answers from this database. Stop one of them.")
#: Discord cannot be reached.
NO_DISCORD: Final = N_("Discord cannot be reached ({reason}). Check the network and start again.")
#: The playground's library is missing.
NO_PLAYGROUND: Final = N_(
    "The playground is not installed. Type: python3 tasks.py play, or: pip install '.[playground]'"
)
#: The playground's one line; it ends with the address.
PLAYGROUND_READY: Final = N_("Play at {address}")
#: Below the playground's first message: what to type.
PLAYGROUND_HINT: Final = N_("Type `/focdle` below, choose it from the list, then send it.")
#: The playground's answer to a command that was sent as mere text.
PLAYGROUND_COMMAND: Final = N_(
    "That was sent as text. Type `/{command}`, choose it from the list that opens, then send it."
)
#: The playground cannot listen where it was told to.
PORT_UNUSABLE: Final = N_(
    "Port {port} cannot be used ({reason}). Choose another with --port, or leave it out for any "
    "free one."
)
#: Sentry is to be told of errors, but what talks to it is not there.
NO_SENTRY: Final = N_(
    "SENTRY_DSN is set, but what talks to Sentry is not installed. Install it, or leave SENTRY_DSN "
    "out: python3 tasks.py install sentry"
)
#: What the program is for that serves players who cannot ask through Discord.
FORGET_USAGE: Final = N_(
    "Hand out or delete what is stored about a player, as /privacy does, for players who "
    "cannot use Discord. The bot may go on running."
)
#: What the one argument of that program is.
FORGET_PLAYER_HELP: Final = N_("the player's Discord id, a number of about 18 digits")
#: What that program's option for a file does.
FORGET_EXPORT_HELP: Final = N_("write everything to this new JSON file, and delete nothing")
#: What that program's option against questions does.
FORGET_YES_HELP: Final = N_("delete without asking for the id again")
#: What that program's option against all that is kept for a while does.
FORGET_EVERYTHING_HELP: Final = N_(
    "keep no salted hashes either: of today's puzzles, rating and rated duels; nor that "
    "others want no challenges from the player"
)
#: What the program is for that moves to another database.
MOVE_USAGE: Final = N_(
    "Copy all that a database has into an empty one, from SQLite to PostgreSQL or back, and "
    "compare both. The bot must be stopped. The first is left as it is."
)
#: What that program's first argument is.
MOVE_SOURCE_HELP: Final = N_("the database there is, such as sqlite:///focdle.db")
#: What that program's second argument is.
MOVE_TARGET_HELP: Final = N_("the empty one, such as postgresql://focdle:password@localhost/focdle")
#: An argument is no id of Discord's.
NOT_AN_ID: Final = N_(
    "{text} is not a Discord id. With Discord's developer mode on, a right click on a player "
    "offers Copy User ID."
)
#: There is nothing about a player to hand out or delete.
NOTHING_STORED: Final = N_("Nothing is stored about {player}.")
#: Asks to confirm a deletion; the answer follows in the same line.
TYPE_ID_AGAIN: Final = N_("It cannot be undone. To delete everything, type the id again: ")
#: Something else than the player's id was typed to confirm a deletion.
NOT_FORGOTTEN: Final = N_("Nothing was deleted: that is not the same id.")
#: Everything about a player is deleted.
FORGOTTEN: Final = N_(
    "Everything about {player} is deleted. Boards in channels that name them are edited by the "
    "bot, within minutes if it is running. Backups made before still have the data; restoring one "
    "deletes it again, unless BACKUPS is off."
)
#: The file with a player's data is written.
HANDED_OUT: Final = N_("Everything that is stored about the player is in {path}.")
#: The file for a player's data could not be made.
CANNOT_WRITE: Final = N_("{path} cannot be written ({reason}). Name a new file.")


def bad_database(error: StorageError) -> str:
    """Why the database cannot be used."""
    match error:
        case NewerDatabaseError(copy=None):
            said = _(
                "The database was written by a newer version of this bot. "
                "Update the bot, or point DATABASE_URL to another database."
            )
        case NewerDatabaseError():
            said = _(
                "The database was written by a newer version of this bot. Update the bot, or go "
                "back to the copy from before, without what was played since: "
                "python -m bot.backup --restore {copy}"
            ).format(copy=error.copy)
        case OlderDatabaseError():
            said = _too_old(error)
        case NoDatabaseError():
            said = _(
                "There is no database at {path}. Start this in the bot's folder, or check "
                "DATABASE_URL."
            ).format(path=error.path)
        case NoDriverError():
            said = _(
                "PostgreSQL needs a package more. In the bot's folder: "
                ".venv/bin/python -m pip install '.[postgres]'"
            )
        case DamagedDatabaseError():
            said = _(
                "The database is damaged ({reason}). Stop the bot and restore a backup: "
                "python -m bot.backup --restore FILE. If this is no database, check DATABASE_URL."
            ).format(reason=error)
        case UnfitDatabaseError():
            said = str(error)
        case LostDatabaseError():
            said = _(
                "The database's server cannot be reached ({reason}). Check whether it is running, "
                "and DATABASE_URL."
            ).format(reason=error)
        case StorageBusyError():
            said = _("The database is in use by another program. Is the bot running already?")
        case _:
            said = _(
                "The database cannot be used ({reason}). Check DATABASE_URL, whether the bot may "
                "write there (for a file, to its folder, too), and whether the disk has room."
            ).format(reason=error)
    return said


def _too_old(error: OlderDatabaseError) -> str:
    if isinstance(error, UnfinishedDatabaseError):
        said = _(
            "The ratings in the database are still to be worked out anew, which version {version} "
            "does, and nothing in it was changed. Start version {version}, and let it run until "
            "its leaderboards of duels no longer say that it is at that; then this one."
        )
    else:
        said = _(
            "The database was written by a version of this bot before {version}, and nothing in "
            "it was changed. Start version {version} once, which brings it up to date; then this "
            "one."
        )
    return said.format(version=error.by)


def not_moved(error: MovingError | DifferentContentError) -> str:
    """Why a database was not moved. Nothing is in the other one."""
    match error:
        case SameDatabaseError():
            return _("Both are the same database: name the one to move from, then an empty one.")
        case StillRunningError():
            return _(
                "The bot answers from this database. Stop it first, or what is played meanwhile "
                "would be missing; if it was killed, wait for two minutes."
            )
        case NotEmptyError():
            return _(
                "There is something in the other database already (in {table}). Name an empty one."
            ).format(table=error.table)
        case _:
            return _(
                "What was written of {error} is not what was read. Nothing was kept; please tell "
                "who maintains this bot."
            ).format(error=error)


def table_moved(content: Content) -> str:
    """A table that is there."""
    return f"{content.table:20} {content.rows:>12,}  {content.checksum}"


def moved(contents: Sequence[Content], took: timedelta) -> str:
    """That everything is there, and what to do with it."""
    rows = sum(content.rows for content in contents)
    said = ngettext(
        "{n} row is there in {time}, and reads the same.",
        "{n} rows are there in {time}, and read the same.",
        rows,
    ).format(n=f"{rows:,}", time=f"{took.total_seconds():.1f} s")
    return said + "\n" + _("Set DATABASE_URL to the second one, and start the bot.")


def about_to_forget(player_id: int, summary: Summary) -> str:
    """What a deletion would come upon."""
    lines = [
        _("Stored about {player}: {what}.").format(
            player=player_id, what=games(summary) or _("no games")
        )
    ]
    if shared := summary.counts.shared:
        lines.append(
            ngettext(
                "{n} game is another player's as well: it stays, with a stand-in for this player.",
                "{n} games are other players' as well: they stay, with a stand-in for this player.",
                shared,
            ).format(n=shared)
        )
    if running := summary.running:
        lines.append(
            ngettext(
                "{n} of them goes on: this player resigns a duel, from which the winner gains no "
                "rating; who is breaking this player's code may finish.",
                "{n} of them go on: this player resigns duels, from which the winners gain no "
                "rating; who is breaking this player's code may finish.",
                running,
            ).format(n=running)
        )
    return "\n".join(lines)


def kept(summary: Summary) -> str:
    """What a deletion leaves for some days, unless nothing is to be left; empty for nothing."""
    days = counts.days(REMEMBERED_FOR.days)
    lines: list[str] = []
    if n := len(summary.spent):
        lines.append(
            ngettext(
                "that {n} daily puzzle was opened, until its date has ended everywhere",
                "that {n} daily puzzles were opened, until their dates have ended everywhere",
                n,
            ).format(n=n)
        )
    if summary.memory.rating:
        lines.append(_("the rating, for {days}").format(days=days))
    if n := summary.memory.opponents:
        lines.append(
            ngettext(
                "how many rated duels there were with {n} other player, until {days} after "
                "the last one",
                "how many rated duels there were with each of {n} other players, until {days} "
                "after the last one",
                n,
            ).format(n=n, days=days)
        )
    if not lines:
        return ""
    begin = _("Kept for some days, under salted hashes that name nobody (not with --everything):")
    return "\n".join([begin, *(f"- {line}" for line in lines)])
