"""Output and exit statuses that commands share."""

import os
import stat
import sys
from pathlib import Path
from typing import Final

from bot.focdle.plays import FEWEST_CHARACTERS, SHORTEST_KEY

CANNOT: Final = 2
"""The exit status if something must be mended first."""
LATER: Final = 3
"""The exit status if a later try may succeed without any change."""

LOGIN_REFUSED: Final = (
    "Discord does not accept DISCORD_TOKEN. Reset it on the page Bot of "
    "https://discord.com/developers/applications and put the new one where the old one is."
)

_NOT_THE_OWNERS: Final = stat.S_IRWXG | stat.S_IRWXO


def tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def refuse(advice: str, status: int = CANNOT) -> int:
    """Write to stderr why a command refuses, and the remedy; return the exit status."""
    sys.stderr.write(advice + "\n")
    return status


def weak_key(*, is_in_use: bool) -> str:
    """Explain the risk of a weak PUZZLE_KEY, and the remedy; `is_in_use`: dailies come from it."""
    if is_in_use:
        consequence = "The bot goes on with it. A new key changes only puzzles nobody has opened"
    else:
        consequence = "Use another one, or leave it out: the bot makes its own then"
    return (
        f"PUZZLE_KEY is easy to guess, and with it all puzzles to come. {consequence}. It needs at "
        f"least {SHORTEST_KEY} characters, {FEWEST_CHARACTERS} of them different. This prints a "
        'good one: python3 -c "import secrets; print(secrets.token_hex(32))"'
    )


def readers_of(path: Path) -> str | None:
    """Return advice on a file with secrets that other users can read; None if they cannot."""
    if (
        not path.stat().st_mode & _NOT_THE_OWNERS or os.name != "posix"
    ):  # Windows' modes say nothing
        return None
    return (
        f"Other users of this machine may be able to read {path}, in which secrets are. "
        f"Type: chmod 600 {path}"
    )
