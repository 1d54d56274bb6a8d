"""What the person who hosts the bot reads of settings that cannot be used."""

from typing import Final

from bot.focdle.game.daily_secrets import FEWEST_CHARACTERS, SHORTEST_KEY
from bot.presentation.health import NO_ADDRESS
from bot.text.language import N_, say
from bot.text.language import gettext as _

_ENV: Final = ".env"

#: What to do about a setting that is missing or cannot be used.
_ADVICE: Final = {
    "DISCORD_TOKEN": N_(
        "DISCORD_TOKEN is not set. Copy .env.example to .env and put your bot's token there "
        "(https://discord.com/developers/applications, page Bot).\n"
        "To try the bot without a token or an account: python3 tasks.py play"
    ),
    "LOG_LEVEL": N_(
        "LOG_LEVEL has {value}; use DEBUG, INFO, WARNING, ERROR or CRITICAL. Parts may have "
        "their own, as in INFO, cogs=DEBUG: bot, cogs, discord, aiohttp, asyncio, alembic."
    ),
    "LOG_FORMAT": N_("LOG_FORMAT is {value}; use text or json."),
    "CONTACT": N_("CONTACT is not one line of at most 200 characters."),
    "HEALTH_ADDRESS": NO_ADDRESS,
    "SENTRY_DSN": N_(
        "SENTRY_DSN is no address of a project at Sentry. Copy it from the project's settings, "
        "Client Keys (DSN), or leave it out."
    ),
    "FORGET_AFTER": N_(
        "FORGET_AFTER is {value}; use a number of days, at least 90, as in 400d, or leave it out."
    ),
    "AVATARS": N_("AVATARS is {value}; use on or off."),
    "WORKERS": N_(
        "WORKERS is {value}; use 0, 1 or 2, or leave it out. There is no shared any more: each "
        "process has its own workers."
    ),
    "BACKUPS": N_(
        "BACKUPS is for a database that is a file of SQLite's. PostgreSQL has its own way: "
        "leave BACKUPS out, and make backups with pg_dump."
    ),
    "BACKUPS_KEPT": N_(
        "BACKUPS_KEPT is {value}; write of how many days and weeks one is kept, from 1 day to 4 "
        "weeks, such as: 7 days, 4 weeks."
    ),
    "DATABASE_URL": N_(
        "DATABASE_URL must name a file of SQLite, such as sqlite:///focdle.db, or a database "
        "of PostgreSQL, such as postgresql://focdle:password@localhost/focdle. In memory, "
        "nothing would be kept."
    ),
}


def bad_setting(name: str, value: str) -> str:
    """Why the bot does not start, and what to do."""
    if name.endswith("_FILE"):
        return _bad_file(name, value)
    if name == _ENV:
        return _bad_env(value)
    if "…" in value:  # in place of what may be secret
        return _(
            "{name} reads {value} here. Put it there alone: no quotes, no word before it."
        ).format(name=name, value=value)
    if name == "DATABASE_URL" and value:
        return _(
            "DATABASE_URL has the parameter {value}, which the bot does not know with this value. "
            "Leave it out."
        ).format(value=value)
    return say(_ADVICE[name], value=value)


def _bad_file(name: str, problem: str) -> str:
    """Why a file that a setting names is not taken; nothing is wrong with it, if there are two."""
    if not problem:
        return _("{name} and {file} are both set. Leave out one of them.").format(
            name=name.removesuffix("_FILE"), file=name
        )
    return _(
        "{file} names a file that cannot be used ({problem}). Put the value there, alone on one "
        "line, and make sure that the bot may read it."
    ).format(file=name, problem=problem)


def _bad_env(reason: str) -> str:
    """Why the file of settings is not read; without a reason, it is no text."""
    if not reason:
        return _("The file .env is not UTF-8 text. Copy .env.example anew and fill it in.")
    return _(
        "The file .env cannot be read ({reason}). Let the user read it under whom the bot runs."
    ).format(reason=reason)


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
