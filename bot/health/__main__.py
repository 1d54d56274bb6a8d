"""`python -m bot.health`: asks the bot whether it is ready, for the checks of containers.

It runs again and again beside the bot. So it loads the standard library alone; what reads `.env`,
and what has sentences, only where they are needed.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPConnection, HTTPException
from importlib import import_module
from pathlib import Path
from typing import Final

from bot.health.address import NAME, Address, read_address

_ENV: Final = ".env"
_WELL, _UNWELL = 0, 1
_OK: Final = 200
_ALIVE: Final = "--alive"
# It answers within three whatever its database does.
_SECONDS: Final = 4.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask, and write what the bot has answered in one line.

    Args:
        arguments: what follows its name on the command line; None for the process's own.

    Returns:
        The exit status: 0 if the bot is ready, or alive if that is asked, else 1.
    """
    typed = [*(sys.argv[1:] if arguments is None else arguments)]
    if typed not in ([], [_ALIVE]):
        return _say("USAGE")
    text = _setting(os.environ)
    try:
        address = read_address(text)
    except ValueError:
        return _say("NO_ADDRESS", value=text)
    if address is None:
        return _say("NOT_SET")
    return _ask(address.asked_at, "/healthz" if typed else "/readyz")


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
        return _say("NO_ANSWER", address=address, reason=error)
    finally:
        connection.close()
    sys.stdout.write(said.partition("\n")[0] + "\n")
    return _WELL if answer.status == _OK else _UNWELL


def _say(name: str, **facts: object) -> int:
    """Write a sentence, by its name among those of health checks; something is wrong."""
    say: Callable[..., str] = import_module("bot.text.language").say
    sentences = import_module("bot.presentation.health")
    sys.stdout.write(say(getattr(sentences, name), **facts) + "\n")
    return _UNWELL


if __name__ == "__main__":
    sys.exit(main())
