"""As much time as a busy machine takes: nothing in a test depends on how fast it is."""

from typing import Final

from bot import clock
from bot.db import database, postgres_url
from bot.db.database import Database
from bot.hosting import deep_checks as doctors_database
from cogs.ui import replies

AMPLE_SECONDS: Final = 100.0
"""What never passes while anything goes on; what waits for ever is ended by pytest before long."""


def take_time(seconds: float = AMPLE_SECONDS) -> None:
    """Let the bot of this process wait for its database for so long, and answer whenever it can.

    Players are told after two seconds that it is busy, since Discord waits for three.
    """
    for module in (clock, replies):
        module.__dict__["MOST_SECONDS"] = seconds
    postgres_url.__dict__["CONNECT_SECONDS"] = round(AMPLE_SECONDS)
    database.__dict__["_FOR_READERS_SECONDS"] = AMPLE_SECONDS
    doctors_database.__dict__["PATIENCE_SECONDS"] = seconds
    replies.__dict__["SOON_SECONDS"] = AMPLE_SECONDS
    clock.patience.__defaults__ = (seconds,)
    for method in (Database.open, Database.unmigrated):
        opens = method.__func__
        opens.__kwdefaults__ = {**(opens.__kwdefaults__ or {}), "patience": seconds}
