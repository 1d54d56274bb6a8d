"""What may follow `python -m bot`: the shards of one process, where several share the work."""

import argparse
import re
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final

from bot.outages import ALL, ShardRange
from bot.presentation import processes as words
from bot.text.language import say

_RANGE: Final = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})")


class _Options(argparse.Namespace):
    """What is wanted, by the arguments' names."""

    processes: str | None
    shards: ShardRange


def main(arguments: Sequence[str]) -> int:
    """Run a process with its shards.

    Args:
        arguments: what follows the program's name on the command line.

    Returns:
        The exit status, as that of `bot.__main__`.
    """
    parser = _parser()
    wanted = parser.parse_args(arguments, _Options())
    if wanted.processes is not None:
        parser.error(say(words.NO_PROCESSES))
    serve: Callable[[ShardRange], int] = import_module("bot.serving").main
    return serve(wanted.shards)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot", description=say(words.USAGE))
    parser.add_argument(
        "--shards", type=_range, default=ALL, metavar="A-B/N", help=say(words.SHARDS_HELP)
    )
    # Until version 0.4.0, hosts of 0.2.0 read what to do instead.
    parser.add_argument("--processes", help=argparse.SUPPRESS)
    return parser


def _range(text: str) -> ShardRange:
    found = _RANGE.fullmatch(text)
    if found is not None:
        first, last, count = (int(number or found[1]) for number in found.groups())
        if first <= last < count:
            return ShardRange(first, last, count)
    raise argparse.ArgumentTypeError(say(words.NO_RANGE, text=text))
