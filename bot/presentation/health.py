"""What a check of the bot's health says where it cannot simply hand on what the bot has said."""

from typing import Final

from bot.text.language import N_

#: How the program is used that asks the bot how it is.
USAGE: Final = N_(
    "python -m bot.health asks the bot at HEALTH_ADDRESS whether it is ready; with --alive, "
    "whether it is there at all. The exit status is 0 if it is, else 1."
)
#: The bot was not told to answer, so it cannot be asked.
NOT_SET: Final = N_(
    "HEALTH_ADDRESS is not set, so the bot tells nobody how it is. Set it to a port, such as 9109."
)
#: The setting is no address.
NO_ADDRESS: Final = N_(
    "HEALTH_ADDRESS is {value}; use a port, such as 9109, to be asked by programs of this machine, "
    "or an address and a port, such as 0.0.0.0:9109."
)
#: Nothing answers, or not in time.
NO_ANSWER: Final = N_("No answer at {address} ({reason}).")
