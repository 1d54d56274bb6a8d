"""`python -m bot.forget`: a player's data, handed out or deleted by the host."""

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bot.backups.before_migrating import CopiesBefore
from bot.clock import SystemClock
from bot.config import SettingsError, read_backup_settings, read_database_url
from bot.errors import StorageError
from bot.presentation import console
from bot.presentation.settings import bad_setting
from bot.privacy.game.players import CONFIRMATION, PlayerData
from bot.privacy.game.use_cases import open_privacy
from bot.text.language import say
from bot.variables import read_environment

_LARGEST_ID: Final = 2**63 - 1
_NOT_CONFIRMED: Final = 1
_CANNOT: Final = 2
# A file of Discord's may not be large; the host's may.
_ANY_SIZE: Final = sys.maxsize


class _Options(argparse.Namespace):
    """What is wanted, by the arguments' names."""

    player: int
    export: str | None
    yes: bool
    everything: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program.

    Args:
        arguments: what follows its name on the command line; None for the process's own.

    Returns:
        Its exit status: 0 if it was done or there was nothing to do, 1 if nobody confirmed it, 2
        if it could not be done.
    """
    wanted = _parser().parse_args(arguments, _Options())
    try:
        environment = read_environment(os.environ)
        backups = read_backup_settings(environment).folder
        return asyncio.run(_serve(read_database_url(environment), backups, wanted))
    except SettingsError as error:
        advice = bad_setting(error.name, error.value)
    except StorageError as error:
        advice = console.bad_database(error)
    sys.stderr.write(advice + "\n")
    return _CANNOT


async def _serve(url: str, backups: Path | None, wanted: _Options) -> int:
    player_id, keeps = wanted.player, not wanted.everything
    clock = SystemClock()
    async with open_privacy(url, clock, backups, CopiesBefore(backups, clock)) as privacy:
        players = privacy.players
        summary = await players.summary(player_id)
        # Hashes of an earlier deletion may be left, which no summary can tell.
        if summary.is_empty and (keeps or wanted.export is not None):
            _tell(say(console.NOTHING_STORED, player=player_id))
            return 0
        if wanted.export is not None:
            return await _hand_out(players, player_id, wanted.export)
        if not wanted.yes:
            _tell(console.about_to_forget(player_id, summary))
        kept = console.kept(summary) if keeps else ""
        if kept:
            _tell(kept)
        if not wanted.yes and not _is_confirmed(player_id):
            _tell(say(console.NOT_FORGOTTEN))
            return _NOT_CONFIRMED
        await players.delete(player_id, CONFIRMATION, keeps=keeps)
        while await privacy.cleaning.step():
            pass
        _tell(say(console.FORGOTTEN, player=player_id))
        return 0


async def _hand_out(players: PlayerData, player_id: int, path: str) -> int:
    export = await players.export(player_id, _ANY_SIZE)
    try:
        await asyncio.to_thread(_write, path, export.content)
    except OSError as error:
        sys.stderr.write(
            say(console.CANNOT_WRITE, path=path, reason=error.strerror or str(error)) + "\n"
        )
        return _CANNOT
    _tell(say(console.HANDED_OUT, path=path))
    return 0


def _write(path: str, content: bytes) -> None:
    """Write a new file that nobody but the host may read."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)


def _is_confirmed(player_id: int) -> bool:
    sys.stdout.write(say(console.TYPE_ID_AGAIN))
    sys.stdout.flush()
    return sys.stdin.readline().strip() == str(player_id)


def _tell(text: str) -> None:
    sys.stdout.write(text + "\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bot.forget", description=say(console.FORGET_USAGE)
    )
    parser.add_argument(
        "player", metavar="PLAYER_ID", type=_player_id, help=say(console.FORGET_PLAYER_HELP)
    )
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--export", metavar="FILE", help=say(console.FORGET_EXPORT_HELP))
    action.add_argument("--yes", action="store_true", help=say(console.FORGET_YES_HELP))
    parser.add_argument(
        "--everything", action="store_true", help=say(console.FORGET_EVERYTHING_HELP)
    )
    return parser


def _player_id(text: str) -> int:
    """An id; those below 0 stand in for players who are deleted already."""
    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= _LARGEST_ID):
        raise argparse.ArgumentTypeError(say(console.NOT_AN_ID, text=text))
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
