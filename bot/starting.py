"""What may follow `python -m bot`: one process of several, or all of them under a supervisor."""

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final

from bot.asking import DISCORD
from bot.model.outages import ALL, ShardRange
from bot.presentation import processes as words
from bot.presentation.base.language import say

PROGRAM: Final = (sys.executable, "-m", "bot")

_RANGE: Final = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})")


class _Options(argparse.Namespace):
    """What is wanted, by the arguments' names."""

    processes: int
    shards: ShardRange
    supervised: bool


def main(
    arguments: Sequence[str], *, program: Sequence[str] = PROGRAM, discord: str = DISCORD
) -> int:
    """Run a process with its shards, or the supervisor of several.

    Args:
        arguments: what follows the program's name on the command line.
        program: how a supervisor starts a process.
        discord: where a supervisor asks how many shards there are to be.

    Returns:
        The exit status, as that of `bot.__main__`.
    """
    wanted = _parser().parse_args(arguments, _Options())
    if wanted.processes == 1:
        serve: Callable[..., int] = import_module("bot.serving").main
        return serve(wanted.shards, is_supervised=wanted.supervised)
    supervise: Callable[..., int] = import_module("bot.supervisor").main
    return supervise(wanted.processes, wanted.shards, program, discord)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot", description=say(words.USAGE))
    parser.add_argument(
        "--processes", type=_count, default=1, metavar="N", help=say(words.PROCESSES_HELP)
    )
    parser.add_argument(
        "--shards", type=_range, default=ALL, metavar="A-B/N", help=say(words.SHARDS_HELP)
    )
    parser.add_argument("--supervised", action="store_true", help=argparse.SUPPRESS)
    return parser


def _count(text: str) -> int:
    if not re.fullmatch(r"[1-9]\d{0,2}", text):
        raise argparse.ArgumentTypeError(say(words.NO_COUNT, text=text))
    return int(text)


def _range(text: str) -> ShardRange:
    found = _RANGE.fullmatch(text)
    if found is not None:
        first, last, count = (int(number or found[1]) for number in found.groups())
        if first <= last < count:
            return ShardRange(first, last, count)
    raise argparse.ArgumentTypeError(say(words.NO_RANGE, text=text))
