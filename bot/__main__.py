"""`python -m bot`: runs the bot on Discord, or a command of its host's; `--help` lists them."""

import sys
from collections.abc import Callable, Sequence

from bot.stopping import end_when_told, leave

_ALONE = {"-h", "--help", "--version"}


def _complete(typed: Sequence[str]) -> list[str]:
    """Put `run` in front, unless the arguments begin with a command or ask for no other."""
    is_named = typed and (not typed[0].startswith("-") or typed[0] in _ALONE)
    return [*typed] if is_named else ["run", *typed]


if __name__ == "__main__" and _complete(sys.argv[1:])[0] in {"run", "web"}:
    end_when_told()

import argparse
import gc
import re
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final

_Add = Callable[..., argparse.ArgumentParser]
# Each command's function; it takes the parsed arguments by name.
_COMMANDS: Final = {
    "run": ("bot.hosting.run", "run"),
    "web": ("bot.hosting.run", "run_page"),
    "doctor": ("bot.hosting.doctor", "run"),
    "backup": ("bot.hosting.backup", "run"),
    "restore": ("bot.hosting.backup", "restore"),
    "move": ("bot.hosting.move", "run"),
    "forget": ("bot.hosting.removal", "forget"),
    "keep-out": ("bot.hosting.removal", "keep_out"),
    "health": ("bot.hosting.health_check", "run"),
}
_RANGE: Final = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})")
_LARGEST_ID: Final = 2**63 - 1
# Discord's first users have ids of 17 digits. Whoever keeps out nobody would not notice.
_LEAST_ID: Final = 10**16
_CANNOT: Final = 2
_UNWELL: Final = 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return its exit status, or 2 for an unknown command.

    `arguments` are the words after `python -m bot`; None takes them from the command line.
    Arguments that do not fit the command end the program with status 2; those of `health` return 1.
    """
    typed = _complete(sys.argv[1:] if arguments is None else arguments)
    if typed[0] == "--version":
        sys.stdout.write(f"focdle-bot {import_module('bot.version').version()}\n")
        return 0
    if not typed[0].startswith("-") and typed[0] not in _COMMANDS:
        close: list[str] = import_module("difflib").get_close_matches(
            typed[0].lower(), _COMMANDS, 1
        )
        meant = f" Did you mean {close[0]}?" if close else ""
        there = ", ".join(_COMMANDS)
        sys.stderr.write(f'There is no command "{typed[0]}".{meant} There are: {there}.\n')
        return _CANNOT
    try:
        wanted = vars(_parser().parse_args(typed))
    except SystemExit as ended:
        if ended.code and typed[0] == "health":
            return _UNWELL  # containers know only one unhealthy status
        raise
    if typed[0] in {"run", "web"}:
        gc.disable()  # imported objects stay; `freeze_objects` enables it again
    module, function = _COMMANDS[wanted.pop("command")]
    status: int = getattr(import_module(module), function)(**wanted)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bot",
        description="The bot on Discord, and what helps to host it. Settings are read from the "
        "environment and from .env.",
        epilog="Without a command, it runs. python -m bot COMMAND --help says more.",
    )
    parser.add_argument(
        "--version",
        action="store_true",
        default=argparse.SUPPRESS,
        help="say which version this is, and end",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)

    def add(name: str, does: str, example: str, more: str = "") -> argparse.ArgumentParser:
        told: dict[str, Any] = {
            "help": does,
            "description": f"{does[0].upper()}{does[1:]}. {more}",
            "epilog": f"Example: python -m bot {name} {example}",
        }
        return commands.add_parser(name, **told)

    _add_running(add)
    doctor = add(
        "doctor",
        "look whether everything is as the bot needs it",
        "--offline",
        "It looks at settings, libraries, files, the database and Discord. Nothing is changed, and "
        "the bot may go on running. Exit status: 0 if all is well, 1 with warnings, 2 with errors.",
    )
    doctor.add_argument("--offline", action="store_true", help="ask Discord nothing")
    _add_copying(add)
    _add_privacy(add)
    health = add(
        "health",
        "ask the bot at HEALTH_ADDRESS whether it is ready",
        "--alive",
        "The exit status is 0 if it is, else 1.",
    )
    health.add_argument("--alive", action="store_true", help="ask whether it is there at all")
    return parser


def _add_running(add: _Add) -> None:
    run = add("run", "run the bot on Discord", "--shards 0-24/100")
    run.add_argument(
        "--shards",
        type=_range,
        metavar="A-B/N",
        help="have only these of N shards; all others must run elsewhere, with the same N",
    )
    add(
        "web",
        "serve only the page, beside the bot",
        "",
        "It needs PostgreSQL, WEB_ADDRESS and WEB_URL. There may be any number of them.",
    )


def _add_copying(add: _Add) -> None:
    backup = add(
        "backup",
        "copy a database of SQLite's while the bot runs, and check the copy",
        "sqlite:///focdle.db backups",
        "Without arguments, the database is that of DATABASE_URL and the folder that of BACKUPS. "
        "The copy stays until you delete it.",
    )
    backup.add_argument("source", metavar="FROM_URL", nargs="?", help="the database")
    backup.add_argument(
        "folder", metavar="FOLDER", nargs="?", type=Path, help="made if it is not there"
    )
    restore = add(
        "restore",
        "put a backup in the place of the database",
        "focdle-backups/focdle-2026-11-24T030002Z.db",
        "DATABASE_URL names the database, which is kept beside it. The bot must be stopped.",
    )
    restore.add_argument("file", metavar="FILE", type=Path, help="the backup")
    move = add(
        "move",
        "copy all that a database has into an empty one, and compare both",
        "sqlite:///focdle.db postgresql://focdle:password@localhost/focdle",
        "It goes from SQLite to PostgreSQL or back. The bot must be stopped. The first database "
        "stays; if an earlier version has written it, it is copied and brought up to date before.",
    )
    move.add_argument("source", metavar="FROM_URL", help="the database there is")
    move.add_argument("target", metavar="TO_URL", help="the empty one")


def _add_privacy(add: _Add) -> None:
    forget = add(
        "forget",
        "hand out or delete what is stored about a player",
        "123456789012345678 --export data.json",
        "It does what /privacy does, for players who cannot use Discord. The bot may go on "
        "running.",
    )
    forget.add_argument(
        "player",
        metavar="PLAYER_ID",
        type=_discord_id,
        help="the player's Discord id, a number of about 18 digits",
    )
    action = forget.add_mutually_exclusive_group()
    action.add_argument(
        "--export",
        metavar="FILE",
        help="write everything to this new JSON file, and delete nothing",
    )
    action.add_argument("--yes", action="store_true", help="delete without asking for the id again")
    forget.add_argument(
        "--everything",
        action="store_true",
        help="keep no salted hashes either: of today's puzzles, rating and rated duels; nor that "
        "others want no challenges from the player",
    )
    keep_out = add(
        "keep-out",
        "keep a user or a server from the bot, or list who is",
        "user 123456789012345678 --undo",
        "The bot may go on running. Users can still read and delete their data.",
    )
    keep_out.add_argument("what", choices=("user", "server", "list"))
    keep_out.add_argument(
        "subject", metavar="ID", nargs="?", type=partial(_discord_id, least=_LEAST_ID)
    )
    keep_out.add_argument("--undo", action="store_true", help="keep it out no longer")


def _range(text: str) -> tuple[int, int, int]:
    found = _RANGE.fullmatch(text)
    if found is not None:
        first, last, count = (int(number or found[1]) for number in found.groups())
        if first <= last < count:
            return first, last, count
    raise argparse.ArgumentTypeError(
        f"{text} is no range of shards: 0-24/100 has the first 25 of 100"
    )


def _discord_id(text: str, least: int = 1) -> int:
    """Parse the id of a user or a server; ids below 0, which stand-ins have, are refused."""
    if not (text.isascii() and text.isdecimal() and least <= int(text) <= _LARGEST_ID):
        raise argparse.ArgumentTypeError(
            f"{text} is not a Discord id. With Discord's developer mode on, a right click on a "
            "player or a server offers to copy it."
        )
    return int(text)


if __name__ == "__main__":
    leave(main())
