"""What the person who hosts the bot reads on the terminal."""

from bot.errors import NewerDatabaseError, NoDatabaseError, StorageBusyError, StorageError
from bot.presentation.base import counts
from bot.presentation.base.language import gettext as _
from bot.presentation.base.language import ngettext
from bot.presentation.privacy.data import games
from bot.services.duels.model import REMEMBERED_FOR
from bot.services.focdle.daily_secrets import FEWEST_CHARACTERS, SHORTEST_KEY
from bot.services.privacy.players import Summary


def bad_setting(name: str, value: str) -> str:
    """Why the bot does not start, and what to do."""
    advice = {
        "DISCORD_TOKEN": _(
            "DISCORD_TOKEN is not set. Copy .env.example to .env and put your bot's token there "
            "(https://discord.com/developers/applications, page Bot).\n"
            "To try the bot without a token or an account: make play"
        ),
        "LOG_LEVEL": _("LOG_LEVEL is {value}; use DEBUG, INFO, WARNING, ERROR or CRITICAL."),
        "DATABASE_URL": _(
            "DATABASE_URL must name a file of SQLite, such as sqlite+aiosqlite:///focdle.db: the "
            "bot does not work with other databases yet."
        ),
    }
    return advice[name].format(value=value)


def weak_key(*, is_in_use: bool) -> str:
    """Others may guess the key; what to do about it."""
    if is_in_use:
        consequence = _("The bot goes on with it. A new key changes only puzzles nobody has opened")
    else:
        consequence = _("Use another one, or leave it out: the bot makes its own then")
    return _(
        "PUZZLE_KEY is easy to guess, and with it all puzzles to come. {consequence}. It needs at "
        "least {shortest} characters, {fewest} of them different. This prints a good one: "
        'python3 -c "import secrets; print(secrets.token_hex(32))"'
    ).format(consequence=consequence, shortest=SHORTEST_KEY, fewest=FEWEST_CHARACTERS)


def readable_by_others(path: str) -> str:
    """Other users of the machine can read a file with secrets."""
    return _(
        "Other users of this machine may be able to read {path}, in which secrets are. "
        "Type: chmod 600 {path}"
    ).format(path=path)


def bad_token() -> str:
    """Discord does not know the token."""
    return _(
        "Discord does not accept DISCORD_TOKEN. Reset it on the page Bot of "
        "https://discord.com/developers/applications and put the new one into .env."
    )


def bad_database(error: StorageError) -> str:
    """Why the database cannot be used."""
    if isinstance(error, NewerDatabaseError):
        return _(
            "The database was written by a newer version of this bot. "
            "Update the bot, or point DATABASE_URL to another database."
        )
    if isinstance(error, NoDatabaseError):
        return _(
            "There is no database at {path}. Start this in the bot's folder, or check DATABASE_URL."
        ).format(path=error.path)
    if isinstance(error, StorageBusyError):
        return _("The database is in use by another program. Is the bot running already?")
    return _(
        "The database cannot be used ({reason}). Check DATABASE_URL, whether the bot may write to "
        "that file and its folder, and whether the disk has room."
    ).format(reason=error)


def other_application(owner: int, now: int) -> str:
    """The database is that of another bot; what that means, and how it may become this one's."""
    return _(
        "This database is that of the application {owner}, and the token that of {now}. So nobody "
        "can tell which servers have removed the bot, and the data of all are kept. Give a bot for "
        "tests a database of its own. If this application takes over for good, stop the bot and "
        "type: sqlite3 focdle.db \"DELETE FROM facts WHERE name = 'application'\""
    ).format(owner=owner, now=now)


def another_process() -> str:
    """Two processes have the same database."""
    return _("Another process answers from this database. Stop one of them.")


def unreadable_env() -> str:
    """The file of settings is no text."""
    return _("The file .env is not UTF-8 text. Copy .env.example anew and fill it in.")


def no_discord(reason: str) -> str:
    """Discord cannot be reached."""
    return _("Discord cannot be reached ({reason}). Check the network and start again.").format(
        reason=reason
    )


def no_playground() -> str:
    """The playground's library is missing."""
    return _("The playground is not installed. Type: make play, or: pip install '.[playground]'")


def playground_ready(address: str) -> str:
    """The playground's one line; ends with the address."""
    return _("Play at {address}").format(address=address)


def forget_usage() -> str:
    """What the program is for that serves players who cannot ask through Discord."""
    return _(
        "Hand out or delete what is stored about a player, as /privacy does, for players who "
        "cannot use Discord. The bot may go on running."
    )


def forget_player_help() -> str:
    """What its argument is."""
    return _("the player's Discord id, a number of about 18 digits")


def forget_export_help() -> str:
    """What its option for a file does."""
    return _("write everything to this new JSON file, and delete nothing")


def forget_yes_help() -> str:
    """What its option against questions does."""
    return _("delete without asking for the id again")


def forget_everything_help() -> str:
    """What its option against what is kept for a while does."""
    return _(
        "keep no salted hashes either: of today's puzzles, rating and rated duels; nor that "
        "others want no challenges from the player"
    )


def not_an_id(text: str) -> str:
    """An argument is no id of Discord's."""
    return _(
        "{text} is not a Discord id. With Discord's developer mode on, a right click on a player "
        "offers Copy User ID."
    ).format(text=text)


def nothing_stored(player_id: int) -> str:
    """There is nothing to hand out or delete."""
    return _("Nothing is stored about {player}.").format(player=player_id)


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


def type_id_again() -> str:
    """Asks for a confirmation; the answer follows in the same line."""
    return _("It cannot be undone. To delete everything, type the id again: ")


def not_forgotten() -> str:
    """Something else than the id was typed."""
    return _("Nothing was deleted: that is not the same id.")


def forgotten(player_id: int) -> str:
    """Everything is deleted."""
    return _(
        "Everything about {player} is deleted. Boards in channels that name them are edited by the "
        "bot, within minutes if it is running. Backups made before still have the data."
    ).format(player=player_id)


def handed_out(path: str) -> str:
    """The file is written."""
    return _("Everything that is stored about the player is in {path}.").format(path=path)


def cannot_write(path: str, reason: str) -> str:
    """The file could not be made."""
    return _("{path} cannot be written ({reason}). Name a new file.").format(
        path=path, reason=reason
    )
