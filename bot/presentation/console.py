"""What the person who hosts the bot reads on the terminal."""

from bot.presentation.language import gettext as _
from bot.storage.errors import NewerDatabaseError, StorageBusyError, StorageError


def bad_setting(name: str, value: str) -> str:
    """Why the bot does not start, and what to do."""
    advice = {
        "DISCORD_TOKEN": _(
            "DISCORD_TOKEN is not set. Copy .env.example to .env and put your bot's token there "
            "(https://discord.com/developers/applications, page Bot).\n"
            "To try the bot without a token or an account: make play"
        ),
        "PUZZLE_KEY": _("PUZZLE_KEY is too short: use at least 16 characters, or leave it out."),
        "LOG_LEVEL": _("LOG_LEVEL is {value}; use DEBUG, INFO, WARNING, ERROR or CRITICAL."),
        "DATABASE_URL": _(
            "DATABASE_URL is not the URL of a database with an asyncio driver that is installed, "
            "such as sqlite+aiosqlite:///focdle.db"
        ),
    }
    return advice[name].format(value=value)


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
    if isinstance(error, StorageBusyError):
        return _("The database is in use by another program. Is the bot running already?")
    return _("The database cannot be opened ({reason}). Check DATABASE_URL.").format(reason=error)


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
