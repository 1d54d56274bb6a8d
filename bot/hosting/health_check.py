"""`python -m bot health`: asks the bot whether it is ready, for the checks of containers.

It runs again and again beside the bot. So it loads the standard library alone; what reads `.env`
only where that is needed.
"""

import os
import sys
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException
from importlib import import_module
from pathlib import Path
from typing import Final

from bot.address import NAME, Address, read_address

_ENV: Final = ".env"
_WELL, _UNWELL = 0, 1
_OK: Final = 200
# It answers within three whatever its database does.
_SECONDS: Final = 4.0


def run(*, alive: bool) -> int:
    """Ask, and write what the bot has answered in one line.

    Returns:
        The exit status: 0 if the bot is ready, or alive if that is asked, else 1.
    """
    text = _setting(os.environ)
    try:
        address = read_address(text)
    except ValueError:
        return _unwell(import_module("bot.config").SettingsError(NAME, text).advice)
    if address is None:
        return _unwell(
            f"{NAME} is not set, so the bot tells nobody how it is. Set it to a port, such as 9109."
        )
    return _ask(address.asked_at, "/healthz" if alive else "/readyz")


def _setting(environment: Mapping[str, str]) -> str:
    """The address as the host has written it; as the bot does, it looks into `.env`, too."""
    text = environment.get(NAME, "").strip()
    if not text and Path(_ENV).is_file():
        read: Callable[[str], Mapping[str, str | None]] = import_module("dotenv").dotenv_values
        return (read(_ENV).get(NAME) or "").strip()
    return text


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
