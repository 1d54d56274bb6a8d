"""What the person who hosts several processes reads on the terminal."""

from typing import Final

from bot.text.language import N_

#: What the program is, above its options.
USAGE: Final = N_("The bot on Discord. Settings are read from the environment and from .env.")
#: What the option for some of all shards does.
SHARDS_HELP: Final = N_(
    "have only these of N shards, 0-24/100 say; all others must run elsewhere, with the same N"
)
#: The bot cannot listen for programs that ask how it is, since another one listens there, say.
CANNOT_LISTEN: Final = N_(
    "Nobody can ask how the bot is at {address} ({reason}). Put another port into HEALTH_ADDRESS, "
    "or leave it out."
)
#: An option that there was in version 0.2.0.
NO_PROCESSES: Final = N_(
    "--processes is gone: start each process by itself, with its --shards, --shards 0-24/100 say. "
    'docs/HOSTING.md says how systemd or Compose does that, under "Several processes".'
)
#: The range of shards is none.
NO_RANGE: Final = N_("{text} is no range of shards: 0-24/100 has the first 25 of 100")
#: Several processes cannot share a file.
NEEDS_POSTGRES: Final = N_(
    "Several processes need a database of PostgreSQL's: a file of SQLite's is one process's own. "
    'docs/HOSTING.md says how to move there, under "Move". One process is enough '
    "for some thousand servers; start it without --shards."
)
#: Processes have logged in so often that Discord would take the token away.
TOO_MANY_LOGINS: Final = N_(
    "Discord's limit of logins is nearly reached: {left} are left for {hours} hours, fewer than "
    "all shards need. Look in the log for what makes processes start again and again. Until then, "
    "no process logs in: Discord would take the token away."
)
