"""`python -m bot health`: the health check of a container, which asks the bot whether it is ready.

It runs again and again beside the bot, so it loads only the standard library, and `.env`'s reader
if needed.
"""

import os
import sys
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException
from importlib import import_module
from pathlib import Path
from typing import Final

from bot.address import HEALTH_ADDRESS, Address, read_address

_ENV: Final = ".env"
_WELL, _UNWELL = 0, 1
_OK: Final = 200
# The bot answers within three, whatever its database does.
_SECONDS: Final = 4.0


def run(*, alive: bool) -> int:
    """Print the first line of the bot's answer; return the exit status.

    It is 0 if the bot is ready, 1 if it is not. `alive` asks only whether it is alive.
    """
    text = os.environ.get(HEALTH_ADDRESS, "").strip()
    if not text and Path(_ENV).is_file():  # as the bot does
        read: Callable[[str], Mapping[str, str | None]] = import_module("dotenv").dotenv_values
        text = (read(_ENV).get(HEALTH_ADDRESS) or "").strip()
    try:
        address = read_address(text)
    except ValueError:
        return _unwell(import_module("bot.config").SettingsError(HEALTH_ADDRESS, text).advice)
    if address is None:
        return _unwell(
            f"{HEALTH_ADDRESS} is not set, so the bot tells nobody how it is. Set it to a port, "
            "such as 9109."
        )
    return _ask(address.asked_at, "/healthz" if alive else "/readyz")


def _ask(address: Address, path: str) -> int:
    connection = HTTPConnection(address.host, address.port, timeout=_SECONDS)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        said = answer.read().decode(errors="replace").strip()
    except (OSError, HTTPException) as error:
        return _unwell(f"No answer at {address} ({error}).")
    finally:
        connection.close()
    sys.stdout.write(said.partition("\n")[0] + "\n")
    return _WELL if answer.status == _OK else _UNWELL


def _unwell(why: str) -> int:
    sys.stdout.write(why + "\n")
    return _UNWELL
